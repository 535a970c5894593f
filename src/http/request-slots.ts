import type { Context as Call } from 'hono';
import { FairShare, type Slot } from './shares/fair-share.ts';

/**
 * The slots of requests under way in this process. A request takes one of its network, before anything is known of its caller,
 * and then counts for the organization that its credential or its signed URL names.
 */
export class RequestSlots {
  readonly #share: FairShare;
  readonly #slots = new WeakMap<Call, Slot>();

  constructor(total: number) {
    this.#share = new FairShare(total);
  }

  /** False if the network has too many requests under way. */
  enter(call: Call, network: string): boolean {
    const slot = this.#share.take(`network ${network}`);
    if (slot) this.#slots.set(call, slot);
    return slot !== undefined;
  }

  /** Counts the request for `owner` from now on. False if that has too many under way. */
  claim(call: Call, owner: string): boolean {
    return this.#slots.get(call)?.move(owner) ?? true;
  }

  leave(call: Call): void {
    this.#slots.get(call)?.release();
  }
}
