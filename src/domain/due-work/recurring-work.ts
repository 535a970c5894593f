import { nowPlus } from '../../db/clock.ts';
import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';

/** Work that is done again and again, by one of all processes. Each has a row of `recurring_work`. */
type RecurringWork = 'sweep' | 'anchor';

/** Claims work that is done once in `every` ms; false if it is not due. Of many callers at once, one gets it. */
export async function claimRecurring(db: Reader, work: RecurringWork, every: number): Promise<boolean> {
  const claimed = await db.query(sql`UPDATE recurring_work r SET begun_at = now()
    WHERE r.work = ${work} AND r.begun_at <= ${nowPlus(-every)} RETURNING r.work`);
  return claimed.length > 0;
}

/** Makes work that has failed due again in `delay` ms. */
export const postponeRecurring = (
  db: Reader,
  work: RecurringWork,
  { every, delay }: { every: number; delay: number },
): Promise<unknown> =>
  db.query(sql`UPDATE recurring_work r SET begun_at = ${nowPlus(delay - every)} WHERE r.work = ${work}`);
