import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../../lib/time.ts';

/** In ms: shorter waits are added up, as timers are not exact. */
const LEAST_WAIT = 20;

/**
 * Returns a function that counts bytes which were read, and resolves when the next ones may be: all callers together read
 * at most `bytesPerSecond`. Time in which nothing was read is not made up for.
 */
export function readRate(bytesPerSecond: number, signal?: AbortSignal): (bytes: number) => Promise<void> {
  let freeAt = performance.now();
  return async (bytes) => {
    const now = performance.now();
    freeAt = Math.max(freeAt, now) + (bytes / bytesPerSecond) * SECOND;
    const wait = freeAt - now;
    if (wait >= LEAST_WAIT) await sleep(wait, undefined, { signal });
  };
}
