import { z } from 'zod';
import { type Inspected, inspectBytes } from '../../files/content/sniff/inspect.ts';
import { storedSource } from '../../files/store/store.ts';
import { SECOND } from '../../lib/time.ts';
import { fieldValues } from '../fields/field-value.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, conflict } from '../kernel/errors.ts';
import { name, parentFolder } from '../kernel/input.ts';
import { receiveUpload, type Upload } from './upload.ts';

/** What is said of an uploaded file. */
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
  tags: z.array(name).max(100).nullish(),
  fieldValues: fieldValues.nullish(),
});

type File = z.output<typeof uploadedFile>;

/** A file that may become a document: what was said of it, what arrived, and what that turned out to be. */
export interface ReceivedFile extends File, Inspected {
  upload: Upload & { size: bigint; sha256: Uint8Array<ArrayBuffer> };
}

/** How long a confirmation waits for the pages of all its PDFs, in ms: what is not counted by then is counted later. */
const PATIENCE = 6 * SECOND;

const UNKNOWN: Inspected = { contentType: '', pageCount: null, pageStatus: 'READY' };

/** The server may have gone down between the last byte and the note of it: then the store knows more. */
export async function catchUp({ db, storage: { store } }: Context, uploads: Upload[]): Promise<void> {
  for (const { state, blobId } of uploads) {
    const blob = state === 'RESERVED' ? await store.stat(blobId) : undefined;
    if (blob?.finished) await receiveUpload(db, blobId, await store.finish(blobId, blob.size));
  }
}

/** What arrived, read before the transaction that keeps it. Throws as confirmUploads does. */
export async function inspect(
  { storage }: Context,
  files: File[],
  uploads: Upload[],
): Promise<ReceivedFile[]> {
  const inspected: ReceivedFile[] = [];
  const signal = AbortSignal.timeout(PATIENCE);
  for (const [index, file] of files.entries()) {
    const upload = uploads[index] as Upload;
    requireReceived(upload, index);
    const received = upload as ReceivedFile['upload'];
    if (upload.state === 'RECEIVED') requireAsSaid(file, received, index);
    const kind =
      upload.state === 'RECEIVED'
        ? await inspectBytes({
            ...storedSource(storage.store, upload.blobId, Number(received.size), upload.organizationId),
            filename: file.name,
            signal,
          })
        : UNKNOWN;
    inspected.push({ ...file, ...kind, upload: received });
  }
  return inspected;
}

export function requireReceived({ state }: Upload, index: number): void {
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
