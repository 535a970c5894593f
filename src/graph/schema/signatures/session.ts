import { findDocuments } from '../../../domain/documents/document.ts';
import { linkSecret, signingUrl } from '../../../domain/signatures/signature-link.ts';
import {
  findCurrentSessions,
  findSignatureRecipients,
  findSignatureSessions,
  type SignatureRecipient as RecipientRow,
  recipientsOfSession,
  type SignatureSession as SessionRow,
  sessionsOfDocument,
} from '../../../domain/signatures/signature-session.ts';
import { Revision } from '../documents/revision.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Project, projectOf } from '../projects/type.ts';
import { author, User } from '../users/type.ts';
import {
  designOf,
  SignatureDesign,
  SignatureRecipientState,
  SignatureSessionState,
  SignatureStopReason,
} from './states.ts';

export const SignatureRecipient = builder.prismaObject('SignatureRecipient', {
  description: 'A signer of a session, with or without an account.',
  interfaces: [Node],
  fields: (t) => ({
    sessionId: t.exposeID('sessionId', { description: 'The session.' }),
    rank: t.exposeInt('rank', { description: 'Lower ranks sign first; equal ranks at the same time.' }),
    email: t.exposeString('email', { description: 'E-mail address, in lower case.' }),
    fullName: t.exposeString('fullName', { description: 'Full name.' }),
    user: t.field({
      type: User,
      nullable: true,
      description: 'Their account, if they have one in the organization: they may sign with it.',
      resolve: ({ userId }, _, ctx) => (userId ? author(ctx, userId) : null),
    }),
    memberId: t.id({
      nullable: true,
      description: 'Their id as a member of the project, or else of the organization; null for an outsider.',
      resolve: (row) => (row as RecipientRow).memberId,
    }),
    state: t.expose('state', { type: SignatureRecipientState, description: 'What they have done.' }),
    linkSecret: t.string({
      nullable: true,
      description:
        'The secret of their own link (`uniqueId` in REST v1): anyone who has it signs as them. For editors of the project, from the request until the link ends.',
      resolve: (row, _, ctx) => linkSecret(ctx, row as RecipientRow),
    }),
    signingUrl: t.string({
      nullable: true,
      description: 'The page on which they sign, without an account. It holds that secret.',
      resolve: (row, _, ctx) => signingUrl(ctx, row as RecipientRow),
    }),
    linkExpiresAt: t.expose('linkExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When their link ends.',
    }),
    codeLockedAt: t.expose('codeLockedAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When too many wrong access codes locked their link; null unless it is locked. A new link (renewSignatureLinks) takes codes again.',
    }),
    requestedAt: t.expose('requestedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the signature was requested.',
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When they signed.',
    }),
    declinedReason: t.exposeString('declinedReason', {
      nullable: true,
      description: 'Why they refused.',
    }),
    ipAddress: t.string({
      nullable: true,
      description: 'The network address they answered from, for editors of the project.',
      resolve: (row) => ((row as RecipientRow).viewerCanEdit ? row.ipAddress : null),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When they were added.' }),
  }),
});

nodeType('SignatureRecipient', ({ load }, id) => load.one(findSignatureRecipients, id));

export const SignatureSession = builder.prismaObject('SignatureSession', {
  description: 'The signing of a document: who signs, in which order, and how far it has come.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    project: t.field({
      type: Project,
      description: 'The project it belongs to.',
      resolve: (row, _, ctx) => projectOf(ctx, (row as SessionRow).projectId),
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
    state: t.expose('state', { type: SignatureSessionState, description: 'How far it has come.' }),
    design: t.field({
      type: SignatureDesign,
      description: 'How the fields come about.',
      resolve: ({ formDesignType }) => designOf(formDesignType),
    }),
    useAccessCode: t.exposeBoolean('useAccessCode', {
      description: 'Whether signers have to give an access code, which nobody can read.',
    }),
    useCustomMail: t.exposeBoolean('useCustomMail', {
      description: 'Whether requests have a text of their own.',
    }),
    customSubject: t.exposeString('customSubject', { nullable: true, description: 'Subject of that text.' }),
    customBody: t.exposeString('customBody', { nullable: true, description: 'That text.' }),
    placeInitials: t.exposeBoolean('placeInitials', { description: 'Quick design asks for initials.' }),
    placeFullName: t.exposeBoolean('placeFullName', { description: 'Quick design asks for the full name.' }),
    placeEmail: t.exposeBoolean('placeEmail', { description: 'Quick design asks for the e-mail address.' }),
    placeTitle: t.exposeBoolean('placeTitle', { description: 'Quick design asks for the title.' }),
    recipients: t.connection({
      type: SignatureRecipient,
      description: 'Its signers, in the order in which they sign.',
      resolve: (session, page, ctx) =>
        connect(ctx, recipientsOfSession, session, {
          ...page,
          filter: {},
          orderBy: { field: 'RANK', direction: 'ASC' },
        }),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    createdBy: t.field({
      type: User,
      description: 'Who created it.',
      resolve: (row, _, ctx) => author(ctx, row.createdById),
    }),
    modifiedAt: t.expose('modifiedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When someone last changed it, apart from its signers.',
    }),
    modifiedBy: t.field({
      type: User,
      nullable: true,
      description: 'Who that was.',
      resolve: ({ modifiedById }, _, ctx) => (modifiedById ? author(ctx, modifiedById) : null),
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
      description:
        'Why it was stopped; null unless it was, and for some that were stopped before reasons were recorded.',
    }),
    sealedAt: t.expose('sealedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the signed file was produced.',
    }),
    version: t.exposeInt('version', {
      description: 'Counts the changes; pass it as expectedVersion to change only what you saw.',
    }),
  }),
});

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
  t.connection({
    type: SignatureSession,
    description: 'Its signing sessions, newest first.',
    resolve: (document, page, ctx) =>
      connect(ctx, sessionsOfDocument, document, {
        ...page,
        filter: {},
        orderBy: { field: 'CREATED_AT', direction: 'DESC' },
      }),
  }),
);

builder.queryField('signatureSession', (t) =>
  t.field({
    type: SignatureSession,
    nullable: true,
    description: 'A signing session by its id. NOT_FOUND for what is not there or not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findSignatureSessions, id, 'Signature session'),
  }),
);
