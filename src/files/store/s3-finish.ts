import { createHash, type Hash } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
} from '@aws-sdk/client-s3';
import { carriedOn, putPart } from './s3-append.ts';
import {
  BLOBS,
  type Bucket,
  finishedName,
  finishedStat,
  isCode,
  isOvertaken,
  nameFailure,
  openObject,
  replaceObject,
} from './s3-bucket.ts';
import { abort, dropIncoming, type Held, readState, readTail, reset, sizeOf } from './s3-state.ts';
import { type FinishedBlob, StoreError } from './store.ts';

/** Runs `task` alone in this process. Among processes, the conditional writes decide. */
export async function alone<Result>(bucket: Bucket, key: string, task: () => Promise<Result>) {
  if (bucket.busy.has(key)) throw new StoreError('busy', key);
  bucket.busy.add(key);
  return task()
    .catch(nameFailure(key))
    .finally(() => bucket.busy.delete(key));
}

export async function discard(bucket: Bucket, key: string): Promise<void> {
  const [held, finished] = await Promise.all([readState(bucket, key), finishedStat(bucket, key)]);
  if (!finished) await reset(bucket, key, held);
}

export async function remove(bucket: Bucket, key: string): Promise<void> {
  await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: finishedName(key) }));
  for await (const upload of uploadsOf(bucket, finishedName(key))) await abort(bucket, key, upload.id);
  await dropIncoming(bucket, key);
}

/** Multipart uploads under way, in the order of their keys. */
export async function* uploadsOf({ client, name }: Bucket, prefix: string, after?: string) {
  let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = after
    ? { KeyMarker: after }
    : {};
  for (;;) {
    const page = await client.send(
      new ListMultipartUploadsCommand({ Bucket: name, Prefix: prefix, ...from }),
    );
    for (const { Key = '', UploadId, Initiated = new Date() } of page.Uploads ?? [])
      yield { key: Key.slice(BLOBS.length), id: UploadId, startedAt: Initiated };
    if (!page.IsTruncated) return;
    from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
  }
}

export async function finish(bucket: Bucket, key: string, size: number): Promise<FinishedBlob> {
  if (!(await finishedStat(bucket, key))) await settle(bucket, key, size);
  const done = await digestOf(bucket, key);
  if (done?.size !== size) throw new StoreError('offset', key);
  return done;
}

/** Whatever is under the finished name is whole: it appears there at once, or not at all. */
async function settle(bucket: Bucket, key: string, size: number): Promise<void> {
  const held = await readState(bucket, key);
  if (sizeOf(held.state) !== size) {
    if (await finishedStat(bucket, key)) return;
    throw new StoreError('offset', key);
  }
  const known = carriedOn(bucket, key, held.etag);
  const hash = held.state.uploadId ? await complete(bucket, key, held, known) : await put(bucket, key, held);
  if (hash) bucket.digests.keep(key, { size, sha256: Uint8Array.from(hash.digest()) });
  await dropIncoming(bucket, key);
}

async function put(bucket: Bucket, key: string, { state }: Held): Promise<Hash | undefined> {
  const body = await readTail(bucket, key, state);
  try {
    await replaceObject(bucket, finishedName(key), body, undefined);
    return createHash('sha256').update(body);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    return undefined;
  }
}

async function complete(bucket: Bucket, key: string, held: Held, hash: Hash | undefined) {
  const { uploadId: UploadId = '', parts, tail } = held.state;
  try {
    const body = await readTail(bucket, key, held.state);
    const last =
      tail.length > 0 ? [await putPart(bucket, key, { UploadId, number: parts.length + 1, body })] : [];
    const Parts = [...parts, ...last].map(({ etag }, index) => ({ ETag: etag, PartNumber: index + 1 }));
    const whole = { Bucket: bucket.name, Key: finishedName(key), UploadId, MultipartUpload: { Parts } };
    await bucket.client.send(new CompleteMultipartUploadCommand(whole));
    return hash;
  } catch (error) {
    if (await finishedStat(bucket, key)) return undefined;
    if (!isCode(error, 'NoSuchUpload', 'InvalidPart')) throw error;
    await reset(bucket, key, held);
    throw new StoreError('offset', key, { cause: error });
  }
}

/** Of a finished object; undefined where there is none. Parts cannot be read before the end, so it is read after it. */
async function digestOf(bucket: Bucket, key: string): Promise<FinishedBlob | undefined> {
  const known = bucket.digests.take(key);
  const done = known && (await finishedStat(bucket, key)) ? known : await readDigest(bucket, key);
  if (done) bucket.digests.keep(key, done);
  return done;
}

async function readDigest(bucket: Bucket, key: string): Promise<FinishedBlob | undefined> {
  const body = await openObject(bucket, finishedName(key));
  if (!body) return undefined;
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of body) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: Uint8Array.from(hash.digest()) };
}
