import type { EventEmitter } from 'node:events';
import { SECOND } from '../lib/time.ts';

/** Milliseconds that a refusal is held back at most. */
const LONGEST = 2 * SECOND;

/**
 * Holds refusals back for a random time. Who is refused often connects again at once: so there are fewer of these
 * connections, and a thousand that were refused together do not come back together, while everybody else waits.
 */
export class HeldRefusals {
  readonly #max: number;
  #held = 0;

  /** `max`: refusals that are held at a time; those beyond it are sent at once. */
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
