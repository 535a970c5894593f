import { randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import {
  type Bucket,
  finishedName,
  incomingName,
  isCode,
  isOvertaken,
  objectsBelow,
  openObject,
  replaceObject,
  unlessMissing,
} from './s3-bucket.ts';
import { StoreError } from './store.ts';

/**
 * How far an unfinished object is, kept as JSON in the bucket itself: parts of the multipart upload, then objects of
 * their own with the bytes that fill no part yet. Only what stands in it counts.
 */
export interface State {
  uploadId?: string;
  parts: { etag: string; size: number }[];
  tail: { name: string; size: number }[];
}

/** A state as it was read; `etag` is undefined where there is none yet. */
export interface Held {
  state: State;
  etag: string | undefined;
  modifiedAt: Date;
}

const NOTHING: State = { parts: [], tail: [] };

const sum = (pieces: { size: number }[]): number => pieces.reduce((total, { size }) => total + size, 0);

export const tailSize = ({ tail }: State): number => sum(tail);
export const sizeOf = (state: State): number => sum(state.parts) + sum(state.tail);

const stateName = (key: string): string => incomingName(key, 'state.json');

export async function readState({ client, name }: Bucket, key: string): Promise<Held> {
  const command = new GetObjectCommand({ Bucket: name, Key: stateName(key) });
  const got = await client.send(command).catch(unlessMissing);
  if (!got?.Body) return { state: NOTHING, etag: undefined, modifiedAt: new Date(0) };
  const state = JSON.parse(await got.Body.transformToString()) as State;
  return { state, etag: got.ETag, modifiedAt: got.LastModified ?? new Date() };
}

/** Throws StoreError `offset` when another call, of any process, has changed the state since it was read. */
export async function commit(bucket: Bucket, key: string, held: Held, state: State): Promise<Held> {
  const etag = await replaceObject(bucket, stateName(key), JSON.stringify(state), held.etag).catch(
    (error) => {
      throw isOvertaken(error) ? new StoreError('offset', key, { cause: error }) : error;
    },
  );
  return { state, etag, modifiedAt: new Date() };
}

/** Bytes that fill no part, as an object under a name that nobody had before. */
export async function writeTail({ client, name }: Bucket, key: string, body: Uint8Array) {
  const piece = { name: `tail-${randomBytes(12).toString('hex')}`, size: body.length };
  await client.send(new PutObjectCommand({ Bucket: name, Key: incomingName(key, piece.name), Body: body }));
  return piece;
}

export async function readTail(bucket: Bucket, key: string, { tail }: State): Promise<Buffer> {
  const read = async ({ name }: { name: string }) => {
    const body = await openObject(bucket, incomingName(key, name));
    if (!body) throw new StoreError('offset', key);
    return Buffer.concat(await body.toArray());
  };
  return Buffer.concat(await Promise.all(tail.map(read)));
}

export async function dropTail({ client, name }: Bucket, key: string, tail: State['tail']): Promise<void> {
  for (const piece of tail)
    await client.send(new DeleteObjectCommand({ Bucket: name, Key: incomingName(key, piece.name) }));
}

export async function abort({ client, name }: Bucket, key: string, UploadId: string | undefined) {
  if (!UploadId) return;
  const command = new AbortMultipartUploadCommand({ Bucket: name, Key: finishedName(key), UploadId });
  await client.send(command).catch((error) => {
    if (!isCode(error, 'NoSuchUpload')) unlessMissing(error);
  });
}

/** Back to nothing, unless another call went on with it. Its bytes go last: until then the state says that they are there. */
export async function reset(bucket: Bucket, key: string, held: Held): Promise<void> {
  if (held.etag === undefined || sizeOf(held.state) === 0) return;
  await commit(bucket, key, held, NOTHING);
  await abort(bucket, key, held.state.uploadId);
  await dropTail(bucket, key, held.state.tail);
}

/** Everything of an unfinished object but its multipart upload, also what calls that died have left. */
export async function dropIncoming(bucket: Bucket, key: string): Promise<void> {
  for await (const { name } of objectsBelow(bucket, incomingName(key, '')))
    await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: name }));
}
