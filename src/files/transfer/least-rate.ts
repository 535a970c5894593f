import { SECOND } from '../../lib/time.ts';

export interface RateLimits {
  /** Bytes a second; 0 is no limit. */
  leastRate: number;
  /** Milliseconds that a sender may take in addition. */
  grace: number;
}

/** How many times `grace` a sender may save up by sending faster: the time over which the rate is averaged. */
const WINDOW = 3;

/**
 * The chunks of a body whose sender keeps a least rate, and calls `onSlow` when it does not. Only the time is counted in which
 * the server waits for bytes, so that back-pressure costs a sender nothing.
 */
export async function* atLeastRate(
  chunks: AsyncIterable<Uint8Array>,
  { leastRate, grace }: RateLimits,
  onSlow: () => void,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let credit = leastRate > 0 ? grace : Number.POSITIVE_INFINITY;
  try {
    for (;;) {
      const { elapsed, result } = await within(credit, onSlow, iterator);
      if (result.done) return;
      const earned = (result.value.length / leastRate) * SECOND;
      if (leastRate > 0) credit = Math.min(credit - elapsed + earned, WINDOW * grace);
      yield result.value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function within(ms: number, onSlow: () => void, iterator: AsyncIterator<Uint8Array>) {
  const startedAt = performance.now();
  const timer = Number.isFinite(ms) ? setTimeout(onSlow, ms) : undefined;
  const result = await iterator.next().finally(() => clearTimeout(timer));
  return { elapsed: performance.now() - startedAt, result };
}
