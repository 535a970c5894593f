import { TryLater } from '../../lib/fair-slots.ts';
import { type Reader, ReaderBytes } from './reader-bytes.ts';

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

/**
 * Counts the bytes of responses that were built and that their readers have not taken yet. A tenant beyond its share gets
 * nothing more built. If all of them exceed `limit`, the oldest response of the tenant with the most bytes is given up, so
 * that no number of slow readers holds up the others.
 */
export class UnreadBytes {
  readonly #responses = new Set<UnreadResponse>();
  readonly #bytes: ReaderBytes;

  constructor(limit: number) {
    this.#bytes = new ReaderBytes(limit);
  }

  get total(): number {
    return this.#bytes.total;
  }

  /** Throws TryLater if `bytes` more would exceed a share; a response alone may exceed it. */
  requireRoom(reader: Reader, bytes = 1): void {
    if (this.#bytes.exceedsShare(reader, bytes)) throw new Unread();
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
    if (this.#responses.delete(response)) this.#bytes.add(response, -response.bytes);
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
