import { performance } from 'node:perf_hooks';

/** Milliseconds between two measurements. */
const INTERVAL = 50;
/** Utilization of the event loop, from 0 to 1, above which it counts as busy. */
const BUSY_UTILIZATION = 0.6;
/** Milliseconds for which one busy interval counts, so that delayed requests do not all start at once after it. */
const BUSY_DURATION = 2_000;

let watched: (() => boolean) | undefined;

/**
 * Returns a function that tells whether the event loop was busy at some time in the last two seconds. All callers of a process
 * share one measurement, as they share the loop.
 */
export function watchEventLoop(): () => boolean {
  watched ??= measureLoop();
  return watched;
}

function measureLoop(): () => boolean {
  let last = performance.eventLoopUtilization();
  let busyUntil = Number.NEGATIVE_INFINITY;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    if (performance.eventLoopUtilization(now, last).utilization > BUSY_UTILIZATION)
      busyUntil = performance.now() + BUSY_DURATION;
    last = now;
  }, INTERVAL).unref();
  return () => performance.now() < busyUntil;
}
