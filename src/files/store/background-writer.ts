import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { unless } from './disk-files.ts';

/** Bytes written at once. */
export const BUFFER = 512 * 1024;
/** So often the disk is set to work, in bytes: else a sync at the end would have to wait for a whole large file. */
const SYNCED_EVERY = 64 * 1024 * 1024;
/** Where a file is called large. What comes before stays in the page cache: whoever takes a document in reads it next. */
const LARGE = 32 * 1024 * 1024;

/** Memory that begins with a page, as direct writing asks for: an ArrayBuffer that may be resized is mapped. */
export const newBuffer = (): Uint8Array =>
  new Uint8Array(new ArrayBuffer(BUFFER, { maxByteLength: BUFFER }), 0, BUFFER);

/**
 * Writes to the file from `start` on. A `write` resolves when the write before is through, and a failure of one comes
 * out at the next, or at `sync`; after that all is safe. The whole buffers of a large file go past the page cache
 * (open(2), O_DIRECT), where the system can: that takes half the processor time of writing to the cache and syncing it,
 * and leaves the cache to what is read.
 */
export function backgroundWriter(file: FileHandle, start: number) {
  let position = start;
  let unsynced = 0;
  // Whether the page cache may hold what the disk does not: at first, what a process that died has left.
  let cached = true;
  let [writing, syncing] = [Promise.resolve(), Promise.resolve()];
  let direct: Promise<FileHandle | undefined> | undefined;

  /** How many of the bytes are written; none where the file system wants them through its cache after all. */
  async function writeDirectly(bytes: Uint8Array, at: number): Promise<number> {
    direct ??= openDirect(file);
    const past = await direct;
    if (!past) return 0;
    await syncCached();
    const answer = await past.write(bytes, 0, bytes.length, at).catch(unless('EINVAL'));
    if (!answer) direct = past.close().then(() => undefined);
    return answer?.bytesWritten ?? 0;
  }

  /** What lies before a direct write has to be safe first, or a power cut might leave a gap below it. */
  async function syncCached(): Promise<void> {
    await syncing;
    if (cached) await file.datasync();
    [cached, unsynced] = [false, 0];
  }

  async function writeAt(bytes: Uint8Array, at: number): Promise<void> {
    const whole = bytes.length === BUFFER && at >= LARGE;
    const done = whole ? await writeDirectly(bytes, at) : 0;
    unsynced += bytes.length - done;
    cached ||= done < bytes.length;
    await writeFully(file, bytes.subarray(done), at + done);
  }

  return {
    async write(bytes: Uint8Array): Promise<void> {
      await writing;
      if (unsynced >= SYNCED_EVERY) {
        await syncing;
        syncing = later(file.datasync());
        unsynced = 0;
      }
      writing = later(writeAt(bytes, position));
      position += bytes.length;
    },
    async sync(): Promise<void> {
      await writing;
      await syncing;
      await file.datasync();
    },
    async close(): Promise<void> {
      await (await direct)?.close();
    },
  };
}

/** The same open file once more, for direct writing. Undefined where there is no such thing. */
const openDirect = async (file: FileHandle): Promise<FileHandle | undefined> =>
  constants.O_DIRECT === undefined
    ? undefined
    : open(`/proc/self/fd/${file.fd}`, constants.O_WRONLY | constants.O_DIRECT).catch(() => undefined);

/** A promise that is awaited later, and must not count as unhandled until then. */
function later(promise: Promise<void>): Promise<void> {
  promise.catch(() => {});
  return promise;
}

/** A write may take less than it is given, for one where the disk gets full in the middle of it. */
async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}
