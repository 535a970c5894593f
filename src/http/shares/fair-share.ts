/** How many times as many slots as are free one key may have. */
const SHARE = 2;

/** One slot of a FairShare. */
export interface Slot {
  /** Counts the slot for another key, whose share it takes. False if that has no share left; then nothing changes. */
  move(key: string): boolean;
  release(): void;
}

/**
 * A number of slots that are shared by key, without waiting. A key gets one more slot while it has fewer than twice as many
 * as are free: two thirds if it is alone, and less the more others have. So a key with few finds one when others have many.
 */
export class FairShare {
  readonly #total: number;
  readonly #counts = new Map<string, number>();
  #taken = 0;

  constructor(total: number) {
    this.#total = total;
  }

  get taken(): number {
    return this.#taken;
  }

  /** A slot for the key; undefined if its share is used up. */
  take(key: string): Slot | undefined {
    if (!this.#hasShare(key)) return undefined;
    let owner: string | undefined = key;
    this.#add(key, 1);
    return {
      move: (next) => {
        if (owner === undefined || owner === next) return true;
        this.#add(owner, -1);
        const moves = this.#hasShare(next);
        if (moves) owner = next;
        this.#add(owner, 1);
        return moves;
      },
      release: () => {
        if (owner !== undefined) this.#add(owner, -1);
        owner = undefined;
      },
    };
  }

  #hasShare(key: string): boolean {
    return (this.#counts.get(key) ?? 0) < SHARE * (this.#total - this.#taken);
  }

  #add(key: string, change: 1 | -1): void {
    const count = (this.#counts.get(key) ?? 0) + change;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
    this.#taken += change;
  }
}
