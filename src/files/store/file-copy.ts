import type { Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { BUFFER, backgroundWriter, newBuffer } from './background-writer.ts';

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
  const disk = backgroundWriter(file, position);
  let [filling, spare] = [newBuffer(), newBuffer()];
  let used = 0;
  // The first ends where a buffer would that began with the file, and so do all that follow.
  let room = BUFFER - (position % BUFFER);
  try {
    for await (const chunk of chunks) {
      for (let taken = 0; taken < chunk.length; ) {
        const part = chunk.subarray(taken, taken + room - used);
        filling.set(part, used);
        taken += part.length;
        used += part.length;
        if (used < room) continue;
        await disk.write(filling.subarray(0, used));
        hash?.update(filling.subarray(0, used));
        [filling, spare, used, room] = [spare, filling, 0, BUFFER];
      }
    }
    const rest = filling.subarray(0, used);
    await disk.write(rest);
    hash?.update(rest);
    await disk.sync();
  } finally {
    await disk.close();
  }
}
