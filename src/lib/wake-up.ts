/** Wakes one sleeper; a wake-up without a sleeper ends the next sleep at once. */
export class WakeUpSignal {
  #isSignalled = false;
  #wake = () => {};

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
    const isSignalled = this.#isSignalled;
    this.#isSignalled = false;
    return isSignalled;
  }
}
