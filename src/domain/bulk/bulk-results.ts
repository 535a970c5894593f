import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { BulkTicket } from '../../files/transfer/signed-url.ts';
import { LOST_ANSWER } from './bulk-line.ts';

/** Lines that are read at a time: an answer has 64 KiB at most. */
const PAGE = 100;

interface ResultRow {
  line: number;
  answer: string;
}

/** Pages of the answers so far, as JSON Lines in the order of the input. Undefined if there is no such operation. */
export async function bulkResults(
  db: Database,
  operation: BulkTicket,
): Promise<AsyncGenerator<string, void, void> | undefined> {
  const { organizationId, id } = operation;
  const present = await db.query(
    sql`SELECT b.id FROM bulk_operations b WHERE b.organization_id = ${organizationId} AND b.id = ${id}`,
  );
  return present.length > 0 ? pagesOf(db, operation) : undefined;
}

async function* pagesOf(db: Database, operation: BulkTicket): AsyncGenerator<string, void, void> {
  for (let after = 0; ; ) {
    const rows = await readPage(db, operation, after);
    if (rows.length > 0) yield rows.map(lineOf).join('');
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.line;
  }
}

/** Of an operation that has ended, also lines that took effect without an answer. */
const readPage = (db: Database, { organizationId, id }: BulkTicket, after: number): Promise<ResultRow[]> =>
  db.query<ResultRow>(sql`SELECT l.line, coalesce(l.result, ${LOST_ANSWER.answer}) AS answer FROM bulk_operation_lines l
    JOIN bulk_operations b ON b.organization_id = l.organization_id AND b.id = l.operation_id
    WHERE l.organization_id = ${organizationId} AND l.operation_id = ${id} AND l.line > ${after}::int
      AND (l.result IS NOT NULL OR (l.effect_at IS NOT NULL AND b.next_at IS NULL))
    ORDER BY l.line LIMIT ${PAGE}`);

/** The answer is JSON of an object that is not empty. */
const lineOf = ({ line, answer }: ResultRow): string => `{"line":${line},${answer.slice(1)}\n`;
