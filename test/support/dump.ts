import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql/sql.ts';

/** Every row of every table as text; bytes also as the text they may hold. */
export async function dump(db: Database): Promise<string> {
  const tables = await db.query<{ name: string }>(
    sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await db.query(sql`SELECT * FROM ${sql.raw(`"${name}"`)}`);
    texts.push(JSON.stringify(rows, (_, value) => readable(value)));
  }
  return texts.join('\n');
}

const readable = (value: unknown): unknown =>
  typeof value === 'bigint'
    ? String(value)
    : value instanceof Uint8Array
      ? Buffer.from(value).toString('latin1')
      : value;
