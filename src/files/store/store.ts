import type { Readable } from 'node:stream';
import type { ByteSource } from './byte-source.ts';

/** The state of an object. While it is unfinished, `size` is the number of bytes so far. */
export interface BlobStat {
  size: number;
  modifiedAt: Date;
  finished: boolean;
}

/** An immutable object. */
export interface FinishedBlob {
  size: number;
  sha256: Uint8Array<ArrayBuffer>;
}

/** Bytes of which any part is streamed, `end` included. `etag`: of the same bytes, for ever. */
export interface StreamedBytes {
  size: number;
  etag: string;
  read: (range: { start: number; end: number }) => Promise<Readable>;
}

/**
 * Bytes stored by blob id (`blb_…`, never a file name). An object is appended to in any number of calls, then finished, and
 * immutable from then on. Sizes and offsets are in bytes. Every operation throws TypeError for a key that is not a blob id,
 * and StoreError with the codes that it lists.
 */
export interface BlobStore {
  /** Resolves when the storage answers and seems writable (nothing is written). */
  ping: () => Promise<void>;

  /** The database whose objects these are, as `own` has recorded it; undefined before. */
  owner: () => Promise<string | undefined>;

  /**
   * Records the database whose objects these are, if none is recorded or `replace` is set. Resolves to the one that is recorded
   * then: of calls at the same time, one decides.
   */
  own: (database: string, replace?: boolean) => Promise<string>;

  /** Undefined for an object without bytes. */
  stat: (key: string) => Promise<BlobStat | undefined>;

  /**
   * Adds bytes to an unfinished object at exactly `offset`, which must be its size so far (0 begins one). Resolves to
   * the new size once the bytes would survive a power cut. When `bytes` throws, the bytes before that are stored as safely, and
   * the error is rethrown. When the storage fails, a prefix of the bytes of this call may be stored, or none.
   * Codes: offset, busy (another call is running), finished, full.
   */
  append: (key: string, offset: number, bytes: AsyncIterable<Uint8Array>) => Promise<number>;

  /**
   * A whole object in one call: as an append at 0 and `finish`, with less work for the storage. When `bytes` throws, what came
   * before that is stored as by `append`, and the error is rethrown.
   * Codes: offset (an object has bytes already), busy, finished, full.
   */
  write: (key: string, bytes: AsyncIterable<Uint8Array>) => Promise<FinishedBlob>;

  /** Deletes the bytes of an unfinished object; a finished one is not changed. Code: busy. */
  discard: (key: string) => Promise<void>;

  /**
   * Makes the object immutable. `size` is the expected size, so that no call finishes what another one discarded or extended.
   * Size 0 needs no append before. Idempotent.
   * Codes: offset (another size), busy, full.
   */
  finish: (key: string, size: number) => Promise<FinishedBlob>;

  /**
   * A finished object, or the part from `start` to `end`, both included (RFC 9110 §14.1.2). The caller reads the
   * stream to its end or destroys it. Code: missing.
   */
  read: (key: string, range?: { start: number; end: number }) => Promise<Readable>;

  /** Deletes the object, finished or not, if it exists. Code: busy. */
  remove: (key: string) => Promise<void>;

  /** Every object, in an order that depends on the store; `after`: continues behind this key of an earlier listing. */
  list: (after?: string) => AsyncIterable<BlobStat & { key: string }>;

  /** Deletes what calls that crashed before this time have left of finished objects. Returns the number of these objects. */
  tidy: (before: Date) => Promise<number>;
}

/** `full`: the storage has no room left; `unavailable`: it does not answer. The operations explain the others. */
export type StoreErrorCode = 'busy' | 'finished' | 'full' | 'missing' | 'offset' | 'unavailable';

export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, key: string, options?: ErrorOptions) {
    super(`${code}: ${key}`, options);
    this.code = code;
  }
}

/** Writes an object whose bytes are there. Codes: those of `write`. */
export const storeBytes = (store: BlobStore, key: string, bytes: Uint8Array): Promise<FinishedBlob> =>
  store.write(key, once(bytes));

async function* once(bytes: Uint8Array) {
  yield bytes;
}

/** A finished object of `size` bytes as a source that is read in ranges. */
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
