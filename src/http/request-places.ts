import type { Context as Call } from 'hono';
import { FairShare, type Place } from './fair-share.ts';

/**
 * The places of requests under way in this process. A request takes one of its network, before anything is known of its caller,
 * and then counts for the organization that its credential or its signed URL names.
 */
export class RequestPlaces {
  readonly #share: FairShare;
  readonly #places = new WeakMap<Call, Place>();

  constructor(total: number) {
    this.#share = new FairShare(total);
  }

  /** False if the network has too many requests under way. */
  enter(call: Call, network: string): boolean {
    const place = this.#share.take(`network ${network}`);
    if (place) this.#places.set(call, place);
    return place !== undefined;
  }

  /** Counts the request for `owner` from now on. False if that has too many under way. */
  claim(call: Call, owner: string): boolean {
    return this.#places.get(call)?.move(owner) ?? true;
  }

  leave(call: Call): void {
    this.#places.get(call)?.release();
  }
}
