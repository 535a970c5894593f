import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { tables } from '../kernel/tables.ts';
import { LAST_HIDDEN_DAY } from './usage.ts';

/** An API key or an application, and how often it used something deprecated in the days that are shown. */
export interface DeprecatedCaller {
  /** Of what is deprecated. */
  name: string;
  usedBy: string;
  /** Who to write to: the person whose key it is, or the organization of the application; null if it was deleted. */
  owner: string | null;
  /** Of the key or the application. */
  label: string | null;
  count: bigint;
  lastAt: Date;
}

/** Everybody in the installation who uses something that is deprecated, by its name, most frequent first; for the operator. */
export const deprecatedCallers = (db: Reader): Promise<DeprecatedCaller[]> =>
  db.query<DeprecatedCaller>(sql`
    SELECT x.name, x.used_by, coalesce(c.name, a.name) AS label, coalesce(o.name, u.email) AS owner, x.count, x.last_at
    FROM (SELECT m.name, m.used_by, sum(m.count)::bigint AS count, max(m.last_at) AS last_at FROM usage_marks m
      WHERE m.kind = 'DEPRECATED' AND m.day > ${LAST_HIDDEN_DAY} GROUP BY m.name, m.used_by) x
    LEFT JOIN ${tables.clients.from} ON c.id = x.used_by LEFT JOIN ${tables.organizations.from} ON o.id = c.organization_id
    LEFT JOIN ${tables.apiKeys.from} ON a.id = x.used_by LEFT JOIN users u ON u.id = a.user_id
    ORDER BY x.name, x.count DESC, x.used_by`);
