import type { RateLimiter } from './rate-limiter.ts';

/** How often something may happen by a key, in the window of the limiter. */
export type Limit = readonly [limiter: RateLimiter, key: string, limit: number];

/** Counts against all limits or, if one is exceeded, none. Returns 0, or the ms to wait. */
export async function takeFromAll(limits: readonly Limit[]): Promise<number> {
  for (const [index, [limiter, key, limit]] of limits.entries()) {
    const wait = await limiter.take(key, limit);
    if (wait === 0) continue;
    await refundAll(limits.slice(0, index));
    return wait;
  }
  return 0;
}

/** Uncounts an attempt that turned out not to count. */
export async function refundAll(limits: readonly Limit[]): Promise<void> {
  for (const [limiter, key, limit] of limits) await limiter.refund(key, limit);
}
