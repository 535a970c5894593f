import { findDocuments } from '../../../domain/documents/document.ts';
import {
  findCurrentSessions,
  findSignatureSessions,
  recipientsOfSession,
  sessionsOfDocument,
  sessionsOfProject,
} from '../../../domain/signatures/signature-session.ts';
import { toHex } from '../../../lib/text/hex.ts';
import { Revision } from '../documents/revision.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Project, projectOf } from '../projects/type.ts';
import { Tracked, Versioned } from '../users/tracked.ts';
import { SignatureRecipient } from './recipient.ts';
import { designOf, SignatureDesign, SignatureSessionState, SignatureStopReason } from './states.ts';

/** Further fields: sealing.ts. */
export const SignatureSession = builder.prismaObject('SignatureSession', {
  scope: { scope: 'signatures:read', open: ['state'] },
  description:
    'The signing of a document: who signs, in which order, and its state. Signatures do not set modifiedAt and modifiedBy.',
  interfaces: [Node, Versioned, Tracked],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    project: t.field({
      type: Project,
      description: 'The project it belongs to.',
      resolve: ({ projectId }, _, ctx) => projectOf(ctx, projectId),
    }),
    document: t.field({
      type: Document,
      description: 'The document that is signed.',
      resolve: ({ documentId }, _, { load }) => load.seen(findDocuments, documentId, 'Document'),
    }),
    revision: t.relation('revision', {
      type: Revision,
      description: 'The revision that is signed: the newest when the session began.',
    }),
    copySha256: t.string({
      nullable: true,
      description:
        'SHA-256, in hex, of the copy of a PDF that signers see and that is sealed; it is written when the session begins (docs/signing.md). Null before, and for other files, which are signed as they are.',
      resolve: ({ copySha256 }) => copySha256 && toHex(copySha256),
    }),
    renditionSha256: t.string({
      nullable: true,
      description:
        'SHA-256, in hex, of the PDF of an office file, of which that copy was made. Null before, and for other files.',
      resolve: ({ renditionSha256 }) => renditionSha256 && toHex(renditionSha256),
    }),
    state: t.expose('state', { type: SignatureSessionState, description: 'Its state.' }),
    design: t.field({
      type: SignatureDesign,
      description: 'How the fields are created.',
      resolve: ({ formDesignType }) => designOf(formDesignType),
    }),
    recipients: t.connection(
      {
        isPart: true,
        type: SignatureRecipient,
        description: 'Its signers, in the order in which they sign.',
        resolve: (session, page, ctx) =>
          connect(ctx, recipientsOfSession, session, {
            ...page,
            filter: {},
            orderBy: { field: 'RANK', direction: 'ASC' },
          }),
      },
      connectionOf(SignatureRecipient),
    ),
  }),
});

/** What its signers are sent and asked for. */
builder.prismaObjectFields(SignatureSession, (t) => ({
  useAccessCode: t.exposeBoolean('useAccessCode', {
    description: 'Whether signers have to enter an access code. The code itself cannot be read.',
  }),
  useCustomMail: t.exposeBoolean('useCustomMail', {
    description: 'Whether requests have a custom text.',
  }),
  customSubject: t.exposeString('customSubject', { nullable: true, description: 'Subject of that text.' }),
  customBody: t.exposeString('customBody', { nullable: true, description: 'That text.' }),
  placeInitials: t.exposeBoolean('placeInitials', { description: 'Quick design asks for initials.' }),
  placeFullName: t.exposeBoolean('placeFullName', { description: 'Quick design asks for the full name.' }),
  placeEmail: t.exposeBoolean('placeEmail', { description: 'Quick design asks for the e-mail address.' }),
  placeTitle: t.exposeBoolean('placeTitle', { description: 'Quick design asks for the title.' }),
}));

/** How it ended. */
builder.prismaObjectFields(SignatureSession, (t) => ({
  expiresAt: t.field({
    type: 'DateTime',
    nullable: true,
    description:
      'When the time to sign ends: as its sender chose, or else with the last link. Null for a draft without a choice.',
    resolve: ({ expiresAt, endsAt }) => expiresAt ?? endsAt,
  }),
  completedAt: t.expose('completedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When the last signer signed.',
  }),
  stoppedAt: t.expose('stoppedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When it was stopped.',
  }),
  stopReason: t.expose('stopReason', {
    type: SignatureStopReason,
    nullable: true,
    description: 'Why it was stopped; null if it was not, or before reasons were recorded.',
  }),
  sealedAt: t.expose('sealedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When the signed file was produced.',
  }),
}));

nodeType('SignatureSession', ({ load }, id) => load.one(findSignatureSessions, id));

builder.objectField(Document, 'signatureSession', (t) =>
  t.field({
    type: SignatureSession,
    nullable: true,
    description: 'Its signing session that is open, or else the newest; null when there is none.',
    resolve: ({ id }, _, { load }) => load.one(findCurrentSessions, id, ({ documentId }) => documentId),
  }),
);

builder.objectField(Document, 'signatureSessions', (t) =>
  t.connection(
    {
      scope: 'signatures:read',
      type: SignatureSession,
      description: 'Its signing sessions, newest first.',
      resolve: (document, page, ctx) =>
        connect(ctx, sessionsOfDocument, document, {
          ...page,
          filter: {},
          orderBy: { field: 'CREATED_AT', direction: 'DESC' },
        }),
    },
    connectionOf(SignatureSession),
  ),
);

builder.objectField(Project, 'signatureSessions', (t) =>
  t.connection(
    {
      scope: 'signatures:read',
      type: SignatureSession,
      description: 'The signing sessions of its documents that are visible to you, newest first.',
      args: { state: t.arg({ type: SignatureSessionState, description: 'Only those in this state.' }) },
      resolve: (project, { state, ...page }, ctx) =>
        connect(ctx, sessionsOfProject, project, {
          ...page,
          filter: { state },
          orderBy: { field: 'CREATED_AT', direction: 'DESC' },
        }),
    },
    connectionOf(SignatureSession),
  ),
);

builder.queryField('signatureSession', (t) =>
  t.field({
    type: SignatureSession,
    nullable: true,
    description: 'A signing session by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findSignatureSessions, id, 'Signature session'),
  }),
);
