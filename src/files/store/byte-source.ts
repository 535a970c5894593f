/**
 * Stored bytes that are read in ranges: a file on disk, or an object in a bucket.
 * `read` takes the first and the last byte wanted (both included, as in RFC 9110 §14.1.2) and resolves to those
 * bytes, to fewer only where the object ends. It rejects when the storage fails, never because of their content.
 */
export interface ByteSource {
  /** Length in bytes. */
  size: number;
  read: (start: number, endInclusive: number) => Promise<Uint8Array>;
  /** The organization in whose share of child processes these bytes are read. */
  organizationId?: string;
}

/** Bytes in memory as a source. */
export const bytesSource = (bytes: Uint8Array, organizationId?: string): ByteSource => ({
  size: bytes.length,
  organizationId,
  read: async (start, endInclusive) => bytes.subarray(start, endInclusive + 1),
});
