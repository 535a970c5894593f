import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ApprovalState } from '../../generated/prisma/client.ts';
import { typeOfId } from '../../lib/id.ts';
import { visibleApprovals } from '../access/access.ts';
import type { ProjectAction } from '../access/project-action.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, notFound } from '../kernel/errors.ts';
import { requireBatchSize } from '../kernel/input.ts';
import { isInPath, type ProjectPath, projectPath } from '../kernel/project-path.ts';
import { tables } from '../kernel/tables.ts';
import { organizationsOf } from '../kernel/viewer.ts';
import { inOrderOf, requireClosedProject, requireProject, requireProjectPath } from '../projects/project.ts';
import { type Approval, findApprovals } from './approval.ts';
import { findApprovalItems, lockItems, requireOpen } from './approval-item.ts';

/** Input of a decision on several approvals. ids: of approvals, or of their documents and tasks. */
export const batchInput = {
  ...projectPath,
  ids: z.array(z.string()),
};

/** batchInput, parsed. With organizationId or projectId, approvals elsewhere are NOT_FOUND. */
export interface ApprovalBatch extends ProjectPath {
  ids: readonly string[];
}

/** An approval with its approvers, its row locked until the transaction ends. */
export type LockedApproval = Approval & {
  approvers: { userId: string; state: ApprovalState }[];
  /** Who may not decide it, as its step required when it was requested. */
  excludedIds: string[];
  /** The path of the id that selected it. */
  at: string;
};

/**
 * Locks and returns the approvals pending for a user, in the order of the ids, each once; an item's id stands for all
 * its approvals pending for them. They are selected before locking, so a repeated call does not decide the next step.
 * Throws NOT_FOUND, FORBIDDEN if only others are approvers, CONFLICT if decided or the item is closed or recycled.
 */
export async function requireApprovals(
  ctx: Context,
  tx: Transaction,
  batch: ApprovalBatch,
  userId: string,
  action: ProjectAction,
): Promise<LockedApproval[]> {
  requireBatchSize(batch.ids, ctx.limits.batchMax, 'ids');
  await requireProjectPath(ctx, tx, batch);
  const candidates = (await findMatches(ctx, tx, batch.ids, userId)).filter((each) => isInPath(each, batch));
  const pathOf = positionIn('ids', batch.ids);
  const selected = [...new Set(batch.ids)].flatMap((id) => requirePending(id, candidates, pathOf(id)));
  const projects = new Set(selected.map(({ projectId }) => projectId));
  const worked = new Set(selected.filter(({ isDisposal }) => !isDisposal).map(({ projectId }) => projectId));
  for (const projectId of projects)
    await (worked.has(projectId) ? requireProject : requireClosedProject)(ctx, tx, projectId, action);
  // The first id that selects an approval gives its path.
  return lockApprovals(
    ctx,
    tx,
    [...new Map(selected.reverse().map((each) => [each.id, each])).values()].reverse(),
  );
}

interface Candidate {
  id: string;
  organizationId: string;
  projectId: string;
  itemId: string;
  state: ApprovalState;
  /** Whether it reviews a disposal, which goes on in a project that is closed, and for what is in the recycle bin. */
  isDisposal: boolean;
  /** The user's own state as an approver; null if they are not one. */
  approverState: ApprovalState | null;
}

/** A candidate, and the path of the id that selected it. */
type Selected = Candidate & { at: string };

