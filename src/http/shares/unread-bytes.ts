import { tenantOf, type Viewer } from '../../domain/kernel/viewer.ts';
import { TryLater } from '../../lib/fair-slots.ts';

/** Whose response it is: `user` is one of the tenant's. */
export interface Reader {
  tenant: string;
  user: string;
}

/** The network, for what has no tenant or user. */
export const readerOf = (viewer: Viewer, network: string): Reader => ({
  tenant: tenantOf(viewer) ?? network,
  user: viewer.userId || network,
});

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

/** Shares of the bytes of all: of a tenant, and of one user of it. */
const TENANT_SHARE = 1 / 4;
const USER_SHARE = 1 / 8;

/**
 * Counts the bytes of responses that were built and that their readers have not taken yet. A tenant beyond its share gets
 * nothing more built. If all of them exceed `limit`, the oldest response of the tenant with the most bytes is given up, so
 * that no number of slow readers holds up the others.
 */
export class UnreadBytes {
  readonly #limit: number;
  readonly #responses = new Set<UnreadResponse>();
  readonly #byReader = new Map<string, number>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get total(): number {
    return this.#total;
  }

  /** Throws TryLater if `bytes` more would exceed a share; a response alone may exceed it. */
  requireRoom({ tenant, user }: Reader, bytes = 1): void {
    const exceeds = (key: string, share: number) => {
      const waiting = this.#byReader.get(key) ?? 0;
      return waiting > 0 && waiting + bytes > share * this.#limit;
    };
    if (exceeds(tenantKey(tenant), TENANT_SHARE) || exceeds(userKey(tenant, user), USER_SHARE))
      throw new Unread();
  }

  /** Counts a response until the returned function is called (once); `close` gives it up, and must lead to that call. */
  hold(reader: Reader, bytes: number, close: () => void): () => void {
    const response = { ...reader, bytes, close };
    this.#responses.add(response);
    this.#count(response, bytes);
    while (this.#total > this.#limit && this.#giveUp(response));
    return () => this.#release(response);
  }

  #release(response: UnreadResponse): void {
    if (this.#responses.delete(response)) this.#count(response, -response.bytes);
  }

  #count({ tenant, user }: UnreadResponse, bytes: number): void {
    this.#total += bytes;
    for (const key of [tenantKey(tenant), userKey(tenant, user)]) {
      const sum = (this.#byReader.get(key) ?? 0) + bytes;
      if (sum > 0) this.#byReader.set(key, sum);
      else this.#byReader.delete(key);
    }
  }

  /** False if there is none but `newest`. */
  #giveUp(newest: UnreadResponse): boolean {
    const bytesOf = ({ tenant }: UnreadResponse) => this.#byReader.get(tenantKey(tenant)) ?? 0;
    let largest: UnreadResponse | undefined;
    for (const response of this.#responses)
      if (response !== newest && (!largest || bytesOf(response) > bytesOf(largest))) largest = response;
    if (!largest) return false;
    this.#release(largest);
    largest.close();
    return true;
  }
}

const tenantKey = (tenant: string): string => JSON.stringify([tenant]);

const userKey = (tenant: string, user: string): string => JSON.stringify([tenant, user]);
