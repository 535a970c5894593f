/** The state of a key after a request; times in milliseconds. */
export interface RateLimitState {
  /** 0 if the request is allowed, else the time until one is. */
  readonly wait: number;
  /** Requests that are left. */
  readonly remaining: number;
  /** Time until the full limit is available again. */
  readonly resetAfter: number;
}

/** Counts requests (or attempts) by key against a limit: in this process, or in a shared store. A limit of 0 is no limit. */
export interface RateLimiter {
  /** Counts one request, or `amount` units at once, if allowed. */
  consume(key: string, limit: number, amount?: number): Promise<RateLimitState>;
  /** Counts one request, if it is allowed. 0, or the milliseconds until one is allowed. */
  take(key: string, limit: number): Promise<number>;
  /** The milliseconds until a request is allowed, 0 if one is now. Counts none. */
  peek(key: string, limit: number): Promise<number>;
  /** Counts units whether they are allowed or not, as of work that was measured when it was done; at most two limits at a time. */
  add(key: string, limit: number, amount: number): Promise<RateLimitState>;
  /** Uncounts a request that turned out not to count. */
  refund(key: string, limit: number): Promise<void>;
}

/** Creates a rate limiter whose keys are separate from those of other kinds. `window`: ms until a key's full limit is back. */
export type NewRateLimiter = (kind: string, window: number) => RateLimiter;

/** One step of the algorithm: counts so many units, looks whether one is allowed (0), or uncounts them (negative). */
export type GcraStep = (
  key: string,
  limit: number,
  change: number,
  /** Counts units that are not allowed too. */
  forced?: boolean,
) => RateLimitState | Promise<RateLimitState>;

const UNLIMITED: RateLimitState = { wait: 0, remaining: Number.POSITIVE_INFINITY, resetAfter: 0 };

export function rateLimiterOf(gcraStep: GcraStep): RateLimiter {
  const step = async (key: string, limit: number, change: number, forced?: boolean) =>
    limit > 0 ? gcraStep(key, limit, change, forced) : UNLIMITED;
  return {
    consume: (key, limit, amount = 1) => step(key, limit, amount),
    take: async (key, limit) => (await step(key, limit, 1)).wait,
    peek: async (key, limit) => (await step(key, limit, 0)).wait,
    add: (key, limit, amount) => step(key, limit, amount, true),
    refund: async (key, limit) => void (await step(key, limit, -1)),
  };
}

export interface MemoryRateLimiterOptions {
  /** Milliseconds in which a key regains its full limit, one request at a time. */
  window: number;
  /** Maximum number of keys; beyond it, the least recently used one is dropped. */
  maxKeys?: number;
  now?: () => number;
}

/**
 * The generic cell rate algorithm: one number a key, the time at which its last request will be regained. A step is
 * atomic, so concurrent requests cannot exceed the limit.
 */
export function memoryGcraStep({ window, maxKeys = 100_000, now = Date.now }: MemoryRateLimiterOptions) {
  const resetTimes = new Map<string, number>();
  const store = (key: string, time: number) => {
    resetTimes.delete(key);
    resetTimes.set(key, time);
    if (resetTimes.size > maxKeys) resetTimes.delete(resetTimes.keys().next().value as string);
  };
  return (key: string, limit: number, change: number, forced = false): RateLimitState => {
    const interval = window / limit;
    const time = now();
    const stored = resetTimes.get(key);
    const next = Math.max(stored ?? 0, time) + interval * (change > 0 ? change : 1);
    const wait = Math.max(Math.floor(next - window - time), 0);
    if (change > 0 && (wait === 0 || forced)) store(key, Math.min(next, time + 2 * window));
    if (change < 0 && stored !== undefined) store(key, stored + change * interval);
    const resetAfter = Math.max((resetTimes.get(key) ?? 0) - time, 0);
    const remaining = Math.max(Math.floor((window - resetAfter) / interval + 0.001), 0);
    return { wait, remaining, resetAfter };
  };
}

export const memoryRateLimiter = (options: MemoryRateLimiterOptions): RateLimiter =>
  rateLimiterOf(memoryGcraStep(options));

/** Counts in this process alone. */
export const newMemoryRateLimiter: NewRateLimiter = (_, window) => memoryRateLimiter({ window });
