import { nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { DAY } from '../../lib/time.ts';
import { REQUEST_KINDS } from './notification-kind.ts';

/**
 * Read ones are deleted after this time, and unread ones after YEAR; of each person no more than MAX of an organization are stored,
 * so that none pushes out those of another. Unread ones stay longest, and among them those that ask for something.
 */
const RETENTION = 90 * DAY;
const YEAR = 365 * DAY;
const MAX = 1_000;

/** Deletes old notifications. Returns how many. */
export async function deleteOldNotifications(db: Database): Promise<number> {
  const deleted = await db.query(sql`DELETE FROM notifications WHERE read_at < ${nowPlus(-RETENTION)}
    OR happened_at < ${nowPlus(-YEAR)} OR id IN (SELECT x.id FROM (
      SELECT n.id, row_number() OVER (PARTITION BY n.user_id, n.organization_id
        ORDER BY n.read_at IS NULL DESC, n.kind = ANY(${REQUEST_KINDS}) DESC, n.event_id DESC) AS rank
      FROM notifications n WHERE (n.user_id, n.organization_id) IN (
        SELECT user_id, organization_id FROM notifications GROUP BY user_id, organization_id
        HAVING count(*) > ${sql.raw(String(MAX))})
    ) x WHERE x.rank > ${sql.raw(String(MAX))}) RETURNING id`);
  return deleted.length;
}
