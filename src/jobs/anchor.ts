import { anchorLogs, announceNextAnchor } from '../domain/anchors/anchor.ts';
import { claimRecurring, postponeRecurring } from '../domain/due-work/recurring-work.ts';
import { DAY, MINUTE } from '../lib/time.ts';
import type { JobContext } from './context.ts';

/** Milliseconds from a time-stamp that no authority gave to the next attempt. */
const RETRY_DELAY = 10 * MINUTE;

/** Has the logs of all organizations stamped once a day in one of all processes, and records each; false if nothing is due. */
export async function anchorNext({ db, timeStamper, log }: JobContext): Promise<boolean> {
  if (await announceNextAnchor(db)) return true;
  if (!timeStamper || !(await claimRecurring(db, 'anchor', DAY))) return false;
  try {
    const organizations = await anchorLogs(db, timeStamper);
    log.info({ organizations }, 'event logs stamped');
  } catch (error) {
    await postponeRecurring(db, 'anchor', { every: DAY, delay: RETRY_DELAY });
    throw error;
  }
  return true;
}
