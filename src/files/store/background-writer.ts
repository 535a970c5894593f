import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ignoreError } from './disk-files.ts';

/** Bytes of one write. */
export const BUFFER = 512 * 1024;
/** Bytes after which a sync is started in the background: one sync at the end would wait for a whole large file. */
const SYNC_INTERVAL = 64 * 1024 * 1024;
/** Offset from which a file counts as large. What is before it stays in the page cache, because inspection reads it next. */
const LARGE = 32 * 1024 * 1024;

/** How many buffers are kept for the next files: new memory costs as much processor time as hashing what is put into it. */
const MAX_IDLE = 16;
const idle: Uint8Array[] = [];

/** Memory that begins at a page boundary, as O_DIRECT requires: a resizable ArrayBuffer is mapped. It may have been used before. */
export const takeBuffer = (): Uint8Array =>
  idle.pop() ?? new Uint8Array(new ArrayBuffer(BUFFER, { maxByteLength: BUFFER }), 0, BUFFER);

/** To be called once nothing reads the buffer any more. Ignores memory that is not of `takeBuffer`. */
export function returnBuffer(buffer: Uint8Array): void {
  if (buffer.length === BUFFER && idle.length < MAX_IDLE) idle.push(buffer);
}

/**
 * Writes to a file in the background. Whole buffers of a large file bypass the page cache (open(2), O_DIRECT) where the
 * system supports that: it takes half the processor time of cached writes with a sync, and leaves the cache to reads.
 */
export class BackgroundWriter {
  readonly #file: FileHandle;
  #position: number;
  #unsynced = 0;
  /** Whether the page cache may have what the disk has not: at first, from a process that died. */
  #cached = true;
  #writing = Promise.resolve();
  #syncing = Promise.resolve();
  #direct: Promise<FileHandle | undefined> | undefined;

  /** Writes from the offset `start` on. */
  constructor(file: FileHandle, start: number) {
    this.#file = file;
    this.#position = start;
  }

  /** Resolves when the previous write has finished. A failed write rejects the next `write` or `sync`. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#writing;
    if (this.#unsynced >= SYNC_INTERVAL) {
      await this.#syncing;
      this.#syncing = awaitedLater(this.#file.datasync());
      this.#unsynced = 0;
    }
    this.#writing = awaitedLater(this.#writeAt(bytes, this.#position));
    this.#position += bytes.length;
  }

  /** Resolves when all bytes are on the disk. */
  async sync(): Promise<void> {
    await this.#writing;
    await this.#syncing;
    await this.#file.datasync();
  }

  /** Resolves when no write is under way any more. */
  async close(): Promise<void> {
    await this.#writing.catch(() => {});
    await (await this.#direct)?.close();
  }

  async #writeAt(bytes: Uint8Array, at: number): Promise<void> {
    const isWhole = bytes.length === BUFFER && at >= LARGE;
    const written = isWhole ? await this.#writeDirectly(bytes, at) : 0;
    this.#unsynced += bytes.length - written;
    this.#cached ||= written < bytes.length;
    await writeFully(this.#file, bytes.subarray(written), at + written);
  }

  /** Returns the number of bytes written; 0 where the file system refuses direct writes. */
  async #writeDirectly(bytes: Uint8Array, at: number): Promise<number> {
    this.#direct ??= openDirect(this.#file);
    const direct = await this.#direct;
    if (!direct) return 0;
    await this.#syncCached();
    const result = await direct.write(bytes, 0, bytes.length, at).catch(ignoreError('EINVAL'));
    if (!result) this.#direct = direct.close().then(() => undefined);
    return result?.bytesWritten ?? 0;
  }

  /** Syncs what is before a direct write, because a power cut might leave a gap otherwise. */
  async #syncCached(): Promise<void> {
    await this.#syncing;
    if (this.#cached) await this.#file.datasync();
    this.#cached = false;
    this.#unsynced = 0;
  }
}

/** The same file, opened again for direct writes. Undefined where these are not supported. */
const openDirect = async (file: FileHandle): Promise<FileHandle | undefined> =>
  constants.O_DIRECT === undefined
    ? undefined
    : open(`/proc/self/fd/${file.fd}`, constants.O_WRONLY | constants.O_DIRECT).catch(() => undefined);

/** A promise that is awaited later; until then a rejection must not count as unhandled. */
function awaitedLater(promise: Promise<void>): Promise<void> {
  promise.catch(() => {});
  return promise;
}

/** Repeats partial writes, such as one that fills the disk. */
async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten;
  }
}
