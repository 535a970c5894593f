/** What taking a try came to; times in milliseconds. */
export interface Taken {
  /** 0 when there was a try, else how long until there is one. */
  readonly wait: number;
  /** How many are left. */
  readonly left: number;
  /** How long until all have come back. */
  readonly whole: number;
}

/** Counts tries: in this process, or in a store that several share. With `most` 0 there is no limit. */
export interface Tries {
  /** Takes one of `most` tries, if there is one. */
  spend(key: string, most: number): Promise<Taken>;
  /** Takes one of `most` tries. 0 when there was one, else the milliseconds until there is. */
  take(key: string, most: number): Promise<number>;
  /** The milliseconds until there is one; 0 when there is one now. Takes none. */
  wait(key: string, most: number): Promise<number>;
  /** Gives one back that turned out to be none. */
  giveBack(key: string, most: number): Promise<void>;
}

/** Makes the tries of one kind, apart from all others; all of a key come back within `window` milliseconds. */
export type CountTries = (kind: string, window: number) => Tries;

/** One step of the count: takes one (1), looks (0), or gives one back (-1). */
export type Step = (key: string, most: number, by: -1 | 0 | 1) => Taken | Promise<Taken>;

const UNLIMITED: Taken = { wait: 0, left: Number.POSITIVE_INFINITY, whole: 0 };

export function triesBy(step: Step): Tries {
  const steps = async (key: string, most: number, by: -1 | 0 | 1) =>
    most > 0 ? step(key, most, by) : UNLIMITED;
  return {
    spend: (key, most) => steps(key, most, 1),
    take: async (key, most) => (await steps(key, most, 1)).wait,
    wait: async (key, most) => (await steps(key, most, 0)).wait,
    giveBack: async (key, most) => void (await steps(key, most, -1)),
  };
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
export function stepInMemory({ window, keys = 100_000, now = Date.now }: TriesInMemory) {
  const due = new Map<string, number>();
  const keep = (key: string, time: number) => {
    due.delete(key);
    due.set(key, time);
    if (due.size > keys) due.delete(due.keys().next().value as string);
  };
  return (key: string, most: number, by: -1 | 0 | 1): Taken => {
    const gap = window / most;
    const at = now();
    const known = due.get(key);
    const next = Math.max(known ?? 0, at) + gap;
    const wait = Math.max(Math.floor(next - window - at), 0);
    if (by > 0 && wait === 0) keep(key, next);
    if (by < 0 && known !== undefined) keep(key, known - gap);
    const whole = Math.max((due.get(key) ?? 0) - at, 0);
    return { wait, left: Math.max(Math.floor((window - whole) / gap + 0.001), 0), whole };
  };
}

export const triesInMemory = (facts: TriesInMemory): Tries => triesBy(stepInMemory(facts));

/** For one process. */
export const countInMemory: CountTries = (_, window) => triesInMemory({ window });
