import type { Reader } from '../../src/db/database.ts';
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
