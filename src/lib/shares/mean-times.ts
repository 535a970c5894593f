/** How much the newest time counts in the mean. */
const WEIGHT = 1 / 8;
/** Of as many keys the mean is kept. */
const MAX_KEYS = 1_000;

/** The mean of how long the latest tasks of each key took, in milliseconds. */
export class MeanTimes {
  readonly #means = new Map<string, number>();
  /** Of all tasks; undefined before the first. */
  #ofAll: number | undefined;

  /** Of a key without one, the mean of all; 1 before the first task. */
  of(key: string): number {
    return this.#means.get(key) ?? this.#ofAll ?? 1;
  }

  add(key: string, ms: number): void {
    const mean = this.#means.get(key) ?? this.#ofAll ?? ms;
    this.#ofAll = approach(this.#ofAll ?? ms, ms);
    this.#means.delete(key);
    this.#means.set(key, approach(mean, ms));
    const [oldest] = this.#means.size > MAX_KEYS ? this.#means.keys() : [];
    if (oldest !== undefined) this.#means.delete(oldest);
  }
}

const approach = (mean: number, ms: number): number => mean + (ms - mean) * WEIGHT;
