import type { ByteSource } from '../../../src/files/store/byte-source.ts';

/** Bytes in memory as a source, which notes how many of them were read. */
export function sourceOf(bytes: Uint8Array): ByteSource & { bytesRead: () => number } {
  let total = 0;
  return {
    size: bytes.length,
    bytesRead: () => total,
    read: async (start, endInclusive) => {
      if (start < 0 || endInclusive < start || endInclusive >= bytes.length) {
        throw new RangeError(`bytes ${start}-${endInclusive} of ${bytes.length}`);
      }
      total += endInclusive - start + 1;
      return bytes.subarray(start, endInclusive + 1);
    },
  };
}
