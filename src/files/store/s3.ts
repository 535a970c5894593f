import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { DeleteObjectCommand, HeadBucketCommand } from '@aws-sdk/client-s3';
import { recent } from './recent.ts';
import { append } from './s3-append.ts';
import {
  BLOBS,
  type Bucket,
  finishedName,
  finishedStat,
  INCOMING,
  isKey,
  isOvertaken,
  nameFailure,
  objectsBelow,
  openObject,
  replaceObject,
  type S3Options,
  s3Client,
} from './s3-bucket.ts';
import { alone, discard, finish, remove, uploadsOf } from './s3-finish.ts';
import { abort, dropIncoming, readState, sizeOf } from './s3-state.ts';
import { type BlobStat, type BlobStore, StoreError } from './store.ts';

const REMEMBERED = 1_000;

/**
 * Blobs as objects of a bucket: `blobs/<id>` when they are whole, and before that a multipart upload of that name, with
 * what it is made of so far under `incoming/<id>/`. Nothing is kept elsewhere, so every process can go on with every
 * object. Rejects when the bucket cannot be used, or does not know conditional writes (RFC 9110 §13.1).
 */
export async function s3Store(options: S3Options): Promise<BlobStore> {
  const bucket: Bucket = {
    client: s3Client(options),
    name: options.bucket,
    partBytes: options.partBytes,
    quoted: true,
    hashes: recent(REMEMBERED),
    digests: recent(REMEMBERED),
    busy: new Set(),
  };
  await probe(bucket);
  return {
    ping: async () => void (await bucket.client.send(new HeadBucketCommand({ Bucket: bucket.name }))),
    stat: async (key) => stat(bucket, key).catch(nameFailure(key)),
    append: async (key, offset, bytes) => alone(bucket, key, () => append(bucket, key, offset, bytes)),
    discard: (key) => alone(bucket, key, () => discard(bucket, key)),
    finish: (key, size) => alone(bucket, key, () => finish(bucket, key, size)),
    read: (key, range) => read(bucket, key, range).catch(nameFailure(key)),
    remove: (key) => alone(bucket, key, () => remove(bucket, key)),
    list: (after) => list(bucket, after),
    tidy: (before) => tidy(bucket, before),
  };
}

/** Two processes that go on with one upload are kept apart by nothing but these conditions. */
async function probe(bucket: Bucket): Promise<void> {
  const name = `probe/${randomBytes(8).toString('hex')}`;
  const stale = await replaceObject(bucket, name, '1', undefined);
  const takes = (was: string | undefined) =>
    replaceObject(bucket, name, '2', was).catch((error) => {
      if (!isOvertaken(error)) throw error;
      return undefined;
    });
  const created = await takes(undefined);
  if (!(await takes(stale))) {
    bucket.quoted = false;
    await takes(stale);
  }
  const replaced = await takes(stale);
  await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: name }));
  if (created || replaced)
    throw new Error(`The S3 server of bucket ${bucket.name} does not heed If-None-Match and If-Match.`);
}

/** Looks twice at the finished place: an object that appears there between two looks must not seem to be nowhere. */
async function stat(bucket: Bucket, key: string): Promise<BlobStat | undefined> {
  const finished = await finishedStat(bucket, key);
  if (finished) return { ...finished, finished: true };
  const { state, etag, modifiedAt } = await readState(bucket, key);
  if (etag !== undefined)
    return sizeOf(state) > 0 ? { size: sizeOf(state), modifiedAt, finished: false } : undefined;
  const now = await finishedStat(bucket, key);
  return now && { ...now, finished: true };
}

async function read(bucket: Bucket, key: string, range?: { start: number; end: number }): Promise<Readable> {
  const body = await openObject(bucket, finishedName(key), range);
  if (!body) throw new StoreError('missing', key);
  return body;
}

/** Of whatever is left of an object, so that `remove` gets to see it; in the order of the keys. */
async function* list(bucket: Bucket, after?: string): AsyncGenerator<BlobStat & { key: string }> {
  const finished = ahead(objectsBelow(bucket, BLOBS, after && finishedName(after)));
  const unfinished = ahead(unfinishedKeys(bucket, after));
  for (;;) {
    const [whole, half] = [await finished.peek(), await unfinished.peek()];
    const name = whole?.name.slice(BLOBS.length);
    const key = [name, half?.key].filter((each) => each !== undefined).sort()[0];
    if (key === undefined) return;
    if (half?.key === key) unfinished.next();
    if (name === key) finished.next();
    if (!isKey(key)) continue;
    if (whole && name === key) yield { key, size: whole.size, modifiedAt: whole.modifiedAt, finished: true };
    else if (half) yield { key, ...(await unfinishedStat(bucket, half)) };
  }
}

async function unfinishedStat(bucket: Bucket, { key, modifiedAt }: { key: string; modifiedAt: Date }) {
  const now = await stat(bucket, key);
  return now ?? { size: 0, modifiedAt, finished: false };
}

/** Each once, though it may have several objects, and uploads beside them. */
async function* unfinishedKeys(bucket: Bucket, after?: string) {
  const objects = ahead(objectsBelow(bucket, INCOMING, after && `${INCOMING}${after}/~`));
  const uploads = ahead(uploadsOf(bucket, BLOBS, after && finishedName(after)));
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

function ahead<Item>(items: AsyncGenerator<Item>) {
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

/** Of an object that is whole, nothing under way is needed any more; a call that died may have left some. */
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
