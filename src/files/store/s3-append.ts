import { createHash, type Hash } from 'node:crypto';
import { CreateMultipartUploadCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { type Bucket, finishedName, finishedStat, isCode } from './s3-bucket.ts';
import {
  abort,
  commit,
  dropIncoming,
  dropTail,
  type Held,
  readState,
  readTail,
  reset,
  type State,
  sizeOf,
  tailSize,
  writeTail,
} from './s3-state.ts';
import { StoreError } from './store.ts';

/** Pieces below the size of a part add up; so many at most, as each is an object to read once the part is full. */
const TAIL_PIECES = 24;

/**
 * Bytes become parts as they come, and the state goes on after each: what it says is there stays there, whatever dies.
 * Two processes may append at once: the state moves from what one of them read to what that one wrote, and the other
 * fails. If both sent a part of the same number and other bytes, S3 refuses to complete (the state holds the ETags).
 */
export async function append(
  bucket: Bucket,
  key: string,
  offset: number,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
  const [held, finished] = await Promise.all([readState(bucket, key), finishedStat(bucket, key)]);
  if (finished) throw new StoreError('finished', key);
  if (sizeOf(held.state) !== offset) throw new StoreError('offset', key);
  const hash = offset === 0 ? createHash('sha256') : carriedOn(bucket, key, held.etag);
  const written = await write(bucket, key, held, bytes, hash);
  if (held.etag === undefined) await rejectFinished(bucket, key);
  if (hash && written.held.etag) bucket.hashes.keep(key, { hash, mark: written.held.etag });
  if (written.broken) throw written.error;
  return sizeOf(written.held.state);
}

export function carriedOn({ hashes }: Bucket, key: string, mark: string | undefined): Hash | undefined {
  const known = hashes.take(key);
  return known?.mark === mark ? known?.hash : undefined;
}

/** A state that begins where another process has just ended must not stay: that end is the last word. */
async function rejectFinished(bucket: Bucket, key: string): Promise<void> {
  if (!(await finishedStat(bucket, key))) return;
  await dropIncoming(bucket, key);
  throw new StoreError('finished', key);
}

/** A failure of the source ends the writing as an end of the source would, and is handed back. */
async function write(
  bucket: Bucket,
  key: string,
  start: Held,
  bytes: AsyncIterable<Uint8Array>,
  hash: Hash | undefined,
) {
  const arrival = { broken: false, error: undefined as unknown };
  async function* arriving() {
    try {
      yield* bytes;
    } catch (error) {
      Object.assign(arrival, { broken: true, error });
    }
  }
  let [pieces, room] = [[] as Uint8Array[], roomIn(bucket, start.state)];
  let sending = Promise.resolve(start);
  for await (const chunk of arriving()) {
    for (let taken = 0; taken < chunk.length; ) {
      const piece = Uint8Array.from(chunk.subarray(taken, taken + room));
      taken += piece.length;
      room -= piece.length;
      hash?.update(piece);
      pieces.push(piece);
      if (room > 0) continue;
      sending = later(sendPart(bucket, key, await sending, pieces));
      [pieces, room] = [[], bucket.partBytes];
    }
  }
  const held = await sending;
  const rest = Buffer.concat(pieces);
  return { ...arrival, held: rest.length > 0 ? await keepTail(bucket, key, held, rest) : held };
}

const roomIn = ({ partBytes }: Bucket, state: State): number => Math.max(1, partBytes - tailSize(state));

/** A promise that is awaited later, and must not count as unhandled until then. */
function later<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}

/** The bytes that waited and those that fill them up become a part; the state then says so. */
async function sendPart(bucket: Bucket, key: string, held: Held, pieces: Uint8Array[]): Promise<Held> {
  const { uploadId, parts, tail } = held.state;
  const UploadId = uploadId ?? (await begin(bucket, key));
  try {
    const body = Buffer.concat([await readTail(bucket, key, held.state), ...pieces]);
    const part = await putPart(bucket, key, { UploadId, number: parts.length + 1, body });
    const now = await commit(bucket, key, held, { uploadId: UploadId, parts: [...parts, part], tail: [] });
    await dropTail(bucket, key, tail);
    return now;
  } catch (error) {
    if (!uploadId) await abort(bucket, key, UploadId).catch(() => {});
    if (!isCode(error, 'NoSuchUpload')) throw error;
    await reset(bucket, key, held);
    throw new StoreError('offset', key, { cause: error });
  }
}

async function begin({ client, name }: Bucket, key: string): Promise<string> {
  const command = new CreateMultipartUploadCommand({ Bucket: name, Key: finishedName(key) });
  return (await client.send(command)).UploadId as string;
}

export async function putPart(
  { client, name }: Bucket,
  key: string,
  { UploadId, number, body }: { UploadId: string; number: number; body: Uint8Array },
) {
  const { ETag } = await client.send(
    new UploadPartCommand({
      Bucket: name,
      Key: finishedName(key),
      UploadId,
      PartNumber: number,
      Body: body,
    }),
  );
  return { etag: ETag as string, size: body.length };
}

async function keepTail(bucket: Bucket, key: string, held: Held, rest: Buffer): Promise<Held> {
  const merge = held.state.tail.length >= TAIL_PIECES;
  const before = merge ? await readTail(bucket, key, held.state) : Buffer.alloc(0);
  const piece = await writeTail(bucket, key, Buffer.concat([before, rest]));
  try {
    const tail = merge ? [piece] : [...held.state.tail, piece];
    const now = await commit(bucket, key, held, { ...held.state, tail });
    if (merge) await dropTail(bucket, key, held.state.tail);
    return now;
  } catch (error) {
    if (error instanceof StoreError) await dropTail(bucket, key, [piece]).catch(() => {});
    throw error;
  }
}
