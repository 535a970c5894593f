/**
 * Says, once, that nobody waits any more. AbortController says the same, and costs many times as much to make and to listen
 * to: each request has one of these, and next to none of them ever happens.
 */
export class Cancellation {
  /** The organization whose work it is, for queues that are shared; undefined for work of the installation. */
  readonly tenant: string | undefined;
  readonly #listeners: (() => void)[] = [];
  #over = false;

  constructor(tenant?: string) {
    this.tenant = tenant;
  }

  /** Whether they have gone. */
  get isCancelled(): boolean {
    return this.#over;
  }

  /** Not told of one that has left already. */
  onCancel(listener: () => void): void {
    this.#listeners.push(listener);
  }

  cancel(): void {
    if (this.#over) return;
    this.#over = true;
    for (const listener of this.#listeners) listener();
  }
}
