/** Wakes one sleeper; rung while nobody sleeps, it ends the next sleep at once. */
export class WakeUpSignal {
  #rung = false;
  #wake = () => {};

  wake(): void {
    this.#rung = true;
    this.#wake();
  }

  /** Until it rings, `ms` at most. Gives whether it rang. */
  async sleep(ms: number): Promise<boolean> {
    if (!this.#rung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    const rung = this.#rung;
    this.#rung = false;
    return rung;
  }
}
