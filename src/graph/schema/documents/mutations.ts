import { createComments } from '../../../domain/comments/comment.ts';
import type { Document as DocumentRow } from '../../../domain/documents/document.ts';
import {
  purgeDocuments,
  recycleDocuments,
  restoreDocuments,
} from '../../../domain/documents/document-bin.ts';
import { moveDocuments, restoreRevision, updateDocument } from '../../../domain/documents/document-change.ts';
import { CommentsPayload } from '../comments/type.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
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

const UpdateDocumentInput = builder.inputType('UpdateDocumentInput', {
  description: 'A change of a document; what is left out stays as it is.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ required: true, description: 'Which document.' }),
    name: t.string({ description: 'The new display name.' }),
    assigneeEmails: t.stringList({ description: 'Who it is assigned to from now on: replaces the list.' }),
    tags: t.stringList({ description: 'How it is tagged from now on: replaces the list.' }),
    fieldValues: t.field({
      type: [FieldValuesInput],
      description: 'Values of its fields: each replaces those of that field.',
    }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

export const DocumentsInput = builder.inputType('DocumentsInput', {
  description: 'Several documents: it is done to all, or to none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentIds: t.idList({ required: true, description: 'Which documents.' }),
  }),
});

const MoveDocumentsInput = builder.inputType('MoveDocumentsInput', {
  description: 'Where documents go: all of them, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentIds: t.idList({ required: true, description: 'Which documents.' }),
    folderId: t.id({ description: 'The folder to move them into; the root when left out.' }),
  }),
});

const CreateCommentsInput = builder.inputType('CreateCommentsInput', {
  description: 'What to say on a document.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    documentId: t.id({ required: true, description: 'Which document.' }),
    texts: t.stringList({ required: true, description: 'One comment each, of up to 10,000 characters.' }),
  }),
});

const RestoreRevisionInput = builder.inputType('RestoreRevisionInput', {
  description: 'Which revision to bring back.',
  fields: (t) => ({
    documentId: t.id({ required: true, description: 'Of which document.' }),
    number: t.int({ required: true, description: 'The number of the earlier revision.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const DocumentPayload = builder.objectRef<{ document: DocumentRow }>('DocumentPayload').implement({
  description: 'The document as it now is.',
  fields: (t) => ({ document: t.expose('document', { type: Document, description: 'The document.' }) }),
});

export const DocumentsPayload = builder
  .objectRef<{ documents: DocumentRow[] }>('DocumentsPayload')
  .implement({
    description: 'The documents as they now are.',
    fields: (t) => ({
      documents: t.expose('documents', { type: [Document], description: 'In the order of the input.' }),
    }),
  });

const PurgeDocumentsPayload = builder.objectRef<{ ids: string[] }>('PurgeDocumentsPayload').implement({
  description: 'What was deleted.',
  fields: (t) => ({
    documentIds: t.exposeIDList('ids', { description: 'The ids of the documents that were purged.' }),
  }),
});

builder.mutationFields((t) => ({
  updateDocument: t.field({
    type: DocumentPayload,
    description: 'Changes a document. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: UpdateDocumentInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ document: await updateDocument(ctx, input) }),
  }),
  moveDocuments: t.field({
    type: DocumentsPayload,
    description: 'Moves documents into a folder of their project. Takes the role EDITOR in it.',
    args: { input: t.arg({ type: MoveDocumentsInput, required: true, description: 'Where to.' }) },
    resolve: async (_, { input }, ctx) => ({ documents: await moveDocuments(ctx, input) }),
  }),
  recycleDocuments: t.field({
    type: DocumentsPayload,
    description: 'Sends documents to the recycle bin. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: DocumentsInput, required: true, description: 'The documents.' }) },
    resolve: async (_, { input }, ctx) => ({ documents: await recycleDocuments(ctx, input) }),
  }),
  restoreDocuments: t.field({
    type: DocumentsPayload,
    description: 'Takes documents out of the recycle bin. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: DocumentsInput, required: true, description: 'The documents.' }) },
    resolve: async (_, { input }, ctx) => ({ documents: await restoreDocuments(ctx, input) }),
  }),
  purgeDocuments: t.field({
    type: PurgeDocumentsPayload,
    description: 'Removes recycled documents for good. Takes the role ADMIN in the project.',
    args: { input: t.arg({ type: DocumentsInput, required: true, description: 'The documents.' }) },
    resolve: async (_, { input }, ctx) => ({ ids: await purgeDocuments(ctx, input) }),
  }),
  createComments: t.field({
    type: CommentsPayload,
    description: 'Says something on a document. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: CreateCommentsInput, required: true, description: 'The comments.' }) },
    resolve: async (_, { input }, ctx) => ({ comments: await createComments(ctx, input) }),
  }),
  restoreRevision: t.field({
    type: DocumentPayload,
    description:
      'Makes an earlier revision the newest again, as a new revision. Takes the role EDITOR in the project.',
    args: { input: t.arg({ type: RestoreRevisionInput, required: true, description: 'The revision.' }) },
    resolve: async (_, { input }, ctx) => ({ document: await restoreRevision(ctx, input) }),
  }),
}));
