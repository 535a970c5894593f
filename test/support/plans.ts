import type { Reader, Transaction } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';

/** A reader that answers nothing, and keeps the plans of what it is asked; with `run` it runs them, and they say what they did. */
export function explaining(db: Reader, run = false): { reader: Reader; lines: string[] } {
  const lines: string[] = [];
  const explain = sql.raw(run ? 'EXPLAIN (ANALYZE)' : 'EXPLAIN');
  const reader: Reader = {
    async query(statement) {
      const plan = await db.query<Record<string, string>>(sql`${explain} ${statement}`);
      lines.push(...plan.flatMap((row) => Object.values(row)));
      return [];
    },
  };
  return { reader, lines };
}

/** The number of rows of a table that `work` reads. */
export async function rowsRead(
  tx: Transaction,
  work: () => Promise<unknown>,
  table = 'documents',
): Promise<number> {
  const rows = sql`SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) AS rows
    FROM pg_stat_xact_user_tables WHERE relname = ${table}`;
  const [before] = await tx.query<{ rows: bigint }>(rows);
  await work();
  const [after] = await tx.query<{ rows: bigint }>(rows);
  return Number(after?.rows) - Number(before?.rows);
}
