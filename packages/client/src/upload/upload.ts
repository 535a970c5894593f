import { runOperation } from '../graph/request.ts';
import { withRetries } from '../http/retry.ts';
import type { Transport } from '../http/transport.ts';
import { sourceOf, type UploadInput } from './source.ts';
import { sendBytes, startSession, type UploadProgress } from './transfer.ts';

/** An upload that was begun, as plain data: with it another process, or the page after a reload, continues. */
export interface UploadSession {
  uploadId: string;
  url: string;
}

export interface UploadOptions {
  projectId: string;
  /** The folder of the new document; the root of the project if omitted. */
  folderId?: string | undefined;
  /** The bytes become the next revision of this document. */
  documentId?: string | undefined;
  /** Required unless the input is a File. */
  name?: string | undefined;
  tags?: string[] | undefined;
  /** SHA-256 in hex; the server refuses other bytes. */
  sha256?: string | undefined;
  onProgress?: ((progress: UploadProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Continue this one. */
  session?: UploadSession | undefined;
  /** Called when the upload has begun: store the session to continue later. */
  onSession?: ((session: UploadSession) => void) | undefined;
  /** Milliseconds without progress after which the upload fails; 10 minutes by default. */
  patience?: number | undefined;
}

export interface UploadedDocument {
  id: string;
  name: string;
  size: number;
  contentType: string;
}

const PATIENCE = 600_000;

const RESERVE = `mutation ReserveUploads($input: ReserveUploadsInput!) {
  reserveUploads(input: $input) { uploads { id url } }
}`;

const CONFIRM = `mutation ConfirmUploads($input: ConfirmUploadsInput!) {
  confirmUploads(input: $input) { documents { id name size contentType } }
}`;

/** Uploads a file, which becomes a document. Continues by itself after a lost connection. */
export async function upload(
  transport: Transport,
  input: UploadInput,
  options: UploadOptions,
): Promise<UploadedDocument> {
  const source = sourceOf(input);
  const name = options.name ?? source.name;
  if (!name) throw new TypeError('An upload has to have a name.');
  try {
    const session = options.session ?? (await begin(transport, name, options));
    const { signal, onProgress, patience = PATIENCE } = options;
    const transfer = { transport, source, url: session.url, signal, onProgress, patience };
    const size = await sendBytes(transfer, options.session !== undefined);
    return await confirm(transport, options, { uploadId: session.uploadId, name, size });
  } finally {
    await source.close?.();
  }
}

async function begin(
  transport: Transport,
  name: string,
  { projectId, signal, onSession }: UploadOptions,
): Promise<UploadSession> {
  const variables = { input: { projectId, names: [name] } };
  const data = (await runOperation(transport, RESERVE, variables, { signal })) as {
    reserveUploads: { uploads: [{ id: string; url: string }] };
  };
  const [reservation] = data.reserveUploads.uploads;
  const start = () => startSession(transport, reservation.url, signal);
  const session = { uploadId: reservation.id, url: await withRetries(start, transport.retry, signal) };
  onSession?.(session);
  return session;
}

async function confirm(
  transport: Transport,
  { projectId, folderId, documentId, tags, sha256, signal }: UploadOptions,
  file: { uploadId: string; name: string; size: number },
): Promise<UploadedDocument> {
  const files = [{ ...file, folderId, documentId, tags, sha256 }];
  const data = (await runOperation(transport, CONFIRM, { input: { projectId, files } }, { signal })) as {
    confirmUploads: { documents: [UploadedDocument] };
  };
  return data.confirmUploads.documents[0];
}

export type { UploadInput };
