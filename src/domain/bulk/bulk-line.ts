import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict } from '../kernel/errors.ts';
import { type BulkClaim, isClaimed, prolonged } from './bulk-claim.ts';

/** A line that was not answered yet. `input`: its variables as JSON. */
export interface BulkLine {
  line: number;
  input: string;
  /** Its change was committed by a process that did not store the answer. */
  tookEffect: boolean;
}

/** What a line came to. `answer`: JSON of an object, without the number of the line. */
export interface LineAnswer {
  answer: string;
  failed: boolean;
}

const answerWithError = (message: string, code: string): LineAnswer => ({
  answer: JSON.stringify({ data: null, errors: [{ message, code }] }),
  failed: true,
});

/** Of a line whose process died between its change and its answer. */
export const LOST_ANSWER = answerWithError(
  'This line was carried out, but its answer was lost. Read what came of it.',
  'CONFLICT',
);

/** Of a line at which the server failed again and again. */
export const GIVEN_UP = answerWithError(
  'Something went wrong on our side; this line was given up.',
  'INTERNAL',
);

/** The next lines of a claimed operation, in their order. */
export const nextBulkLines = (
  db: Database,
  { organizationId, id }: BulkClaim,
  limit: number,
): Promise<BulkLine[]> =>
  db.query<BulkLine>(sql`SELECT l.line, l.input, l.effect_at IS NOT NULL AS took_effect FROM bulk_operation_lines l
    WHERE l.organization_id = ${organizationId} AND l.operation_id = ${id} AND l.result IS NULL
      AND l.line > (SELECT b.done_count FROM bulk_operations b WHERE b.organization_id = ${organizationId} AND b.id = ${id})
    ORDER BY l.line LIMIT ${limit}`);

/**
 * The database for the changes of a line: each of its transactions marks the line, so that it takes effect at most once. They are refused
 * with CONFLICT once the operation was cancelled, or another process has it; who cancels it waits for the one that is open.
 */
export const databaseOfLine = (db: Database, claimed: BulkClaim, line: number): Database => ({
  ...db,
  onBegin: (tx) => markLine(tx, claimed, line),
});

async function markLine({ query }: Transaction, claimed: BulkClaim, line: number): Promise<void> {
  const { organizationId, id } = claimed;
  const marked = await query(sql`WITH claimed AS MATERIALIZED (
      SELECT b.id FROM bulk_operations b
      WHERE b.organization_id = ${organizationId} AND b.id = ${id} AND ${isClaimed(claimed)} FOR SHARE)
    UPDATE bulk_operation_lines l SET effect_at = coalesce(l.effect_at, now()) FROM claimed
    WHERE l.organization_id = ${organizationId} AND l.operation_id = claimed.id AND l.line = ${line}::int AND l.result IS NULL
    RETURNING l.line`);
  if (marked.length === 0) throw conflict('The bulk operation does not go on.');
}

/** Whether the line was marked by a transaction that was committed. */
export async function tookEffect(
  db: Database,
  { organizationId, id }: BulkClaim,
  line: number,
): Promise<boolean> {
  const marked =
    await db.query(sql`SELECT l.line FROM bulk_operation_lines l WHERE l.organization_id = ${organizationId}
    AND l.operation_id = ${id} AND l.line = ${line}::int AND l.effect_at IS NOT NULL`);
  return marked.length > 0;
}

/**
 * Stores what a line came to, and prolongs the claim. Of an operation that was cancelled meanwhile, only if the line took effect. False if
 * the operation does not go on here.
 */
export const storeAnswer = (
  db: Database,
  claimed: BulkClaim,
  line: number,
  { answer, failed }: LineAnswer,
): Promise<boolean> =>
  inTransaction(db, async ({ query }) => {
    const { organizationId, id, attempt } = claimed;
    const [operation] = await query<{ isRunning: boolean }>(sql`
      SELECT b.state = 'RUNNING' AS is_running FROM bulk_operations b
      WHERE b.organization_id = ${organizationId} AND b.id = ${id} AND b.attempt = ${attempt} FOR UPDATE`);
    if (!operation) return false;
    const stored = await query(sql`UPDATE bulk_operation_lines l SET result = ${answer}, input = ''
      WHERE l.organization_id = ${organizationId} AND l.operation_id = ${id} AND l.line = ${line}::int AND l.result IS NULL
        AND (${operation.isRunning}::boolean OR l.effect_at IS NOT NULL) RETURNING l.line`);
    if (stored.length === 0) return false;
    await query(sql`UPDATE bulk_operations b SET done_count = b.done_count + 1,
        failed_count = b.failed_count + ${failed ? 1 : 0}::int, ${prolonged}
      WHERE b.organization_id = ${organizationId} AND b.id = ${id}`);
    return operation.isRunning;
  });
