import { DAY, HOUR, SECOND } from '../../lib/time.ts';

/** For how long work that fails is tried again, in ms. */
export const RETRY_PERIOD = 3 * DAY;

/** Milliseconds to wait after `tries` failed attempts: 10 s, doubled each time up to six hours, with 10 % jitter. */
export const retryDelay = (tries: number, random = Math.random()): number =>
  Math.min(10 * SECOND * 2 ** Math.min(tries - 1, 20), 6 * HOUR) * (0.9 + 0.2 * random);
