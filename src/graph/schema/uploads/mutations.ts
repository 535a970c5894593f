import type { Document as DocumentRow } from '../../../domain/documents/document.ts';
import { reserveUploads, type Upload as UploadRow, uploadUrl } from '../../../domain/uploads/upload.ts';
import { confirmUploads } from '../../../domain/uploads/upload-confirm.ts';
import { documentsPayload, FieldValuesInput } from '../documents/mutations.ts';
import { builder } from '../kernel/builder.ts';
import { WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';

const Upload = builder.objectRef<UploadRow>('Upload').implement({
  description:
    'A reservation for one file that is to become a document; it is no Node, since its address is a secret of who reserved it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id: pass it to confirmUploads.' }),
    objectId: t.exposeID('blobId', { description: 'The id that the bytes are stored under.' }),
    url: t.string({
      description:
        'Where to PUT the bytes, without a credential: whole, or in pieces: PUT it with `x-goog-resumable: start`, then PUT each piece with `Content-Range` to the `Location` of the answer; 308 has the `Range` that is stored, and an empty PUT with `Content-Range: bytes */SIZE` asks for it (docs/uploads.md). Valid for some minutes; an upload that was started has until expiresAt.',
      resolve: (upload, _, ctx) => uploadUrl(ctx, upload),
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'By when it has to be confirmed; after that the bytes are removed.',
    }),
  }),
});

const reserveUploadsInput = mutationInput({
  description: 'Where files are to be uploaded.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'The project they are for.' }),
    count: t.int({ description: 'How many files; by default one for each of names, or 1.' }),
    names: t.stringList({
      description:
        'The name of each file: one that confirmUploads would refuse is refused now, before any bytes are sent. The name that counts is that of confirmUploads.',
    }),
  }),
});

const reserveUploadsPayload = mutationPayload<{ uploads: UploadRow[] }>({
  description: 'The reservations.',
  fields: (t) => ({
    uploads: t.expose('uploads', { type: [Upload], description: 'One for each file.' }),
  }),
});

const UploadedFile = builder.inputType('UploadedFile', {
  description: 'A file whose bytes have arrived.',
  fields: (t) => ({
    uploadId: t.id({ required: true, description: 'Its reservation.' }),
    name: t.string({ required: true, description: 'Its name, 1 to 255 characters.' }),
    size: t.field({ type: 'BigInt', description: 'Its size in bytes; refused when other bytes arrived.' }),
    sha256: t.string({ description: 'Its SHA-256 in hex; refused when other bytes arrived.' }),
    documentId: t.id({
      description: 'The file becomes the next revision of this document, not a new document.',
    }),
    folderId: t.id({ description: 'The folder of the new document; the root if omitted.' }),
    tags: t.stringList({ description: 'How the document is tagged.' }),
    fieldValues: t.field({ type: [FieldValuesInput], description: 'The values of its fields.' }),
  }),
});

const confirmUploadsInput = mutationInput({
  description: 'Uploaded files of one project: all become documents, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    files: t.field({ type: [UploadedFile], required: true, description: 'The files, in order.' }),
  }),
});

mutation('reserveUploads', {
  scope: 'documents:write',
  description: 'Reserves uploads. Requires the role EDITOR in the project.',
  argument: 'Where.',
  input: reserveUploadsInput,
  payload: reserveUploadsPayload,
  resolve: async (input, ctx) => ({ uploads: await reserveUploads(ctx, input) }),
});

mutation('confirmUploads', {
  scope: 'documents:write',
  description:
    'Creates documents from uploaded files. A repeated call returns the same documents. Requires the role EDITOR in the project.',
  argument: 'The files.',
  input: confirmUploadsInput,
  payload: documentsPayload,
  batch: { items: 'files', empty: { documents: [] } },
  resolve: async (input, ctx): Promise<{ documents: DocumentRow[] }> => ({
    documents: await confirmUploads(ctx, input),
  }),
});
