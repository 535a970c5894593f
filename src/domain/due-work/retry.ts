import { DAY, HOUR, SECOND } from '../../lib/time.ts';

/** For how long work that fails is tried again, in ms. */
export const RETRY_PERIOD = 3 * DAY;

/** What people read of work that failed for a reason of which only the log tells. */
export const UNEXPECTED = 'Something went wrong on our side; see the log of the server.';

/** Milliseconds to wait after `tries` failed attempts: 10 s, doubled each time up to six hours, with 10 % jitter. */
export const retryDelay = (tries: number, random = Math.random()): number =>
  Math.min(10 * SECOND * 2 ** Math.min(tries - 1, 20), 6 * HOUR) * (0.9 + 0.2 * random);
