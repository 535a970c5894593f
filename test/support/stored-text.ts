import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';

/** The tables with a row that has the text in some column. */
export async function tablesWith(db: Database, text: string): Promise<string[]> {
  const tables = await db.query<{
    name: string;
  }>(sql`SELECT t.table_name AS name FROM information_schema.tables t
    WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE' ORDER BY 1`);
  const names: string[] = [];
  for (const { name } of tables) {
    const rows = await db.query(
      sql`SELECT 1 AS one FROM ${sql.raw(`"${name}"`)} r WHERE r::text LIKE ${`%${text}%`} LIMIT 1`,
    );
    if (rows.length > 0) names.push(name);
  }
  return names;
}
