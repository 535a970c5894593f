import { z } from 'zod';
import type { Transaction } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { inspectBytes } from '../storage/inspect.ts';
import type { BlobStore } from '../storage/store.ts';
import type { Context } from './context.ts';
import type { Document } from './document.ts';
import { findDocuments } from './document.ts';
import { badInput, conflict, notFound } from './errors.ts';
import { name, parse, requireBatch } from './input.ts';
import { inOrder, requireProject } from './project.ts';
import { receiveUpload, requireUploads, type Upload } from './upload.ts';
import { storeFiles } from './upload-store.ts';

const file = z.strictObject({
  uploadId: z.string(),
  name,
  size: z.union([z.int(), z.bigint()]).transform(BigInt).nullish(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
    .transform((hex) => Buffer.from(hex, 'hex'))
    .nullish(),
  documentId: z.string().nullish(),
  folderId: z.string().nullish(),
  tags: z.array(name).max(100).nullish(),
  fieldValues: z
    .array(z.strictObject({ fieldId: z.string(), values: z.array(z.string()).max(100) }))
    .max(200)
    .nullish(),
});

const confirmation = z.strictObject({
  organizationId: z.string().nullish(),
  projectId: z.string().nullish(),
  files: z.array(file),
});

type File = z.output<typeof file>;

/** A file that may become a document: what was said of it, what arrived, and what that turned out to be. */
export interface ReceivedFile extends File {
  upload: Upload & { size: bigint; sha256: Uint8Array<ArrayBuffer> };
  contentType: string;
  pageCount: number | null;
}

/**
 * Makes documents of uploaded files: all or none. A file with a documentId becomes that document's next revision.
 * Each upload counts once: whoever confirms it again gets the document it became, as that now is.
 * Throws BAD_USER_INPUT when the bytes have another size or SHA-256 than said, CONFLICT when they have not arrived, or
 * came too late, NOT_FOUND for uploads of other people.
 */
export async function confirmUploads(ctx: Context, input: z.input<typeof confirmation>): Promise<Document[]> {
  const { files, ...within } = parse(confirmation, input);
  requireBatch(files, ctx.limits.batchMax, 'files');
  const ids = files.map(({ uploadId }) => uploadId);
  if (new Set(ids).size < ids.length) throw badInput('files: an upload is named twice', 'files');
  if (within.projectId) await requireProject(ctx, ctx.db, within.projectId, 'EDITOR', within.organizationId);
  await catchUp(ctx, await requireUploads(ctx, ctx.db, ids, ''));
  const inspected = await inspect(ctx, files, await requireUploads(ctx, ctx.db, ids, ''));
  return inTransaction(ctx.db, async (tx) => {
    const uploads = await requireUploads(ctx, tx, ids, 'FOR UPDATE');
    const projectId = await requirePlace(ctx, tx, uploads, within);
    const open = inspected.filter((_, index) => uploads[index]?.state !== 'CONFIRMED');
    uploads.forEach(requireReceived);
    const known = uploads.flatMap(({ documentId }) => documentId ?? []);
    const stored = open.length > 0 ? await storeFiles(ctx, tx, projectId, open) : new Map<string, string>();
    const documents = await findDocuments(ctx, [...known, ...stored.values()], tx);
    const wanted = uploads.map(({ id, documentId }) => ({ id: documentId ?? (stored.get(id) as string) }));
    if (wanted.some(({ id }) => !documents.some((document) => document.id === id)))
      throw notFound('Document');
    return inOrder(documents, wanted);
  });
}

/** The server may have gone down between the last byte and the note of it: then the store knows more. */
async function catchUp({ db, storage: { store } }: Context, uploads: Upload[]): Promise<void> {
  for (const { state, blobId } of uploads) {
    const blob = state === 'RESERVED' ? await store.stat(blobId) : undefined;
    if (blob?.finished) await receiveUpload(db, blobId, await store.finish(blobId, blob.size));
  }
}

async function inspect({ storage }: Context, files: File[], uploads: Upload[]): Promise<ReceivedFile[]> {
  const inspected: ReceivedFile[] = [];
  for (const [index, file] of files.entries()) {
    const upload = uploads[index] as Upload;
    requireReceived(upload, index);
    const received = upload as ReceivedFile['upload'];
    if (upload.state === 'RECEIVED') requireAsSaid(file, received, index);
    const kind =
      upload.state === 'RECEIVED'
        ? await inspectBytes({ ...sourceOf(storage.store, received), filename: file.name })
        : { contentType: '', pageCount: null };
    inspected.push({ ...file, ...kind, upload: received });
  }
  return inspected;
}

function requireReceived({ state }: Upload, index: number): void {
  const at = `files.${index}.uploadId`;
  if (state === 'RESERVED') throw conflict('Not all bytes of the upload have arrived.', at);
  if (state === 'EXPIRED') throw conflict('The reservation has expired; reserve anew.', at);
}

function requireAsSaid(said: File, { size, sha256 }: ReceivedFile['upload'], index: number): void {
  if (said.size != null && said.size !== size)
    throw badInput(`files.${index}.size: ${size} bytes have arrived`, `files.${index}.size`);
  if (said.sha256 && !said.sha256.equals(sha256))
    throw badInput(`files.${index}.sha256: other bytes have arrived`, `files.${index}.sha256`);
}

const sourceOf = (store: BlobStore, { blobId, size }: ReceivedFile['upload']) => ({
  size: Number(size),
  async read(start: number, end: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await store.read(blobId, { start, end })) chunks.push(chunk);
    return Buffer.concat(chunks);
  },
});

/** The one project of all these uploads, in which the viewer may write. */
async function requirePlace(
  ctx: Context,
  tx: Transaction,
  uploads: Upload[],
  within: { organizationId?: string | null; projectId?: string | null },
): Promise<string> {
  const [first] = uploads as [Upload];
  const elsewhere = uploads.findIndex(({ projectId }) => projectId !== (within.projectId ?? first.projectId));
  if (elsewhere >= 0) throw notFound('Upload', `files.${elsewhere}.uploadId`);
  await requireProject(ctx, tx, first.projectId, 'EDITOR', within.organizationId);
  return first.projectId;
}
