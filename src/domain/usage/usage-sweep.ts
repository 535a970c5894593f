import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { LAST_HIDDEN_DAY } from './usage.ts';

/** Deletes at most `limit` rows of each table that are not shown any more. Returns the larger number. */
export async function deleteOldUsage(tx: Transaction, limit: number): Promise<number> {
  const days = await tx.query(sql`DELETE FROM usage_days WHERE (used_by, day) IN (
    SELECT used_by, day FROM usage_days WHERE day <= ${LAST_HIDDEN_DAY} LIMIT ${limit} FOR UPDATE SKIP LOCKED) RETURNING 1 AS deleted`);
  const marks = await tx.query(sql`DELETE FROM usage_marks WHERE (used_by, day, kind, name) IN (
    SELECT used_by, day, kind, name FROM usage_marks WHERE day <= ${LAST_HIDDEN_DAY}
    LIMIT ${limit} FOR UPDATE SKIP LOCKED) RETURNING 1 AS deleted`);
  return Math.max(days.length, marks.length);
}
