import type { Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { typeOfId } from '../../lib/id.ts';
import type { BoundedCache } from './bounded-cache.ts';
import { addPrefix } from './s3-prefix.ts';
import { type FinishedBlob, StoreError } from './store.ts';

/** Location of the bucket. Without credentials the SDK finds them itself, for instance the role of the machine. */
export interface S3Options {
  bucket: string;
  /** Precedes the names of all objects, in a bucket that others use too; ends with a slash. */
  prefix?: string | undefined;
  region: string;
  endpoint?: string | undefined;
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** Whether the bucket is the first segment of the path instead of a part of the host name. */
  forcePathStyle: boolean;
  /** Size of one part of a multipart upload, at least 5 MiB; an object has at most 10,000 parts. */
  partBytes: number;
}

/** A bucket, and what the process caches about the objects in it. */
export interface Bucket {
  client: S3Client;
  name: string;
  partBytes: number;
  /** Whether the server expects quotes around the ETag of If-Match (RFC 9110 §13.1.1); some accept it only without. */
  quoted: boolean;
  /** The hash over an unfinished object after the last append; `mark` is the ETag of its state. */
  hashes: BoundedCache<{ hash: Hash; mark: string }>;
  digests: BoundedCache<FinishedBlob>;
  /** Keys that a call of this process is writing. */
  busy: Set<string>;
}

/** Checksums only where S3 requires them: other servers do not support those that the SDK adds by default. */
export function s3Client(options: S3Options): S3Client {
  const { endpoint, region, credentials, forcePathStyle, prefix } = options;
  const client = new S3Client({
    region,
    forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 3_000, socketTimeout: 20_000 },
  });
  if (prefix) addPrefix(client, prefix);
  return client;
}

export const isKey = (name: string): boolean => typeOfId(name) === 'Blob';

function validKey(key: string): string {
  if (!isKey(key)) throw new TypeError('A blob key is an id such as blb_….');
  return key;
}

export const BLOBS = 'blobs/';
export const INCOMING = 'incoming/';
export const finishedName = (key: string): string => `${BLOBS}${validKey(key)}`;
/** An object that belongs to an unfinished blob: its state, or bytes that do not fill a part yet. */
export const incomingName = (key: string, name: string): string => `${INCOMING}${validKey(key)}/${name}`;

const FULL = new Set(['QuotaExceeded', 'ServiceQuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull']);

export const isCode = (error: unknown, ...names: string[]): boolean =>
  error instanceof S3ServiceException && names.includes(error.name);

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

const isMissing = (error: unknown): boolean => statusOf(error) === 404 && !isCode(error, 'NoSuchBucket');

/** Another write was first (RFC 9110 §13.1.1); S3 answers 409 to concurrent conditional writes, 404 if the object is deleted. */
export const isConflict = (error: unknown): boolean => [404, 409, 412].includes(statusOf(error) ?? 0);

/** For `catch`: translates errors of the service that concern a client to StoreError, after the SDK's own retries. */
export const nameFailure =
  (key: string) =>
  (error: unknown): never => {
    if (error instanceof StoreError) throw error;
    const status = statusOf(error);
    if (status === 507 || isCode(error, ...FULL)) throw new StoreError('full', key, { cause: error });
    if (status === undefined ? isNetwork(error) : status >= 500 || status === 429)
      throw new StoreError('unavailable', key, { cause: error });
    throw error;
  };

/** Failures without a response; socket errors have codes. */
const isNetwork = (error: unknown): boolean =>
  typeof (error as NodeJS.ErrnoException).code === 'string' || (error as Error).name === 'TimeoutError';

/** For `catch`: undefined if the object does not exist; throws all other errors. */
export function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

export interface ObjectStat {
  size: number;
  modifiedAt: Date;
}

export async function finishedStat({ client, name }: Bucket, key: string): Promise<ObjectStat | undefined> {
  const command = new HeadObjectCommand({ Bucket: name, Key: finishedName(key) });
  const head = await client.send(command).catch(ignoreMissing);
  return head && { size: head.ContentLength ?? 0, modifiedAt: head.LastModified ?? new Date() };
}

export async function openObject(
  { client, name }: Bucket,
  object: string,
  range?: { start: number; end: number },
): Promise<Readable | undefined> {
  const part = range && { Range: `bytes=${range.start}-${range.end}` };
  const response = await client
    .send(new GetObjectCommand({ Bucket: name, Key: object, ...part }))
    .catch(ignoreMissing);
  return response?.Body as Readable | undefined;
}

/** Writes an object only if its ETag is `expected`, or, for undefined, if it does not exist. Returns the new ETag. */
export async function replaceObject(
  { client, name, quoted }: Bucket,
  object: string,
  body: Uint8Array | string,
  expected: string | undefined,
): Promise<string> {
  const bare = expected?.replaceAll('"', '');
  const condition = bare === undefined ? { IfNoneMatch: '*' } : { IfMatch: quoted ? `"${bare}"` : bare };
  const command = new PutObjectCommand({ Bucket: name, Key: object, Body: body, ...condition });
  return (await client.send(command)).ETag as string;
}

/** The objects below a prefix, by name. */
export async function* objectsBelow({ client, name }: Bucket, prefix: string, after?: string) {
  const query = { Bucket: name, Prefix: prefix, ...(after && { StartAfter: after }) };
  for await (const page of paginateListObjectsV2({ client }, query))
    for (const { Key, Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
      if (Key) yield { name: Key, size: Size, modifiedAt: LastModified };
}
