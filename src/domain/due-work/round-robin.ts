import { nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { memoize } from '../../lib/memoize.ts';

/** For a due column: due at once. Such columns hold whole milliseconds and round up, hence one millisecond less. */
export const dueNow: Sql = nowPlus(-1);

/** The organization served last, by kind of work, for each database that this process has open. */
const lastServed = new WeakMap<Database, Map<string, string>>();

/**
 * Claims work round robin by organization: a job waits for at most one job of each other organization. `claim` claims
 * the job due first in the organization with the lowest id of those whose id meets the condition. One that also does the job
 * calls `found` before: if it throws, the next call serves the next organization, and not the same one for ever.
 */
export async function claimRoundRobin<Claim extends { organizationId: string }>(
  db: Database,
  work: string,
  claim: (idCondition: Sql, found: (organizationId: string) => void) => Promise<Claim | undefined>,
): Promise<Claim | undefined> {
  const lastByWork = memoize(lastServed, db, () => new Map<string, string>());
  const last = lastByWork.get(work) ?? '';
  const serve = (organizationId: string) => void lastByWork.set(work, organizationId);
  const claimed = (await claim(sql`> ${last}`, serve)) ?? (await claim(sql`<= ${last}`, serve));
  if (claimed) serve(claimed.organizationId);
  return claimed;
}
