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
import type { Recent } from './recent.ts';
import { type FinishedBlob, StoreError } from './store.ts';

/** Where the bucket is. Without keys the SDK looks for credentials itself, such as the role of the machine. */
export interface S3Options {
  bucket: string;
  region: string;
  endpoint?: string | undefined;
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
  /** The bucket as the first part of the path, and not of the host's name. */
  forcePathStyle: boolean;
  /** Of one part of a multipart upload, 5 MiB at least; an object has 10,000 of them at most. */
  partBytes: number;
}

/** A bucket, and what the process remembers of the objects in it. */
export interface Bucket {
  client: S3Client;
  name: string;
  partBytes: number;
  /** Some servers take the ETag of If-Match with its quotes (RFC 9110 §13.1.1), some only without. */
  quoted: boolean;
  /** The hash over an unfinished object as the last append left it; `mark` is the ETag of its state. */
  hashes: Recent<{ hash: Hash; mark: string }>;
  digests: Recent<FinishedBlob>;
  /** Keys that a call of this process is writing. */
  busy: Set<string>;
}

/** Checksums only where S3 demands them: other servers do not know those that the SDK adds by itself. */
export const s3Client = ({ endpoint, region, credentials, forcePathStyle }: S3Options): S3Client =>
  new S3Client({
    region,
    forcePathStyle,
    ...(endpoint && { endpoint }),
    ...(credentials && { credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 3_000, socketTimeout: 20_000 },
  });

export const isKey = (name: string): boolean => typeOfId(name) === 'Blob';

function checked(key: string): string {
  if (!isKey(key)) throw new TypeError('A blob key is an id such as blb_….');
  return key;
}

export const BLOBS = 'blobs/';
export const INCOMING = 'incoming/';
export const finishedName = (key: string): string => `${BLOBS}${checked(key)}`;
/** What belongs to an unfinished object: its state, and the bytes that fill no part yet. */
export const incomingName = (key: string, name: string): string => `${INCOMING}${checked(key)}/${name}`;

const FULL = new Set(['QuotaExceeded', 'ServiceQuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull']);

export const isCode = (error: unknown, ...names: string[]): boolean =>
  error instanceof S3ServiceException && names.includes(error.name);

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;

export const isMissing = (error: unknown): boolean =>
  statusOf(error) === 404 && !isCode(error, 'NoSuchBucket');

/** Somebody else was first (RFC 9110 §13.1.1); S3 says 409 where two such writes are under way, 404 where all is gone. */
export const isOvertaken = (error: unknown): boolean => [404, 409, 412].includes(statusOf(error) ?? 0);

/** For `catch`: names the failures of the service that mean something to a client, once the SDK has tried again in vain. */
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

/** Failures without an answer; those of the sockets have codes. */
const isNetwork = (error: unknown): boolean =>
  typeof (error as NodeJS.ErrnoException).code === 'string' || (error as Error).name === 'TimeoutError';

/** For `catch`: nothing is there. */
export function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

export interface Found {
  size: number;
  modifiedAt: Date;
}

export async function finishedStat({ client, name }: Bucket, key: string): Promise<Found | undefined> {
  const command = new HeadObjectCommand({ Bucket: name, Key: finishedName(key) });
  const head = await client.send(command).catch(unlessMissing);
  return head && { size: head.ContentLength ?? 0, modifiedAt: head.LastModified ?? new Date() };
}

export async function openObject(
  { client, name }: Bucket,
  object: string,
  range?: { start: number; end: number },
): Promise<Readable | undefined> {
  const part = range && { Range: `bytes=${range.start}-${range.end}` };
  const got = await client
    .send(new GetObjectCommand({ Bucket: name, Key: object, ...part }))
    .catch(unlessMissing);
  return got?.Body as Readable | undefined;
}

/** Writes an object only where it still is what `was` says, its ETag, or is not there at all. Gives the new ETag. */
export async function replaceObject(
  { client, name, quoted }: Bucket,
  object: string,
  body: Uint8Array | string,
  was: string | undefined,
): Promise<string> {
  const bare = was?.replaceAll('"', '');
  const condition = bare === undefined ? { IfNoneMatch: '*' } : { IfMatch: quoted ? `"${bare}"` : bare };
  const command = new PutObjectCommand({ Bucket: name, Key: object, Body: body, ...condition });
  return (await client.send(command)).ETag as string;
}

/** In the order of their names. */
export async function* objectsBelow({ client, name }: Bucket, prefix: string, after?: string) {
  const query = { Bucket: name, Prefix: prefix, ...(after && { StartAfter: after }) };
  for await (const page of paginateListObjectsV2({ client }, query))
    for (const { Key, Size = 0, LastModified = new Date(0) } of page.Contents ?? [])
      if (Key) yield { name: Key, size: Size, modifiedAt: LastModified };
}
