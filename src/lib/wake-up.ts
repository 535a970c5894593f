import { setTimeout as delay } from 'node:timers/promises';

/**
 * Wakes one sleeper; a wake-up without a sleeper ends the next sleep at once. Sleeps end at most once in `rest` ms, so that
 * wake-ups in quick succession share one.
 */
export class WakeUpSignal {
  readonly #rest: number;
  #isSignalled = false;
  #wake = () => {};
  #awokeAt = Number.NEGATIVE_INFINITY;

  constructor(rest = 0) {
    this.#rest = rest;
  }

  wake(): void {
    this.#isSignalled = true;
    this.#wake();
  }

  /** Resolves at the next wake-up, or after `ms`; returns whether there was a wake-up. */
  async sleep(ms: number): Promise<boolean> {
    if (!this.#isSignalled)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    // A timer may end a little early.
    for (let rest = this.#restLeft(); rest > 0; rest = this.#restLeft()) await delay(Math.ceil(rest));
    this.#awokeAt = performance.now();
    const isSignalled = this.#isSignalled;
    this.#isSignalled = false;
    return isSignalled;
  }

  #restLeft(): number {
    return this.#awokeAt + this.#rest - performance.now();
  }
}
