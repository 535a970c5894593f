import type { FileHandle } from 'node:fs/promises';

const BUFFER = 256 * 1024;

/**
 * Writes the chunks to the file from `position` on, in whole buffers: one fills while the other goes to the disk, so
 * that memory stays flat however many and however small the chunks are. Rejects when the disk or the source fails.
 */
export async function copyToFile(chunks: AsyncIterable<Uint8Array>, file: FileHandle, position: number) {
  let [filling, spare] = [Buffer.allocUnsafe(BUFFER), Buffer.allocUnsafe(BUFFER)];
  let used = 0;
  let writing = Promise.resolve();
  for await (const chunk of chunks) {
    for (let taken = 0; taken < chunk.length; ) {
      const part = chunk.subarray(taken, taken + filling.length - used);
      filling.set(part, used);
      taken += part.length;
      used += part.length;
      if (used < filling.length) continue;
      await writing;
      writing = writeFully(file, filling, position);
      writing.catch(() => {}); // It is awaited later, and must not count as unhandled until then.
      position += used;
      used = 0;
      [filling, spare] = [spare, filling];
    }
  }
  await writing;
  await writeFully(file, filling.subarray(0, used), position);
}

/** A write may take less than it is given, for one where the disk gets full in the middle of it. */
async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}
