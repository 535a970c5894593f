import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { SECOND } from '../../src/lib/time.ts';

/** The tables of an organization in which something becomes due. */
const TABLES = [
  'tasks',
  'approvals',
  'signature_sessions',
  'signature_recipients',
  'mails',
  'notifications',
  'substitutes',
];

/**
 * As if `ms` milliseconds had passed for an organization: all times in these tables are that much earlier, seen from the
 * database's clock. Triggers do not run.
 */
export const passTime = (db: Database, organizationId: string, ms: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    await tx.query(sql`SELECT set_config('session_replication_role', 'replica', true)`);
    const columns = await tx.query<{ table: string; columns: string[] }>(sql`SELECT table_name AS "table",
        array_agg(column_name::text) AS columns FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = ANY(${TABLES}) AND data_type = 'timestamp with time zone'
      GROUP BY table_name`);
    for (const { table, columns: names } of columns)
      await tx.query(
        sql`UPDATE ${sql.raw(table)} SET ${sql.join(
          names.map(
            (name) => sql`${sql.raw(name)} = ${sql.raw(name)} - make_interval(secs => ${ms / SECOND})`,
          ),
          ', ',
        )} WHERE organization_id = ${organizationId}`,
      );
  });
