import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DeleteObjectCommand, HeadBucketCommand } from '@aws-sdk/client-s3';
import { boundedCache } from './bounded-cache.ts';
import { append } from './s3-append.ts';
import {
  BLOBS,
  type Bucket,
  finishedName,
  finishedStat,
  INCOMING,
  isConflict,
  isKey,
  nameFailure,
  objectsBelow,
  openObject,
  replaceObject,
  type S3Options,
  s3Client,
} from './s3-bucket.ts';
import { discard, exclusively, finish, remove, uploadsOf } from './s3-finish.ts';
import { readOwner, recordOwner } from './s3-owner.ts';
import { abort, dropIncoming, readState, sizeOf } from './s3-state.ts';
import { write } from './s3-write.ts';
import { type BlobStat, type BlobStore, StoreError } from './store.ts';

const MAX_CACHED = 1_000;

/**
 * Blobs as objects of a bucket: `blobs/<id>` when they are finished, and before that a multipart upload of that name, with
 * its state and tail under `incoming/<id>/`. Nothing is stored elsewhere, so every process can continue every object.
 * Rejects when the bucket cannot be used, or does not support conditional writes (RFC 9110 §13.1).
 */
export async function s3Store(options: S3Options): Promise<BlobStore> {
  const bucket: Bucket = {
    client: s3Client(options),
    name: options.bucket,
    partBytes: options.partBytes,
    quoted: true,
    hashes: boundedCache(MAX_CACHED),
    digests: boundedCache(MAX_CACHED),
    busy: new Set(),
  };
  await probe(bucket);
  return {
    ping: async () => void (await bucket.client.send(new HeadBucketCommand({ Bucket: bucket.name }))),
    owner: () => readOwner(bucket),
    own: (database, replace) => recordOwner(bucket, database, replace),
    stat: async (key) => stat(bucket, key).catch(nameFailure(key)),
    append: async (key, offset, bytes) => exclusively(bucket, key, () => append(bucket, key, offset, bytes)),
    write: (key, bytes) => exclusively(bucket, key, () => write(bucket, key, bytes)),
    discard: (key) => exclusively(bucket, key, () => discard(bucket, key)),
    finish: (key, size) => exclusively(bucket, key, () => finish(bucket, key, size)),
    read: (key, range) => read(bucket, key, range).catch(nameFailure(key)),
    remove: (key) => exclusively(bucket, key, () => remove(bucket, key)),
    list: (after) => list(bucket, after),
    tidy: (before) => tidy(bucket, before),
  };
}

/** Throws if the server ignores conditions: only they prevent two processes from writing one upload at once. */
async function probe(bucket: Bucket): Promise<void> {
  const name = `probe/${randomBytes(8).toString('hex')}`;
  const stale = await replaceObject(bucket, name, '1', undefined);
  const replaceIf = (etag: string | undefined) =>
    replaceObject(bucket, name, '2', etag).catch((error) => {
      if (!isConflict(error)) throw error;
      return undefined;
    });
  const created = await replaceIf(undefined);
  if (!(await replaceIf(stale))) {
    bucket.quoted = false;
    await replaceIf(stale);
  }
  const replaced = await replaceIf(stale);
  await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: name }));
  if (created || replaced)
    throw new Error(`The S3 server of bucket ${bucket.name} does not support If-None-Match and If-Match.`);
}

/** Checks the finished name twice, since the object may be finished between the first two checks. */
async function stat(bucket: Bucket, key: string): Promise<BlobStat | undefined> {
  const finished = await finishedStat(bucket, key);
  if (finished) return { ...finished, finished: true };
  const { state, etag, modifiedAt } = await readState(bucket, key);
  if (etag !== undefined)
    return sizeOf(state) > 0 ? { size: sizeOf(state), modifiedAt, finished: false } : undefined;
  const finishedNow = await finishedStat(bucket, key);
  return finishedNow && { ...finishedNow, finished: true };
}

async function read(bucket: Bucket, key: string, range?: { start: number; end: number }): Promise<Readable> {
  const body = await openObject(bucket, finishedName(key), range);
  if (!body) throw new StoreError('missing', key);
  return body;
}

/** All keys with anything stored, so that `remove` can delete it; by key. */
async function* list(bucket: Bucket, after?: string): AsyncGenerator<BlobStat & { key: string }> {
  const finished = peekable(objectsBelow(bucket, BLOBS, after && finishedName(after)));
  const unfinished = peekable(unfinishedKeys(bucket, after));
  for (;;) {
    const [whole, partial] = [await finished.peek(), await unfinished.peek()];
    const name = whole?.name.slice(BLOBS.length);
    const key = [name, partial?.key].filter((each) => each !== undefined).sort()[0];
    if (key === undefined) return;
    if (partial?.key === key) unfinished.next();
    if (name === key) finished.next();
    if (!isKey(key)) continue;
    if (whole && name === key) yield { key, size: whole.size, modifiedAt: whole.modifiedAt, finished: true };
    else if (partial) yield { key, ...(await unfinishedStat(bucket, partial)) };
  }
}

async function unfinishedStat(bucket: Bucket, { key, modifiedAt }: { key: string; modifiedAt: Date }) {
  const current = await stat(bucket, key);
  return current ?? { size: 0, modifiedAt, finished: false };
}

/** Each key once, though it may have several objects and multipart uploads. */
async function* unfinishedKeys(bucket: Bucket, after?: string) {
  const objects = peekable(objectsBelow(bucket, INCOMING, after && `${INCOMING}${after}/~`));
  const uploads = peekable(uploadsOf(bucket, BLOBS, after && finishedName(after)));
  let last: string | undefined;
  for (;;) {
    const [object, upload] = [await objects.peek(), await uploads.peek()];
    const name = object?.name.slice(INCOMING.length).split('/')[0];
    const key = [name, upload?.key].filter((each) => each !== undefined).sort()[0];
    if (key === undefined) return;
    if (name === key) objects.next();
    else uploads.next();
    const modifiedAt = name === key ? object?.modifiedAt : upload?.startedAt;
    if (key !== last) yield { key, modifiedAt: modifiedAt as Date };
    last = key;
  }
}

/** An iterator whose first item can be read without consuming it. */
function peekable<Item>(items: AsyncGenerator<Item>) {
  let first: Promise<IteratorResult<Item>> | undefined;
  return {
    async peek(): Promise<Item | undefined> {
      first ??= items.next();
      const { done, value } = await first;
      return done ? undefined : value;
    },
    next() {
      first = undefined;
    },
  };
}

/** Deletes what crashed calls have left of objects that are finished. */
async function tidy(bucket: Bucket, before: Date): Promise<number> {
  let total = 0;
  for await (const { key, modifiedAt } of unfinishedKeys(bucket)) {
    if (!isKey(key) || modifiedAt > before || !(await finishedStat(bucket, key))) continue;
    for await (const upload of uploadsOf(bucket, finishedName(key))) await abort(bucket, key, upload.id);
    await dropIncoming(bucket, key);
    total++;
  }
  return total;
}
