import { createHash, type Hash } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
} from '@aws-sdk/client-s3';
import { putPart, takeHash } from './s3-append.ts';
import {
  BLOBS,
  type Bucket,
  finishedName,
  finishedStat,
  isCode,
  isConflict,
  nameFailure,
  openObject,
  replaceObject,
} from './s3-bucket.ts';
import { abort, dropIncoming, readState, readTail, reset, type StoredState, sizeOf } from './s3-state.ts';
import { type FinishedBlob, StoreError } from './store.ts';

/** Runs one task at a time for a key in this process. Between processes, the conditional writes decide. */
export async function exclusively<Result>(bucket: Bucket, key: string, task: () => Promise<Result>) {
  if (bucket.busy.has(key)) throw new StoreError('busy', key);
  bucket.busy.add(key);
  return task()
    .catch(nameFailure(key))
    .finally(() => bucket.busy.delete(key));
}

export async function discard(bucket: Bucket, key: string): Promise<void> {
  const [stored, finished] = await Promise.all([readState(bucket, key), finishedStat(bucket, key)]);
  if (!finished) await reset(bucket, key, stored);
}

export async function remove(bucket: Bucket, key: string): Promise<void> {
  await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: finishedName(key) }));
  for await (const upload of uploadsOf(bucket, finishedName(key))) await abort(bucket, key, upload.id);
  await dropIncoming(bucket, key);
}

/** Unfinished multipart uploads, by key. */
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
  if (!(await finishedStat(bucket, key))) await finishObject(bucket, key, size);
  const blob = await digestOf(bucket, key);
  if (blob?.size !== size) throw new StoreError('offset', key);
  return blob;
}

/** An object with the finished name is always complete: S3 creates it atomically. */
async function finishObject(bucket: Bucket, key: string, size: number): Promise<void> {
  const stored = await readState(bucket, key);
  if (sizeOf(stored.state) !== size) {
    if (await finishedStat(bucket, key)) return;
    throw new StoreError('offset', key);
  }
  const cached = takeHash(bucket, key, stored.etag);
  const hash = stored.state.uploadId
    ? await complete(bucket, key, stored, cached)
    : await put(bucket, key, stored);
  if (hash) bucket.digests.put(key, { size, sha256: Uint8Array.from(hash.digest()) });
  await dropIncoming(bucket, key);
}

async function put(bucket: Bucket, key: string, { state }: StoredState): Promise<Hash | undefined> {
  const body = await readTail(bucket, key, state);
  try {
    await replaceObject(bucket, finishedName(key), body, undefined);
    return createHash('sha256').update(body);
  } catch (error) {
    if (!isConflict(error)) throw error;
    return undefined;
  }
}

async function complete(bucket: Bucket, key: string, stored: StoredState, hash: Hash | undefined) {
  const { uploadId: UploadId = '', parts, tail } = stored.state;
  try {
    const body = await readTail(bucket, key, stored.state);
    const last =
      tail.length > 0 ? [await putPart(bucket, key, { UploadId, number: parts.length + 1, body })] : [];
    const Parts = [...parts, ...last].map(({ etag }, index) => ({ ETag: etag, PartNumber: index + 1 }));
    const input = { Bucket: bucket.name, Key: finishedName(key), UploadId, MultipartUpload: { Parts } };
    await bucket.client.send(new CompleteMultipartUploadCommand(input));
    return hash;
  } catch (error) {
    if (await finishedStat(bucket, key)) return undefined;
    if (!isCode(error, 'NoSuchUpload', 'InvalidPart')) throw error;
    await reset(bucket, key, stored);
    throw new StoreError('offset', key, { cause: error });
  }
}

/** Size and hash of a finished object; undefined if there is none. Parts cannot be read before completion, so it is read afterwards. */
async function digestOf(bucket: Bucket, key: string): Promise<FinishedBlob | undefined> {
  const cached = bucket.digests.take(key);
  const blob = cached && (await finishedStat(bucket, key)) ? cached : await readDigest(bucket, key);
  if (blob) bucket.digests.put(key, blob);
  return blob;
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
