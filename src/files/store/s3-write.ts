import { createHash } from 'node:crypto';
import { append } from './s3-append.ts';
import { type Bucket, finishedName, finishedStat, isConflict, replaceObject } from './s3-bucket.ts';
import { finish } from './s3-finish.ts';
import { readState, sizeOf } from './s3-state.ts';
import { type FinishedBlob, StoreError } from './store.ts';

/**
 * An object below the size of a part is sent with one conditional request. One that is larger, or breaks off, or was begun
 * before, is appended and finished.
 */
export async function write(
  bucket: Bucket,
  key: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<FinishedBlob> {
  const [stored, finished] = await Promise.all([readState(bucket, key), finishedStat(bucket, key)]);
  if (finished) throw new StoreError('finished', key);
  if (sizeOf(stored.state) > 0) throw new StoreError('offset', key);
  const source = bytes[Symbol.asyncIterator]();
  try {
    const { pieces, rest } = await readStart(source, bucket.partBytes);
    if (!rest && stored.etag === undefined) return await send(bucket, key, Buffer.concat(pieces));
    return await finish(bucket, key, await append(bucket, key, 0, joined(pieces, rest)));
  } finally {
    await source.return?.();
  }
}

async function send(bucket: Bucket, key: string, body: Buffer): Promise<FinishedBlob> {
  await replaceObject(bucket, finishedName(key), body, undefined).catch((error) => {
    throw isConflict(error) ? new StoreError('finished', key) : error;
  });
  const blob = {
    size: body.length,
    sha256: Uint8Array.from(createHash('sha256').update(body).digest()),
  };
  bucket.digests.put(key, blob);
  return blob;
}

/** The bytes up to about `limit`, and what comes after them, if anything does: more bytes, or an error. */
async function readStart(source: AsyncIterator<Uint8Array>, limit: number) {
  const pieces: Uint8Array[] = [];
  for (let size = 0; size < limit; ) {
    const next = await source.next().catch((error: unknown) => ({ error }));
    if ('error' in next) return { pieces, rest: failing(next.error) };
    if (next.done) return { pieces };
    // The source may use its buffer again.
    pieces.push(Uint8Array.from(next.value));
    size += next.value.length;
  }
  return { pieces, rest: { [Symbol.asyncIterator]: () => source } };
}

// biome-ignore lint/correctness/useYield: it has only an error
async function* failing(error: unknown): AsyncGenerator<Uint8Array> {
  throw error;
}

async function* joined(pieces: readonly Uint8Array[], rest: AsyncIterable<Uint8Array> | undefined) {
  yield* pieces;
  if (rest) yield* rest;
}
