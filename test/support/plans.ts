import type { Reader } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';

/** A reader that runs nothing, and keeps the plans of what it is asked. */
export function explaining(db: Reader): { reader: Reader; lines: string[] } {
  const lines: string[] = [];
  const reader: Reader = {
    async query(statement) {
      const plan = await db.query<Record<string, string>>(sql`EXPLAIN ${statement}`);
      lines.push(...plan.flatMap((row) => Object.values(row)));
      return [];
    },
  };
  return { reader, lines };
}
