import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ApprovalState } from '../../generated/prisma/client.ts';
import { isEditor } from '../access/access.ts';
import { alreadyDecided } from '../approvals/approval-batch.ts';
import { lockItems } from '../approvals/approval-item.ts';
import {
  type ApprovalRef,
  advanceRuns,
  approvalEvents,
  isOnTask,
  writeApprovalStates,
} from '../approvals/approval-outcome.ts';
import { type ApprovalProgress, transition } from '../approvals/approval-state.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';
import { denyOpenTasks } from '../tasks/task-denial.ts';

type AffectedApproval = ApprovalRef & Omit<ApprovalProgress, 'excludedIds'> & { formerIds: string[] };

/** Where approvers may have lost the right to decide: an organization or one of its projects, and by default anyone. */
interface ApproverScope {
  organizationId: string;
  projectId?: string;
  userIds?: readonly string[];
}

/**
 * Declines pending approvals for approvers in `scope` who are no editors of the project any more. The run continues if
 * the others have approved, and is declined if no approver is left. Returns the events. Call it after the change of
 * membership, in its transaction, with the memberships or the project locked.
 */
export async function declineForFormerApprovers(
  ctx: Context,
  tx: Transaction,
  scope: ApproverScope,
): Promise<NewEvent[]> {
  const approvals = await lockAffectedApprovals(tx, scope);
  if (approvals.length === 0) return [];
  const states = new Map(approvals.map((each) => [each.id, stateAfterDeclining(each)]));
  const stateOf = ({ id }: AffectedApproval) => states.get(id) as ApprovalState;
  const rows = approvals.flatMap(({ id, formerIds }) => formerIds.map((userId) => ({ id, userId })));
  await tx.query(sql`UPDATE approvers x SET state = 'DECLINED', decided_at = ${new Date()}::timestamptz
    FROM unnest(${sql.texts(rows.map(({ id }) => id))}, ${sql.texts(rows.map(({ userId }) => userId))}) AS k(id, user_id)
    WHERE x.organization_id = ${scope.organizationId} AND x.approval_id = k.id AND x.user_id = k.user_id
    AND x.state = 'PENDING' RETURNING x.user_id`);
  await writeApprovalStates(ctx, tx, approvals, stateOf);
  const advanced = await advanceRuns(ctx, tx, approvals, stateOf);
  const events = approvalEvents(approvals, stateOf, advanced, 'DECLINED', ({ formerIds }) => ({
    leftApproverIds: formerIds,
  }));
  return [
    ...events,
    ...(await denyTasks(
      ctx,
      tx,
      approvals.filter((each) => stateOf(each) === 'DENIED'),
    )),
  ];
}

/** Denies the open tasks of approvals that are denied now, as too few approvers are left. Returns the events. */
async function denyTasks(ctx: Context, tx: Transaction, denied: readonly AffectedApproval[]) {
  const ids = denied.filter(isOnTask).map(({ itemId }) => itemId);
  if (ids.length === 0) return [];
  const tasks = await tx.prisma.task.findMany({
    where: { organizationId: denied[0]?.organizationId, id: { in: ids }, state: 'OPEN' },
    select: { organizationId: true, projectId: true, id: true },
  });
  return denyOpenTasks(ctx, tx, tasks);
}

function stateAfterDeclining({ formerIds, ...approval }: AffectedApproval): ApprovalState {
  // Whoever is excluded may decline.
  let after: ApprovalProgress = { ...approval, excludedIds: [] };
  for (const by of formerIds) {
    const next = transition(after, { verb: 'DECLINE', by });
    if (!next) throw alreadyDecided();
    after = next;
  }
  return after.state;
}

/**
 * Locks the affected approvals in the order that decisions use, and reads them again: one may have been decided
 * meanwhile.
 */
async function lockAffectedApprovals(tx: Transaction, scope: ApproverScope): Promise<AffectedApproval[]> {
  const candidates = await findAffectedApprovals(tx, scope);
  const ids = candidates.map(({ id }) => id);
  await lockItems(
    tx,
    candidates.map(({ itemId }) => itemId),
  );
  await tx.query(sql`SELECT id FROM approvals WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`);
  const affected = await findAffectedApprovals(tx, scope);
  const approvers = await tx.prisma.approver.findMany({
    where: { approvalId: { in: affected.map(({ id }) => id) } },
    orderBy: { userId: 'asc' },
  });
  return affected.map((each) => ({
    ...each,
    approvers: approvers.filter(({ approvalId }) => approvalId === each.id),
  }));
}

/** Ids of the approvals that wait for one of these people. */
const pendingFor = (organizationId: string, userIds: readonly string[]) =>
  sql`SELECT x.approval_id FROM approvers x WHERE x.organization_id = ${organizationId} AND x.user_id ${sql.any(userIds)} AND x.state = 'PENDING'`;

const findAffectedApprovals = (tx: Transaction, { organizationId, projectId, userIds }: ApproverScope) =>
  tx.query<Omit<AffectedApproval, 'approvers'>>(sql`
    SELECT a.id, a.organization_id, a.project_id, a.run_id, a.rule::text AS rule, a.need, a.veto, a.state::text AS state, r.process_id,
      coalesce(r.document_id, r.task_id) AS item_id, l.former_ids
    FROM approvals a JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
    JOIN ${tables.projects.from} ON p.organization_id = a.organization_id AND p.id = a.project_id
    CROSS JOIN LATERAL (SELECT array_agg(x.user_id ORDER BY x.user_id) AS former_ids FROM approvers x
      WHERE x.organization_id = a.organization_id AND x.approval_id = a.id AND x.state = 'PENDING'
      AND ${userIds ? sql`x.user_id = ANY(${userIds})` : sql`true`}
      AND NOT EXISTS (SELECT FROM ${tables.memberships.from} WHERE m.user_id = x.user_id AND ${isEditor(tables.memberships, tables.projects)})) l
    WHERE a.organization_id = ${organizationId} AND ${userIds ? sql`a.id = ANY(ARRAY(${pendingFor(organizationId, userIds)}))` : sql`true`}
    AND ${projectId ? sql`a.project_id = ${projectId}` : sql`true`}
    AND a.state = 'PENDING' AND l.former_ids IS NOT NULL ORDER BY a.created_at, a.id`);
