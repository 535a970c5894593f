/**
 * Signals, once, that the caller no longer waits. Cheaper than an AbortController by far: every request has one of these,
 * and hardly any is ever cancelled.
 */
export class Cancellation {
  /** The organization whose work it is, for queues that are shared; undefined for work of the installation. */
  readonly tenant: string | undefined;
  readonly #listeners: (() => void)[] = [];
  #isCancelled = false;

  constructor(tenant?: string) {
    this.tenant = tenant;
  }

  /** Whether the caller is gone. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** A listener that is added after the cancellation is not called. */
  onCancel(listener: () => void): void {
    this.#listeners.push(listener);
  }

  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    for (const listener of this.#listeners) listener();
  }
}
