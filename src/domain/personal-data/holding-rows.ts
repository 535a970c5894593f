import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { type Holding, isAbout, type Person } from './holding.ts';

/** A row as it is exported, with the cursor behind which the next one is. */
export interface HeldRow {
  cursor: string;
  data: Record<string, unknown>;
}

const cursorOf = ({ cursor }: Holding): Sql => sql`(${sql.raw(cursor)}) COLLATE "C"`;

/** Names of columns as members of the graph have them. */
const memberOf = (column: string): string => column.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

const exported = ({ columns }: Holding): Sql =>
  sql.raw(`jsonb_build_object(${columns.map((each) => `'${memberOf(each)}', ${quoted(each)}`).join(', ')})`);

/** `values` and others are words of SQL. */
const quoted = (column: string): string => `"${column}"`;

/** The next rows about a person, at most `limit`. */
export const listHeld = (
  reader: Reader,
  holding: Holding,
  person: Person,
  { after, limit }: { after: string; limit: number },
): Promise<HeldRow[]> =>
  reader.query<HeldRow>(sql`SELECT ${cursorOf(holding)} AS cursor, ${exported(holding)} AS data FROM ${sql.raw(holding.table)}
    WHERE ${isAbout(holding, person)} AND ${cursorOf(holding)} > ${after} ORDER BY ${cursorOf(holding)} LIMIT ${limit}`);

export async function countHeld(reader: Reader, holding: Holding, person: Person): Promise<number> {
  const [{ count }] = (await reader.query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM ${sql.raw(holding.table)} WHERE ${isAbout(holding, person)}`,
  )) as [{ count: number }];
  return count;
}

/** Deletes the rows about a person, and returns how many there were. */
export async function deleteHeld(tx: Reader, holding: Holding, person: Person): Promise<number> {
  const deleted = await tx.query(
    sql`DELETE FROM ${sql.raw(holding.table)} WHERE ${isAbout(holding, person)} RETURNING 1 AS deleted`,
  );
  return deleted.length;
}
