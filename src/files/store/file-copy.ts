import type { Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { BackgroundWriter, BUFFER, returnBuffer, takeBuffer } from './background-writer.ts';

/** Instead of a buffer that is not needed yet: many uploads wait for their first bytes, and most need only one. */
const NOTHING = new Uint8Array();

/** Bytes of the buffer for the first bytes: many uploads at once may send a few, and wait. */
const SMALL = 16 * 1024;

/**
 * Writes the chunks to the file from `position` on, in whole buffers: one is filled while the other is written, so
 * memory is bounded whatever the number and size of chunks. Updates the hash with the written bytes. They are on the disk
 * when this resolves. Rejects when the disk or the source fails.
 */
export async function copyToFile(
  chunks: AsyncIterable<Uint8Array>,
  file: FileHandle,
  position: number,
  hash?: Hash,
): Promise<void> {
  const disk = new BackgroundWriter(file, position);
  let filling: Uint8Array = NOTHING;
  let spare: Uint8Array = NOTHING;
  let used = 0;
  // All buffers end at multiples of BUFFER in the file, the first one too.
  let room = BUFFER - (position % BUFFER);
  try {
    for await (const chunk of chunks) {
      for (let copied = 0; copied < chunk.length; ) {
        const part = chunk.subarray(copied, copied + room - used);
        if (used + part.length > filling.length) filling = enlarged(filling, used + part.length);
        filling.set(part, used);
        copied += part.length;
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
    returnBuffer(filling);
    returnBuffer(spare);
  }
}

/** A buffer that begins with the same bytes and has room for `size` bytes, of BUFFER at most. */
function enlarged(buffer: Uint8Array, size: number): Uint8Array {
  const larger = size <= SMALL ? new Uint8Array(SMALL) : takeBuffer();
  larger.set(buffer);
  return larger;
}
