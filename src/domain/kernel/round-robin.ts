import { nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { memoize } from '../../lib/memoize.ts';

/** When a row is due that is due at once: its column has whole milliseconds, and rounds up. */
export const dueNow: Sql = nowPlus(-1);

/** The organization that was served last, by kind of work: of each process, for each database that it has open. */
const lastServed = new WeakMap<Database, Map<string, string>>();

/**
 * Claims work round robin by organization, so that one job of an organization waits for one job of each other at most.
 * `claim` takes what is due first in the organization with the lowest id, of those whose id meets the condition.
 */
export async function claimRoundRobin<Claim extends { organizationId: string }>(
  db: Database,
  work: string,
  claim: (condition: Sql) => Promise<Claim | undefined>,
): Promise<Claim | undefined> {
  const last = memoize(lastServed, db, () => new Map<string, string>());
  const before = last.get(work) ?? '';
  const claimed = (await claim(sql`> ${before}`)) ?? (await claim(sql`<= ${before}`));
  if (claimed) last.set(work, claimed.organizationId);
  return claimed;
}
