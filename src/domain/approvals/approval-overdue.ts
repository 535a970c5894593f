import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inEnabledProject } from '../access/access.ts';
import { type DueWork, doDueWork } from '../due-work/due-work.ts';
import { type DueRow, mayBeTried } from '../due-work/failed-work.ts';
import { type NewEvent, recordEvents, serverActor } from '../kernel/audit.ts';
import { tables } from '../kernel/tables.ts';
import { escalate, type OverdueApproval } from './approval-escalation.ts';
import { tryLockItem } from './approval-item.ts';
import {
  advanceRuns,
  approvalEvent,
  approvalEvents,
  runReference,
  writeApprovalStates,
} from './approval-outcome.ts';

/**
 * Does, once, what the pending approval whose due time passed first requires: its approvers and the requester are
 * notified, further people get a vote, or it is declined. Round-robin over the organizations; false if there is none. An
 * item that was recycled or closed, or whose project is disabled or deleted, waits for nobody.
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

const actor = serverActor('overdue');

async function noteOverdue(tx: Transaction, row: DueRow): Promise<void> {
  const approval = await readOverdue(tx, row);
  if (!approval) return;
  const { onOverdue, itemId, isWaiting } = approval;
  // A decision locks its item first. The approval stays due, and whoever has the lock may decide it.
  if (onOverdue !== 'REMIND' && !(await tryLockItem(tx, itemId))) return;
  await setNextTime(tx, row, !isWaiting && onOverdue !== 'REMIND');
  if (isWaiting) await recordEvents(actor, tx, await act(tx, approval));
}

/** Reads the locked approval. */
async function readOverdue(tx: Transaction, { organizationId, id }: DueRow) {
  const [approval] = await tx.query<OverdueApproval>(sql`
    SELECT a.id, a.organization_id, a.project_id, a.run_id, a.step_id, a.rule::text AS rule, a.need, a.on_overdue::text AS on_overdue, a.due_at, r.process_id,
      coalesce(r.document_id, r.task_id) AS item_id,
      (coalesce(d.state = 'ACTIVE', t.state = 'OPEN') AND ${inEnabledProject(tables.approvals)}) AS is_waiting
    FROM ${tables.approvals.from}
    JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
    LEFT JOIN documents d ON d.organization_id = r.organization_id AND d.id = r.document_id
    LEFT JOIN tasks t ON t.organization_id = r.organization_id AND t.id = r.task_id
    WHERE a.organization_id = ${organizationId} AND a.id = ${id}`);
  return approval;
}

/** Ends what is due of the approval; again: once more in a day, as its item may be restored. */
const setNextTime = (tx: Transaction, { organizationId, id }: DueRow, again: boolean) =>
  tx.query(sql`UPDATE approvals SET overdue_next_at = ${again ? sql`now() + interval '1 day'` : sql`NULL`}
    WHERE organization_id = ${organizationId} AND id = ${id}`);

/** Does what its step requires, and returns the events. */
async function act(tx: Transaction, approval: OverdueApproval): Promise<NewEvent[]> {
  const dueAt = approval.dueAt.toISOString();
  if (approval.onOverdue === 'DECLINE') return decline(tx, approval, dueAt);
  const data = { ...runReference(approval), dueAt };
  if (approval.onOverdue === 'REMIND')
    return [approvalEvent(approval, approval.id, 'approval.overdue', data)];
  const { approverIds, need } = await escalate(tx, approval);
  const overdue = { ...data, escalatedToIds: approverIds };
  const escalated = { ...data, approvalId: approval.id, approverIds, ...(need !== undefined && { need }) };
  return [
    approvalEvent(approval, approval.id, 'approval.overdue', overdue),
    ...(approverIds.length > 0
      ? [approvalEvent(approval, approval.id, 'approval.escalated', escalated)]
      : []),
  ];
}

/** Declines the approval, which ends its run; nobody has decided it. */
async function decline(tx: Transaction, approval: OverdueApproval, dueAt: string): Promise<NewEvent[]> {
  const stateOf = () => 'DECLINED' as const;
  await writeApprovalStates(actor, tx, [approval], stateOf);
  const advanced = await advanceRuns(actor, tx, [approval], stateOf);
  return approvalEvents([approval], stateOf, advanced, 'DECLINED', () => ({ dueAt }));
}