function findMatches(ctx: Context, tx: Transaction, ids: readonly string[], userId: string) {
  const of = (type: 'Approval' | 'Document' | 'Task') => ids.filter((id) => typeOfId(id) === type);
  const mine = sql`r.organization_id = ANY(${organizationsOf(ctx.viewer)})`;
  return tx.query<Candidate>(sql`SELECT a.id, a.organization_id, a.project_id, a.state::text AS state,
      coalesce(r.document_id, r.task_id) AS item_id, c.retention_policy_id IS NOT NULL AS is_disposal,
      x.state::text AS approver_state
    FROM ${tables.approvals.from} JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
    JOIN processes c ON c.organization_id = r.organization_id AND c.id = r.process_id
    LEFT JOIN approvers x ON x.organization_id = a.organization_id AND x.approval_id = a.id AND x.user_id = ${userId}
    WHERE (a.id ${sql.any(of('Approval'))} OR (a.organization_id, a.run_id) IN (
      SELECT r.organization_id, r.id FROM process_runs r WHERE ${mine} AND r.document_id = ANY(${of('Document')})
      UNION ALL
      SELECT r.organization_id, r.id FROM process_runs r WHERE ${mine} AND r.task_id = ANY(${of('Task')})))
    AND ${visibleApprovals(ctx.viewer, tables.approvals)} ORDER BY a.created_at, a.id`);
}

function requirePending(id: string, candidates: readonly Candidate[], at: string): Selected[] {
  const matches = candidates.filter((each) => each.id === id || each.itemId === id);
  if (matches.length === 0) throw notFound('Approval', at);
  const pending = matches.filter(
    ({ state, approverState }) => state === 'PENDING' && approverState === 'PENDING',
  );
  if (pending.length > 0) return pending.map((each) => ({ ...each, at }));
  if (matches.some(({ approverState }) => approverState !== null)) throw alreadyDecided(at);
  throw forbidden('The approval has other approvers.', at);
}

/** The CONFLICT of an approval that is no longer pending. */
export const alreadyDecided = (at = 'ids') => conflict('An approval was decided already.', at);

/** Locks the items, then the approvals, each in the order of ids, so that concurrent batches do not deadlock. */
async function lockApprovals(
  ctx: Context,
  tx: Transaction,
  candidates: readonly Selected[],
): Promise<LockedApproval[]> {
  const itemIds = [...new Set(candidates.map(({ itemId }) => itemId))];
  const ids = candidates.map(({ id }) => id);
  await lockItems(tx, itemIds);
  await tx.query(sql`SELECT id FROM approvals WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`);
  const approvals = inOrderOf(await findApprovals(ctx, ids, tx), candidates);
  const pathOf = (id: string) => candidates.find((each) => each.id === id || each.itemId === id)?.at ?? 'ids';
  requireFound('Approval', ids, approvals, pathOf);
  const workedIds = new Set(candidates.flatMap(({ itemId, isDisposal }) => (isDisposal ? [] : itemId)));
  requireOpen(
    (await findApprovalItems(ctx, itemIds, tx)).filter(({ id }) => workedIds.has(id)),
    pathOf,
  );
  const approvers = await tx.prisma.approver.findMany({
    where: { approvalId: { in: ids } },
    select: { approvalId: true, userId: true, state: true },
  });
  const excluded = new Map((await findExcluded(tx, ids)).map((each) => [each.id, each.userIds]));
  return approvals.map((each) => ({
    ...each,
    at: pathOf(each.id),
    excludedIds: excluded.get(each.id) ?? [],
    approvers: approvers.filter(({ approvalId }) => approvalId === each.id),
  }));
}

/** The requesters whom these approvals exclude, and who voted on earlier steps of their runs if they exclude those. */
export const findExcluded = (tx: Transaction, ids: readonly string[]) =>
  tx.query<{
    id: string;
    userIds: string[];
  }>(sql`SELECT a.id, array_agg(k.user_id ORDER BY k.user_id) AS user_ids
    FROM approvals a JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
    CROSS JOIN LATERAL (SELECT r.created_by_id AS user_id WHERE a.exclude_requester
      UNION SELECT x.user_id FROM approvals b
      JOIN approvers x ON x.organization_id = b.organization_id AND x.approval_id = b.id
      WHERE a.distinct_from_earlier AND b.organization_id = a.organization_id AND b.run_id = a.run_id
        AND b.created_at < a.created_at AND x.state IN ('APPROVED', 'DENIED')) k
    WHERE a.id ${sql.any(ids)} GROUP BY a.id`);
