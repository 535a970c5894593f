import { TryLater } from '../../lib/fair-slots.ts';
import { SECOND } from '../../lib/time.ts';
import { type Reader, ReaderBytes, sharesOf } from './reader-bytes.ts';

interface UnreadResponse extends Reader {
  bytes: number;
  close: () => void;
}

/** What was built for the caller is not read yet, so nothing more is built. */
class Unread extends TryLater {
  constructor() {
    super('Earlier responses have not been read yet. Read them, and try again.', 5);
  }
}

/** Milliseconds after a refusal in which nothing is built for others of the same share, unless some of its bytes are read. */
const FULL = SECOND;

/**
 * Counts the bytes of responses that were built and that their readers have not taken yet. A tenant beyond its share gets
 * nothing more built. If all of them exceed `limit`, the oldest response of the tenant with the most bytes is given up, so
 * that no number of slow readers holds up the others.
 */
export class UnreadBytes {
  readonly #responses = new Set<UnreadResponse>();
  readonly #bytes: ReaderBytes;
  /** When a response was last refused, by the key of its share. */
  readonly #refusedAt = new Map<string, number>();

  constructor(limit: number) {
    this.#bytes = new ReaderBytes(limit);
  }

  get total(): number {
    return this.#bytes.total;
  }

  /**
   * Before anything is built. Throws TryLater if a share is used up, or had no room for a response just now: to build the next
   * one only to refuse it costs as much as to send it.
   */
  requireShare(reader: Reader): void {
    if (this.#wasRefused(reader) || this.#bytes.exceededShare(reader, 1) !== undefined) throw new Unread();
  }

  /** Throws TryLater if a response of `bytes` would exceed a share; one alone may exceed it. */
  requireRoom(reader: Reader, bytes: number): void {
    const exceeded = this.#bytes.exceededShare(reader, bytes);
    if (exceeded === undefined) return;
    this.#refusedAt.set(exceeded, performance.now());
    throw new Unread();
  }

  #wasRefused(reader: Reader): boolean {
    const since = performance.now() - FULL;
    return sharesOf(reader).some((key) => (this.#refusedAt.get(key) ?? Number.NEGATIVE_INFINITY) > since);
  }

  /** Counts a response until the returned function is called (once); `close` gives it up, and must lead to that call. */
  hold(reader: Reader, bytes: number, close: () => void): () => void {
    const response = { ...reader, bytes, close };
    this.#responses.add(response);
    this.#bytes.add(response, bytes);
    while (this.total > this.#bytes.limit && this.#giveUp(response));
    return () => this.#release(response);
  }

  #release(response: UnreadResponse): void {
    if (!this.#responses.delete(response)) return;
    this.#bytes.add(response, -response.bytes);
    for (const key of sharesOf(response)) this.#refusedAt.delete(key);
  }

  /** False if there is none but `newest`. */
  #giveUp(newest: UnreadResponse): boolean {
    const bytesOf = ({ tenant }: UnreadResponse) => this.#bytes.ofTenant(tenant);
    let largest: UnreadResponse | undefined;
    for (const response of this.#responses)
      if (response !== newest && (!largest || bytesOf(response) > bytesOf(largest))) largest = response;
    if (!largest) return false;
    this.#release(largest);
    largest.close();
    return true;
  }
}
