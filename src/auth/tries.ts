/** Counts tries: in this process, or in a store that several share. */
export interface Tries {
  /** Takes one of `most` tries. 0 when there was one, else the milliseconds until there is. */
  take(key: string, most: number): Promise<number>;
  /** The milliseconds until there is one; 0 when there is one now. Takes none. */
  wait(key: string, most: number): Promise<number>;
  /** Gives one back that turned out to be none. */
  giveBack(key: string, most: number): Promise<void>;
}

export interface TriesInMemory {
  /** In how many milliseconds all tries of a key come back; they do so one by one. */
  window: number;
  /** Keys held at most; the one that was touched longest ago makes room. */
  keys?: number;
  now?: () => number;
}

/**
 * Holds one number a key: when its last try will have come back (the generic cell rate algorithm). Taking is one step,
 * so a hundred tries at once get no more than one after the other.
 */
export function triesInMemory({ window, keys = 100_000, now = Date.now }: TriesInMemory): Tries {
  const due = new Map<string, number>();
  const keep = (key: string, time: number) => {
    due.delete(key);
    due.set(key, time);
    if (due.size > keys) due.delete(due.keys().next().value as string);
  };
  const nextOf = (key: string, most: number) => Math.max(due.get(key) ?? 0, now()) + window / most;
  const waitFor = (next: number) => Math.max(next - window - now(), 0);
  return {
    async take(key, most) {
      const next = nextOf(key, most);
      const wait = waitFor(next);
      if (wait === 0) keep(key, next);
      return wait;
    },
    wait: async (key, most) => waitFor(nextOf(key, most)),
    async giveBack(key, most) {
      const time = due.get(key);
      if (time !== undefined) keep(key, time - window / most);
    },
  };
}
