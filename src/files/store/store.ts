import type { Readable } from 'node:stream';
import type { ByteSource } from './byte-source.ts';

/** What is known of an object. An unfinished one is still being written, `size` counts its bytes so far. */
export interface BlobStat {
  size: number;
  modifiedAt: Date;
  finished: boolean;
}

/** An object that will never change again. */
export interface FinishedBlob {
  size: number;
  sha256: Uint8Array<ArrayBuffer>;
}

/**
 * Bytes under ids of ours (`blb_…`, never a file name). An object is written from front to back in as many pieces as
 * it takes, then finished, and from then on it never changes. Sizes and offsets are in bytes. Every operation throws
 * a TypeError for a key that is no blob id, and StoreError with the code that it names.
 */
export interface BlobStore {
  /** Resolves when the storage answers, and can be written to as far as that shows without writing. */
  ping: () => Promise<void>;

  /** Undefined for an object that has no bytes yet, or none any more. */
  stat: (key: string) => Promise<BlobStat | undefined>;

  /**
   * Adds bytes to an unfinished object at exactly `offset`, which must be its size so far (0 begins one). Resolves to
   * the new size once the bytes outlive a power cut. When `bytes` throws, what had come before is kept as safely, and
   * the error is passed on. When the storage fails, a beginning of what this call brought may be kept, or nothing.
   * Codes: offset, busy (another call is at it), finished, full.
   */
  append: (key: string, offset: number, bytes: AsyncIterable<Uint8Array>) => Promise<number>;

  /** Drops the bytes of an unfinished object; a finished one is left alone. Code: busy. */
  discard: (key: string) => Promise<void>;

  /**
   * Makes the object final. `size` is what the caller believes to be there, so that nobody finishes what another call
   * dropped or went on writing. Size 0 needs no append before. Doing it again gives the same answer.
   * Codes: offset (the size is another), busy, full.
   */
  finish: (key: string, size: number) => Promise<FinishedBlob>;

  /**
   * A finished object, or the part from `start` to `end`, both included (RFC 9110 §14.1.2). The caller reads the
   * stream to its end or destroys it. Code: missing.
   */
  read: (key: string, range?: { start: number; end: number }) => Promise<Readable>;

  /** Deletes the object, finished or not; nothing to delete is fine. Code: busy. */
  remove: (key: string) => Promise<void>;

  /** Every object, in an order of the store's own. `after`, a key from an earlier listing, goes on behind it. */
  list: (after?: string) => AsyncIterable<BlobStat & { key: string }>;

  /** Drops what calls that died before this time left beside finished objects, where nothing else reaches it. Gives their count. */
  tidy: (before: Date) => Promise<number>;
}

/** `full`: the storage has no room left; `unavailable`: it does not answer. The others are explained where they are thrown. */
export type StoreErrorCode = 'busy' | 'finished' | 'full' | 'missing' | 'offset' | 'unavailable';

export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, key: string, options?: ErrorOptions) {
    super(`${code}: ${key}`, options);
    this.code = code;
  }
}

/** A finished object of so many bytes of an organization, to be read in ranges. */
export const storedSource = (
  store: BlobStore,
  key: string,
  size: number,
  organizationId?: string,
): ByteSource => ({
  size,
  organizationId,
  async read(start, end) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await store.read(key, { start, end })) chunks.push(chunk);
    return Buffer.concat(chunks);
  },
});
