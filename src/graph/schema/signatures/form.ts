import { findDocuments } from '../../../domain/documents/document.ts';
import {
  type SignatureField as FieldRow,
  findFormsOfDocuments,
  findSignatureFields,
  findSignatureForms,
  recentForms,
} from '../../../domain/signatures/signature-form.ts';
import { findSignatureRecipients } from '../../../domain/signatures/signature-session.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { foundRow } from '../kernel/found-row.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { orderBy, related } from '../kernel/related.ts';
import { Project, projectOf } from '../projects/type.ts';
import { Versioned } from '../users/tracked.ts';
import { SignatureRecipient } from './recipient.ts';

export const SignatureFieldType = builder.enumType('SignatureFieldType', {
  description: 'What a signer puts into a field.',
  values: {
    SIGNATURE: {
      description: 'Their signature: the name as text, or a drawing as the data URL of an image.',
    },
    INITIALS: { description: 'Their initials, in the same two ways.' },
    FULL_NAME: { description: 'Their full name; that of the session if they leave it empty.' },
    EMAIL: { description: 'Their e-mail address; that of the session if they leave it empty.' },
    TITLE: { description: 'Their title.' },
    DATE: { description: 'A date such as 2031-03-04; the day of signing if they leave it empty.' },
    TEXT: { description: 'Any text.' },
  } as const,
});

const foundForm = foundRow(findSignatureForms, 'fieldCount', 'Signature form');

export const SignatureField = builder.prismaObject('SignatureField', {
  scope: 'signatures:read',
  description: 'A field on a page, for one signer to fill in.',
  interfaces: [Node],
  fields: (t) => ({
    type: t.expose('type', { type: SignatureFieldType, description: 'What goes into it.' }),
    label: t.exposeString('label', { nullable: true, description: 'The text next to it.' }),
    required: t.exposeBoolean('required', { description: 'Whether its signer has to fill it in.' }),
    rank: t.exposeInt('rank', { description: 'Its position in the order of the form.' }),
    pageIndex: t.exposeInt('pageIndex', { description: 'Its page, counted from 0.' }),
    x: t.exposeFloat('x', { description: 'Its left edge, in percent of the width of the page.' }),
    y: t.exposeFloat('y', { description: 'Its upper edge, in percent of the height of the page.' }),
    width: t.exposeFloat('width', { nullable: true, description: 'In percent of the width of the page.' }),
    height: t.exposeFloat('height', { nullable: true, description: 'In percent of the height of the page.' }),
    recipient: t.field({
      type: SignatureRecipient,
      nullable: true,
      description: 'Who fills it in; null if nobody is assigned yet.',
      resolve: ({ recipientId }, _, { load }) =>
        recipientId ? load.one(findSignatureRecipients, recipientId) : null,
    }),
    value: t.exposeString('value', { nullable: true, description: 'What was filled in.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its signer signed.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was placed.' }),
  }),
});

nodeType('SignatureField', ({ load }, id) => load.one(findSignatureFields, id));

export const SignatureForm = builder.prismaObject('SignatureForm', {
  scope: 'signatures:read',
  description:
    'The signature form of a document, on which its signature fields are placed. A change of its fields is a change of the form.',
  interfaces: [Node, Versioned],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    project: t.field({
      type: Project,
      description: 'The project it belongs to.',
      resolve: (form, _, ctx) => foundForm(ctx, form, (found) => projectOf(ctx, found.projectId)),
    }),
    document: t.field({
      type: Document,
      description: 'The document that is signed.',
      resolve: ({ documentId }, _, { load }) => load.seen(findDocuments, documentId, 'Document'),
    }),
    templateId: t.exposeID('templateId', {
      nullable: true,
      description: 'The template it was created from.',
    }),
    lastViewedPageIndex: t.exposeInt('lastViewedPageIndex', {
      description: 'The page that was last open in the designer, counted from 0.',
    }),
    fieldCount: t.int({
      description: 'How many fields it has.',
      resolve: (form, _, ctx) => foundForm(ctx, form, (found) => found.fieldCount),
    }),
    fields: t.connection(
      {
        type: SignatureField,
        description: 'Its fields, in their order.',
        ...related<FieldRow>({
          ...{ model: 'signatureForm', relation: 'fields', type: 'SignatureField' },
          order: orderBy('rank', 'int'),
        }),
      },
      connectionOf(SignatureField),
    ),
  }),
});

nodeType('SignatureForm', ({ load }, id) => load.one(findSignatureForms, id));

builder.objectField(Document, 'signatureForm', (t) =>
  t.field({
    type: SignatureForm,
    nullable: true,
    description: 'The form on which its signature fields are placed; null when there is none yet.',
    resolve: ({ id }, _, { load }) => load.one(findFormsOfDocuments, id, ({ documentId }) => documentId),
  }),
);

const RecentSignatureFormFilter = builder.inputType('RecentSignatureFormFilter', {
  description: 'Which forms a list holds; all conditions must match.',
  fields: (t) => ({
    namePrefix: t.string({ description: 'What the name of the document starts with, ignoring case.' }),
    exceptId: t.id({ description: 'Excludes this form, or the form of this document.' }),
  }),
});

builder.objectField(Project, 'recentSignatureForms', (t) =>
  t.connection(
    {
      type: SignatureForm,
      description: 'Forms of its documents that have fields, to copy from; last changed first.',
      args: { filter: t.arg({ type: RecentSignatureFormFilter, description: 'Which of them.' }) },
      resolve: (project, { filter, ...page }, ctx) =>
        connect(ctx, recentForms, project, {
          ...page,
          filter: filter ?? {},
          orderBy: { field: 'CHANGED_AT', direction: 'DESC' },
        }),
    },
    connectionOf(SignatureForm),
  ),
);

builder.queryField('signatureForm', (t) =>
  t.field({
    type: SignatureForm,
    nullable: true,
    description: 'A signature form by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findSignatureForms, id, 'Signature form'),
  }),
);
