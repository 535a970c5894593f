/**
 * Says, once, that nobody waits any more. AbortController says the same, and costs many times as much to make and to listen
 * to: each request has one of these, and next to none of them ever happens.
 */
export class Departure {
  readonly #listeners: (() => void)[] = [];
  #over = false;

  /** Whether they have gone. */
  get over(): boolean {
    return this.#over;
  }

  /** Not told of one that has left already. */
  onceOver(listener: () => void): void {
    this.#listeners.push(listener);
  }

  leave(): void {
    if (this.#over) return;
    this.#over = true;
    for (const listener of this.#listeners) listener();
  }
}
