import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';

const KEY = sql`hashtextextended('docgraph.store', 0)`;

/** Until the end of the transaction, no sweep removes stored files for want of a row: its rows are not committed yet. */
export async function lockStore(tx: Transaction): Promise<void> {
  await tx.query(sql`SELECT pg_advisory_xact_lock(${KEY})::text`);
}

/** Whether a transaction stores files at this moment. */
export async function isStoreLocked(reader: Reader): Promise<boolean> {
  const [row] = await reader.query<{ isFree: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock_shared(${KEY}) AS is_free`,
  );
  return row?.isFree !== true;
}
