import type { Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

const BUFFER = 512 * 1024;
/** So often the disk is set to work, in bytes: else a sync at the end would have to wait for a whole large file. */
const SYNCED_EVERY = 64 * 1024 * 1024;

/**
 * Writes the chunks to the file from `position` on, in whole buffers: one fills while the other goes to the disk, so
 * that memory stays flat however many and however small the chunks are. What is written goes into the hash, and is
 * safe once this resolves. Rejects when the disk or the source fails.
 */
export async function copyToFile(
  chunks: AsyncIterable<Uint8Array>,
  file: FileHandle,
  position: number,
  hash?: Hash,
): Promise<void> {
  let [filling, spare] = [Buffer.allocUnsafe(BUFFER), Buffer.allocUnsafe(BUFFER)];
  let used = 0;
  const disk = backgroundWriter(file, position);
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.length; ) {
      const part = chunk.subarray(taken, taken + filling.length - used);
      filling.set(part, used);
      taken += part.length;
      used += part.length;
      if (used < filling.length) continue;
      await disk.write(filling);
      hash?.update(filling);
      used = 0;
      [filling, spare] = [spare, filling];
    }
  }
  const rest = filling.subarray(0, used);
  await disk.write(rest);
  hash?.update(rest);
  await disk.end();
}

/** Its `write` resolves when the write before is through. A failure of one comes out at the next, or at the end. */
function backgroundWriter(file: FileHandle, start: number) {
  let position = start;
  let synced = start;
  let [writing, syncing] = [Promise.resolve(), Promise.resolve()];
  return {
    write: async (bytes: Uint8Array) => {
      await writing;
      if (position - synced >= SYNCED_EVERY) {
        await syncing;
        syncing = later(file.datasync());
        synced = position;
      }
      writing = later(writeFully(file, bytes, position));
      position += bytes.length;
    },
    end: async () => {
      await writing;
      await syncing;
      await file.datasync();
    },
  };
}

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
