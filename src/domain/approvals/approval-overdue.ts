import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inEnabledProject } from '../access/access.ts';
import { type DueWork, doDueWork } from '../due-work/due-work.ts';
import { type DueRow, mayBeTried } from '../due-work/failed-work.ts';
import { recordEvents, serverActor } from '../kernel/audit.ts';
import { tables } from '../kernel/tables.ts';
import { type ApprovalRef, approvalEvent, runReference } from './approval-outcome.ts';

type Overdue = ApprovalRef & { dueAt: Date; isWaiting: boolean };

/**
 * Records that the pending approval whose due time passed first is overdue, round-robin over the organizations, once; false if
 * there is none. Its approvers and the requester are notified. An item that was recycled or closed, or
 * whose project is disabled or deleted, waits for nobody.
 */
export const noteNextOverdueApproval = (db: Database): Promise<boolean> => doDueWork(db, noting);

const noting: DueWork<DueRow> = {
  work: 'overdueApproval',
  async claim(tx, idCondition) {
    const [approval] = await tx.query<DueRow>(sql`SELECT a.organization_id, a.id FROM ${tables.approvals.from}
      WHERE a.overdue_next_at <= now() AND a.organization_id ${idCondition}
        AND ${mayBeTried('overdueApproval', tables.approvals)}
      ORDER BY a.organization_id, a.overdue_next_at LIMIT 1 FOR UPDATE SKIP LOCKED`);
    return approval;
  },
  run: noteOverdue,
};

async function noteOverdue(tx: Transaction, { organizationId, id }: DueRow): Promise<void> {
  const [approval] = await tx.query<Overdue>(sql`
    UPDATE ${tables.approvals.from} SET overdue_next_at = NULL FROM process_runs r
      LEFT JOIN documents d ON d.organization_id = r.organization_id AND d.id = r.document_id
      LEFT JOIN tasks t ON t.organization_id = r.organization_id AND t.id = r.task_id
    WHERE a.organization_id = ${organizationId} AND a.id = ${id}
      AND r.organization_id = a.organization_id AND r.id = a.run_id
    RETURNING a.id, a.organization_id, a.project_id, a.run_id, a.due_at, r.process_id,
      coalesce(r.document_id, r.task_id) AS item_id,
      (coalesce(d.state = 'ACTIVE', t.state = 'OPEN') AND ${inEnabledProject(tables.approvals)}) AS is_waiting`);
  if (!approval?.isWaiting) return;
  const dueAt = approval.dueAt.toISOString();
  await recordEvents(serverActor('overdue'), tx, [
    approvalEvent(approval, approval.id, 'approval.overdue', { ...runReference(approval), dueAt }),
  ]);
}
