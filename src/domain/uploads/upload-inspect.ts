import { z } from 'zod';
import { type Inspection, inspectBytes } from '../../files/content/sniff/inspect.ts';
import { storedSource } from '../../files/store/store.ts';
import { SECOND } from '../../lib/time.ts';
import { fieldValues } from '../fields/field-value.ts';
import { tagTexts } from '../fields/tag-change.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict } from '../kernel/errors.ts';
import { name, parentFolder } from '../kernel/input.ts';
import { receiveUpload, type Upload } from './upload.ts';

/** What the client declares about an uploaded file. */
export const uploadedFile = z.strictObject({
  uploadId: z.string(),
  name,
  size: z.union([z.int(), z.bigint()]).transform(BigInt).nullish(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits')
    .transform((hex) => Buffer.from(hex, 'hex'))
    .nullish(),
  documentId: z.string().nullish(),
  folderId: parentFolder,
  tags: tagTexts.nullish(),
  fieldValues: fieldValues.nullish(),
});

type UploadedFile = z.output<typeof uploadedFile>;

/** A received file: the client's input, the upload, and the result of the inspection of its bytes. */
export interface ReceivedFile extends UploadedFile, Inspection {
  upload: Upload & { size: bigint; sha256: Uint8Array<ArrayBuffer> };
  /** The path in the input, `files.2`. */
  at: string;
}

/** Time limit for counting the pages of all PDFs of a confirmation, in ms; a job counts the rest later. */
const PAGE_COUNT_TIMEOUT = 6 * SECOND;

const NOT_INSPECTED: Inspection = { contentType: '', pageCount: null, pageStatus: 'READY' };

/** Marks uploads as received whose bytes are complete in the store, for example after a crash. Returns whether there was one. */
export async function recordFinishedUploads(
  { db, storage: { store } }: Context,
  uploads: Upload[],
): Promise<boolean> {
  let isChanged = false;
  for (const { state, blobId } of uploads) {
    const blob = state === 'RESERVED' ? await store.stat(blobId) : undefined;
    if (!blob?.finished) continue;
    await receiveUpload(db, blobId, await store.finish(blobId, blob.size));
    isChanged = true;
  }
  return isChanged;
}

/** How many files of a confirmation are inspected at a time. */
const AT_ONCE = 8;

/** Inspects the received bytes, before the transaction that creates the documents. Throws like confirmUploads. */
export async function inspectUploads(
  ctx: Context,
  files: UploadedFile[],
  uploads: Upload[],
): Promise<ReceivedFile[]> {
  const received = files.map((file, index) => receivedFile(file, uploads[index] as Upload, index));
  const signal = AbortSignal.timeout(PAGE_COUNT_TIMEOUT);
  const inspected: ReceivedFile[] = [];
  for (let first = 0; first < received.length; first += AT_ONCE) {
    const some = received.slice(first, first + AT_ONCE);
    inspected.push(...(await Promise.all(some.map((file) => inspect(ctx, file, signal)))));
  }
  return inspected;
}

/** Before it is inspected. */
function receivedFile(file: UploadedFile, upload: Upload, index: number): ReceivedFile {
  requireReceived(upload, index);
  const received = upload as ReceivedFile['upload'];
  if (upload.state === 'RECEIVED') requireDeclaredContent(file, received, index);
  return { ...file, ...NOT_INSPECTED, upload: received, at: `files.${index}` };
}

async function inspect(
  { storage: { store } }: Context,
  file: ReceivedFile,
  signal: AbortSignal,
): Promise<ReceivedFile> {
  const { state, blobId, size, organizationId } = file.upload;
  if (state !== 'RECEIVED') return file;
  const source = storedSource(store, blobId, Number(size), organizationId);
  return { ...file, ...(await inspectBytes({ ...source, filename: file.name, signal })) };
}

export function requireReceived({ state }: Upload, index: number): void {
  const at = `files.${index}.uploadId`;
  if (state === 'RESERVED') throw conflict('Not all bytes of the upload have arrived.', at);
  if (state === 'EXPIRED') throw conflict('The reservation has expired; reserve anew.', at);
}

function requireDeclaredContent(
  file: UploadedFile,
  { size, sha256 }: ReceivedFile['upload'],
  index: number,
): void {
  if (file.size != null && file.size !== size)
    throw badValue(`files.${index}.size`, `${size} bytes have arrived`);
  if (file.sha256 && !file.sha256.equals(sha256))
    throw badValue(`files.${index}.sha256`, 'other bytes have arrived');
}
