import { nowPlus } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Actor, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { type BulkOperation, findBulkOperations, RETENTION } from './bulk-operation.ts';

/** How an operation ended. `failure`: the public text of why not all lines were run. */
export interface BulkEnd {
  state: 'COMPLETED' | 'CANCELLED' | 'FAILED';
  failure?: string;
}

type Which = Pick<BulkOperation, 'organizationId' | 'id'>;

/** Ends an operation that has not ended and meets the condition, with its event; false for any other. */
export async function endBulkOperation(
  tx: Transaction,
  actor: Actor,
  { organizationId, id }: Which,
  { state, failure }: BulkEnd,
  condition: Sql = sql`true`,
): Promise<boolean> {
  const [ended] = await tx.query<{ lineCount: number; doneCount: number; failedCount: number }>(sql`
    UPDATE bulk_operations b SET state = ${state}::bulk_operation_state, failure = ${failure ?? null}, next_at = NULL,
      completed_at = now(), expires_at = ${nowPlus(RETENTION)}
    WHERE b.organization_id = ${organizationId} AND b.id = ${id} AND b.next_at IS NOT NULL AND ${condition}
    RETURNING b.line_count, b.done_count, b.failed_count`);
  if (!ended) return false;
  const after = { state, ...ended, ...(failure !== undefined && { failure }) };
  await recordEvents(actor, tx, [
    { organizationId, subjectId: id, kind: 'bulkOperation.ended', data: { after } },
  ]);
  return true;
}

/**
 * Ends an operation before its end; the lines that were done stay done. For who started it, owners and admins. Throws NOT_FOUND,
 * CONFLICT for one that has ended, and what `requireMutation` throws to a credential that may not run its mutation.
 */
export function cancelBulkOperation(
  ctx: Context,
  id: string,
  requireMutation: (text: string) => void,
): Promise<BulkOperation> {
  return inTransaction(ctx.db, async (tx) => {
    const [operation] = await findBulkOperations(ctx, [id], tx);
    if (!operation) throw notFound('BulkOperation', 'bulkOperationId');
    requireMutation(operation.mutation);
    if (!(await endBulkOperation(tx, ctx, operation, { state: 'CANCELLED' })))
      throw conflict('The operation has ended.', 'bulkOperationId');
    const [cancelled] = await findBulkOperations(ctx, [id], tx);
    return cancelled as BulkOperation;
  });
}

/** Rows per transaction. */
const BATCH = 20;

/** Deletes operations whose results are not kept any more, with their lines. Returns how many. */
export async function deleteOldBulkOperations(db: Database): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await inTransaction(db, ({ query }) =>
      query(sql`DELETE FROM bulk_operations WHERE (organization_id, id) IN (
        SELECT b.organization_id, b.id FROM bulk_operations b WHERE b.expires_at <= now() AND b.next_at IS NULL
        LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) RETURNING id`),
    );
    total += deleted.length;
    if (deleted.length < BATCH) return total;
  }
}
