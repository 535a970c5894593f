import type { EventEmitter } from 'node:events';
import { SECOND } from '../lib/time.ts';

/** Milliseconds by which a refusal is delayed at most. */
const LONGEST = 2 * SECOND;

/**
 * Delays refusals by a random time. A client that is refused often connects again at once. With the delay it connects less
 * often, and many clients that were refused together do not all connect again in the same moment.
 */
export class HeldRefusals {
  readonly #max: number;
  #held = 0;

  /** `max`: refusals that wait at a time; those beyond it are sent at once. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Calls `refuse` later, unless the response `outgoing` emits `close` before. */
  hold(outgoing: EventEmitter, refuse: () => void): void {
    if (this.#held >= this.#max) {
      refuse();
      return;
    }
    this.#held++;
    const timer = setTimeout(refuse, Math.random() * LONGEST);
    outgoing.once('close', () => {
      clearTimeout(timer);
      this.#held--;
    });
  }
}
