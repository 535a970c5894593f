import { createHash, type Hash } from 'node:crypto';
import { CreateMultipartUploadCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { type Bucket, finishedName, finishedStat, isCode } from './s3-bucket.ts';
import {
  abort,
  commit,
  dropIncoming,
  dropTail,
  readState,
  readTail,
  reset,
  type State,
  type StoredState,
  sizeOf,
  tailSize,
  writeTail,
} from './s3-state.ts';
import { StoreError } from './store.ts';

/** Pieces below the size of a part that are stored at most: each is an object to read once the part is full. */
const TAIL_PIECES = 24;

/**
 * Sends bytes as parts while they arrive, and stores the state after each part, so that a crash loses no part. If two processes
 * append at once, the conditional write of the state lets one of them continue, and the other fails. If both sent a part of the
 * same number with other bytes, S3 refuses to complete the upload (the state has the ETags).
 */
export async function append(
  bucket: Bucket,
  key: string,
  offset: number,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
  const [stored, finished] = await Promise.all([readState(bucket, key), finishedStat(bucket, key)]);
  if (finished) throw new StoreError('finished', key);
  if (sizeOf(stored.state) !== offset) throw new StoreError('offset', key);
  const hash = offset === 0 ? createHash('sha256') : takeHash(bucket, key, stored.etag);
  const written = await write(bucket, key, stored, bytes, hash);
  if (stored.etag === undefined) await rejectFinished(bucket, key);
  if (hash && written.stored.etag) bucket.hashes.put(key, { hash, mark: written.stored.etag });
  if (written.failed) throw written.error;
  return sizeOf(written.stored.state);
}

export function takeHash({ hashes }: Bucket, key: string, mark: string | undefined): Hash | undefined {
  const cached = hashes.take(key);
  return cached?.mark === mark ? cached?.hash : undefined;
}

/** Deletes a state that was begun after another process has finished the object, and throws StoreError `finished`. */
async function rejectFinished(bucket: Bucket, key: string): Promise<void> {
  if (!(await finishedStat(bucket, key))) return;
  await dropIncoming(bucket, key);
  throw new StoreError('finished', key);
}

/** A failure of the source ends the write like its regular end, and is returned. */
async function write(
  bucket: Bucket,
  key: string,
  start: StoredState,
  bytes: AsyncIterable<Uint8Array>,
  hash: Hash | undefined,
) {
  const source = { failed: false, error: undefined as unknown };
  async function* untilFailure() {
    try {
      yield* bytes;
    } catch (error) {
      Object.assign(source, { failed: true, error });
    }
  }
  let [pieces, room] = [[] as Uint8Array[], roomIn(bucket, start.state)];
  let sending = Promise.resolve(start);
  for await (const chunk of untilFailure()) {
    for (let copied = 0; copied < chunk.length; ) {
      const piece = Uint8Array.from(chunk.subarray(copied, copied + room));
      copied += piece.length;
      room -= piece.length;
      hash?.update(piece);
      pieces.push(piece);
      if (room > 0) continue;
      sending = awaitedLater(sendPart(bucket, key, await sending, pieces));
      [pieces, room] = [[], bucket.partBytes];
    }
  }
  const stored = await sending;
  const rest = Buffer.concat(pieces);
  return { ...source, stored: rest.length > 0 ? await appendTail(bucket, key, stored, rest) : stored };
}

const roomIn = ({ partBytes }: Bucket, state: State): number => Math.max(1, partBytes - tailSize(state));

/** A promise that is awaited later; until then a rejection must not count as unhandled. */
function awaitedLater<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}

/** Sends the tail and the new pieces as one part, and stores the new state. */
async function sendPart(
  bucket: Bucket,
  key: string,
  stored: StoredState,
  pieces: Uint8Array[],
): Promise<StoredState> {
  const { uploadId, parts, tail } = stored.state;
  const UploadId = uploadId ?? (await createMultipartUpload(bucket, key));
  try {
    const body = Buffer.concat([await readTail(bucket, key, stored.state), ...pieces]);
    const part = await putPart(bucket, key, { UploadId, number: parts.length + 1, body });
    const committed = await commit(bucket, key, stored, {
      uploadId: UploadId,
      parts: [...parts, part],
      tail: [],
    });
    await dropTail(bucket, key, tail);
    return committed;
  } catch (error) {
    if (!uploadId) await abort(bucket, key, UploadId).catch(() => {});
    if (!isCode(error, 'NoSuchUpload')) throw error;
    await reset(bucket, key, stored);
    throw new StoreError('offset', key, { cause: error });
  }
}

async function createMultipartUpload({ client, name }: Bucket, key: string): Promise<string> {
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

async function appendTail(
  bucket: Bucket,
  key: string,
  stored: StoredState,
  rest: Buffer,
): Promise<StoredState> {
  const merge = stored.state.tail.length >= TAIL_PIECES;
  const before = merge ? await readTail(bucket, key, stored.state) : Buffer.alloc(0);
  const piece = await writeTail(bucket, key, Buffer.concat([before, rest]));
  try {
    const tail = merge ? [piece] : [...stored.state.tail, piece];
    const committed = await commit(bucket, key, stored, { ...stored.state, tail });
    if (merge) await dropTail(bucket, key, stored.state.tail);
    return committed;
  } catch (error) {
    if (error instanceof StoreError) await dropTail(bucket, key, [piece]).catch(() => {});
    throw error;
  }
}
