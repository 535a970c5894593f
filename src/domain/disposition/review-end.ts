import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ProcessRun } from '../approvals/process-run.ts';
import { withdrawRuns } from '../approvals/process-withdraw.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import type { RetentionPolicy } from './policy.ts';

/** Withdraws the pending reviews of a policy, and leaves its processes to their projects, disabled. Returns the events to record. */
export async function endReviews(
  ctx: Context,
  tx: Transaction,
  { organizationId, id }: RetentionPolicy,
): Promise<NewEvent[]> {
  const pending =
    await tx.query<ProcessRun>(sql`SELECT r.*, coalesce(r.document_id, r.task_id) AS item_id FROM process_runs r
    JOIN processes c ON c.organization_id = r.organization_id AND c.id = r.process_id
    WHERE c.organization_id = ${organizationId} AND c.retention_policy_id = ${id} AND r.state = 'PENDING' ORDER BY r.id`);
  const events = await withdrawRuns(ctx, tx, pending, {
    pathOf: () => 'policyId',
    reason: 'Its retention policy was deleted.',
  });
  await tx.prisma.process.updateMany({
    where: { organizationId, retentionPolicyId: id },
    data: { retentionPolicyId: null, archivedAt: new Date() },
  });
  return events;
}
