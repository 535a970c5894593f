import { performance } from 'node:perf_hooks';

const INTERVAL = 100;
/** Part of the time in which the main thread works, from which on requests wait for each other. */
const BUSY_OVER = 0.6;
/** Milliseconds for which one busy interval counts: what was held back for it must not begin all at once. */
const BUSY_LASTS = 2_000;

/** Whether the main thread of this process has had more to do, in the last two seconds, than it has time for. */
export function watchEventLoop(): () => boolean {
  let last = performance.eventLoopUtilization();
  let busyUntil = Number.NEGATIVE_INFINITY;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, last).utilization > BUSY_OVER)
      busyUntil = performance.now() + BUSY_LASTS;
    last = now;
  }, INTERVAL).unref();
  return () => performance.now() < busyUntil;
}
