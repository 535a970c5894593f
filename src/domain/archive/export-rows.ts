import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { type ArchiveTable, identifier } from './catalog.ts';

/** Rows that are read at a time. */
const BATCH = 500;

const CURSOR = sql.raw('archive_rows');

/**
 * Yields the rows of an organization in a table as JSON Lines, in the order of the primary key, in the transaction. Values are
 * written by PostgreSQL, so that they are read as the same: times in UTC, bytes in hexadecimal, numbers with all their digits.
 */
export async function* rowLines(
  tx: Reader,
  { columns, key, rowsOf }: ArchiveTable,
  organizationId: string,
): AsyncGenerator<string[]> {
  const [values, order] = [sql.join(columns.map(identifier)), sql.join(key.map(identifier))];
  await tx.query(sql`DECLARE ${CURSOR} NO SCROLL CURSOR FOR SELECT to_jsonb(r)::text AS line
    FROM (SELECT ${values} ${rowsOf(organizationId)} ORDER BY ${order}) r`);
  for (;;) {
    const rows = await tx.query<{ line: string }>(sql`FETCH ${sql.raw(String(BATCH))} FROM ${CURSOR}`);
    if (rows.length > 0) yield rows.map(({ line }) => `${line}\n`);
    if (rows.length < BATCH) break;
  }
  await tx.query(sql`CLOSE ${CURSOR}`);
}

/** The last migration of the database. */
export async function lastMigration(tx: Pick<Transaction, 'query'>): Promise<string> {
  const [row] = await tx.query<{ name: string }>(sql`SELECT m.migration_name AS name FROM _prisma_migrations m
    WHERE m.rolled_back_at IS NULL ORDER BY m.migration_name DESC LIMIT 1`);
  return row?.name ?? '';
}
