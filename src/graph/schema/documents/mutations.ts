import { createComments } from '../../../domain/comments/comment.ts';
import type { Document as DocumentRow } from '../../../domain/documents/document.ts';
import {
  purgeDocuments,
  recycleDocuments,
  restoreDocuments,
} from '../../../domain/documents/document-bin.ts';
import { moveDocuments, restoreRevision, updateDocument } from '../../../domain/documents/document-change.ts';
import { commentsPayload } from '../comments/type.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Document } from './type.ts';

export const FieldValuesInput = builder.inputType('FieldValuesInput', {
  description: 'The values of one field of a document.',
  fields: (t) => ({
    fieldId: t.id({ required: true, description: 'Which field of the project.' }),
    values: t.stringList({
      required: true,
      description: 'As text: numbers in decimal notation, dates in ISO 8601, `true` or `false`.',
    }),
  }),
});

const updateDocumentInput = mutationInput({
  description: 'A change of a document; an omitted member keeps its value.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ required: true, description: 'Which document.' }),
    name: t.string({ description: 'The new display name.' }),
    assigneeEmails: t.stringList({
      description: 'The e-mail addresses of its assignees: replaces the list.',
    }),
    tags: t.stringList({ description: 'Its tags: replaces the list.' }),
    fieldValues: t.field({
      type: [FieldValuesInput],
      description: 'Values of its fields: each item replaces the values of one field.',
    }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

export const documentsInput = mutationInput({
  description: 'Documents: the mutation applies to all, or to none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentIds: t.idList({ required: true, description: 'Which documents.' }),
  }),
});

const moveDocumentsInput = mutationInput({
  description: 'Documents to move: all are moved, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentIds: t.idList({ required: true, description: 'Which documents.' }),
    folderId: t.id({ description: 'The folder to move them into; the root if omitted.' }),
  }),
});

const createCommentsInput = mutationInput({
  description: 'New comments on a document: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ required: true, description: 'Which document.' }),
    texts: t.stringList({
      required: true,
      description: 'The text of each comment, up to 10,000 characters.',
    }),
  }),
});

const restoreRevisionInput = mutationInput({
  description: 'A revision to restore.',
  fields: (t) => ({
    documentId: t.id({ required: true, description: 'Which document.' }),
    number: t.int({ required: true, description: 'The number of the earlier revision.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const documentPayload = mutationPayload<{ document: DocumentRow }>({
  description: 'The document after the change.',
  fields: (t) => ({ document: t.expose('document', { type: Document, description: 'The document.' }) }),
});

export const documentsPayload = mutationPayload<{ documents: DocumentRow[] }>({
  description: 'The documents after the change.',
  fields: (t) => ({
    documents: t.expose('documents', { type: [Document], description: 'In the order of the input.' }),
  }),
});

const purgeDocumentsPayload = mutationPayload<{ ids: string[] }>({
  description: 'The purged documents.',
  fields: (t) => ({
    documentIds: t.exposeIDList('ids', { description: 'Their ids.' }),
  }),
});

mutation('updateDocument', {
  scope: 'documents:write',
  description: 'Changes a document. Requires the role EDITOR in the project.',
  argument: 'The change.',
  input: updateDocumentInput,
  payload: documentPayload,
  resolve: async (input, ctx) => ({ document: await updateDocument(ctx, input) }),
});

mutation('moveDocuments', {
  scope: 'documents:write',
  description: 'Moves documents into a folder of their project. Requires the role EDITOR in the project.',
  argument: 'The documents and the folder.',
  input: moveDocumentsInput,
  payload: documentsPayload,
  batch: { items: 'documentIds', empty: { documents: [] } },
  resolve: async (input, ctx) => ({ documents: await moveDocuments(ctx, input) }),
});

mutation('recycleDocuments', {
  scope: 'documents:write',
  description: 'Moves documents to the recycle bin. Requires the role EDITOR in the project.',
  argument: 'The documents.',
  input: documentsInput,
  payload: documentsPayload,
  batch: { items: 'documentIds', empty: { documents: [] } },
  resolve: async (input, ctx) => ({ documents: await recycleDocuments(ctx, input) }),
});

mutation('restoreDocuments', {
  scope: 'documents:write',
  description: 'Restores documents from the recycle bin. Requires the role EDITOR in the project.',
  argument: 'The documents.',
  input: documentsInput,
  payload: documentsPayload,
  batch: { items: 'documentIds', empty: { documents: [] } },
  resolve: async (input, ctx) => ({ documents: await restoreDocuments(ctx, input) }),
});

mutation('purgeDocuments', {
  scope: 'documents:write',
  description: 'Purges recycled documents: deletes them permanently. Requires the role ADMIN in the project.',
  argument: 'The documents.',
  input: documentsInput,
  payload: purgeDocumentsPayload,
  batch: { items: 'documentIds', empty: { ids: [] } },
  resolve: async (input, ctx) => ({ ids: await purgeDocuments(ctx, input) }),
});

mutation('createComments', {
  scope: 'documents:write',
  description: 'Creates comments on a document. Requires the role EDITOR in the project.',
  argument: 'The comments.',
  input: createCommentsInput,
  payload: commentsPayload('documents:read'),
  batch: { items: 'texts', empty: { comments: [] } },
  resolve: async (input, ctx) => ({ comments: await createComments(ctx, input) }),
});

mutation('restoreRevision', {
  scope: 'documents:write',
  description: 'Restores an earlier revision, as a new revision. Requires the role EDITOR in the project.',
  argument: 'The revision.',
  input: restoreRevisionInput,
  payload: documentPayload,
  resolve: async (input, ctx) => ({ document: await restoreRevision(ctx, input) }),
});
