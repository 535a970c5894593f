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
  ignoreMissing,
  incomingName,
  isCode,
  isConflict,
  objectsBelow,
  openObject,
  replaceObject,
} from './s3-bucket.ts';
import { StoreError } from './store.ts';

/**
 * The progress of an unfinished object, stored as JSON in the bucket itself: parts of the multipart upload, then separate
 * objects with the bytes that do not fill a part yet (the tail). Only what it lists belongs to the object.
 */
export interface State {
  uploadId?: string;
  parts: { etag: string; size: number }[];
  tail: { name: string; size: number }[];
}

/** A state as read from the bucket; `etag` is undefined if none is stored yet. */
export interface StoredState {
  state: State;
  etag: string | undefined;
  modifiedAt: Date;
}

const EMPTY: State = { parts: [], tail: [] };

const sum = (pieces: { size: number }[]): number => pieces.reduce((total, { size }) => total + size, 0);

export const tailSize = ({ tail }: State): number => sum(tail);
export const sizeOf = (state: State): number => sum(state.parts) + sum(state.tail);

const stateName = (key: string): string => incomingName(key, 'state.json');

export async function readState({ client, name }: Bucket, key: string): Promise<StoredState> {
  const command = new GetObjectCommand({ Bucket: name, Key: stateName(key) });
  const response = await client.send(command).catch(ignoreMissing);
  if (!response?.Body) return { state: EMPTY, etag: undefined, modifiedAt: new Date(0) };
  const state = JSON.parse(await response.Body.transformToString()) as State;
  return { state, etag: response.ETag, modifiedAt: response.LastModified ?? new Date() };
}

/** Throws StoreError `offset` when another call, of any process, has changed the state since it was read. */
export async function commit(
  bucket: Bucket,
  key: string,
  stored: StoredState,
  state: State,
): Promise<StoredState> {
  const etag = await replaceObject(bucket, stateName(key), JSON.stringify(state), stored.etag).catch(
    (error) => {
      throw isConflict(error) ? new StoreError('offset', key, { cause: error }) : error;
    },
  );
  return { state, etag, modifiedAt: new Date() };
}

/** Stores bytes that do not fill a part as an object with a new random name. */
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
    if (!isCode(error, 'NoSuchUpload')) ignoreMissing(error);
  });
}

/** Empties the object, unless another call has changed it meanwhile. Bytes are deleted after the state that refers to them. */
export async function reset(bucket: Bucket, key: string, stored: StoredState): Promise<void> {
  if (stored.etag === undefined || sizeOf(stored.state) === 0) return;
  await commit(bucket, key, stored, EMPTY);
  await abort(bucket, key, stored.state.uploadId);
  await dropTail(bucket, key, stored.state.tail);
}

/** Deletes everything of an unfinished object except its multipart upload, also what crashed calls have left. */
export async function dropIncoming(bucket: Bucket, key: string): Promise<void> {
  for await (const { name } of objectsBelow(bucket, incomingName(key, '')))
    await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: name }));
}
