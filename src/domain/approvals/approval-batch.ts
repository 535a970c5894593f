import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ApprovalState, ProjectRole } from '../../generated/prisma/client.ts';
import { typeOfId } from '../../lib/id.ts';
import { visibleApprovals } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, notFound } from '../kernel/errors.ts';
import { requireBatchSize } from '../kernel/input.ts';
import { organizationsOf } from '../kernel/viewer.ts';
import { findProjects, inOrderOf, requireProject } from '../projects/project.ts';
import { type Approval, findApprovals } from './approval.ts';
import { findApprovalItems, lockItems, requireOpen } from './approval-item.ts';

/** ids: of approvals, or of the documents and tasks they are on. The rest pins them to a place. */
export const batchInput = {
  organizationId: z.string().nullish(),
  projectId: z.string().nullish(),
  ids: z.array(z.string()),
};

export interface ApprovalBatch {
  organizationId?: string | null;
  projectId?: string | null;
  ids: readonly string[];
}

/** An approval, held until the transaction ends, with everyone it asks. */
export type LockedApproval = Approval & { approvers: { userId: string; state: ApprovalState }[] };

/**
 * The approvals that wait for a user, in the order of the ids, each once. The id of an item stands for every approval of
 * it that waits for the user. Which they are is settled before they are held: of two equal calls at once, the second
 * finds that approval decided, and does not go on to the step after it.
 * Throws NOT_FOUND, FORBIDDEN where others are asked, and CONFLICT where it was decided, or its item is put away.
 */
export async function requireApprovals(
  ctx: Context,
  tx: Transaction,
  several: ApprovalBatch,
  userId: string,
  least: ProjectRole,
): Promise<LockedApproval[]> {
  requireBatchSize(several.ids, ctx.limits.batchMax, 'ids');
  await requirePlace(ctx, tx, several);
  const candidates = (await findCandidates(ctx, tx, several.ids, userId)).filter(
    (each) =>
      (!several.projectId || each.projectId === several.projectId) &&
      (!several.organizationId || each.organizationId === several.organizationId),
  );
  const meant = [...new Set(several.ids)].flatMap((id) => waitingOf(id, candidates));
  const projects = new Set(meant.map(({ projectId }) => projectId));
  for (const projectId of projects) await requireProject(ctx, tx, projectId, least);
  return hold(ctx, tx, [...new Map(meant.map((each) => [each.id, each])).values()]);
}

async function requirePlace(ctx: Context, tx: Transaction, { projectId, organizationId }: ApprovalBatch) {
  if (!projectId) return;
  const [project] = await findProjects(ctx, [projectId], tx);
  if (!project || (organizationId && project.organizationId !== organizationId)) throw notFound('Project');
}

interface Candidate {
  id: string;
  organizationId: string;
  projectId: string;
  itemId: string;
  state: ApprovalState;
  /** What the user said; null when it does not ask them. */
  said: ApprovalState | null;
}

function findCandidates(ctx: Context, tx: Transaction, ids: readonly string[], userId: string) {
  const of = (type: 'Approval' | 'Document' | 'Task') => ids.filter((id) => typeOfId(id) === type);
  const mine = sql`r.organization_id = ANY(${organizationsOf(ctx.viewer)})`;
  return tx.query<Candidate>(sql`SELECT a.id, a.organization_id, a.project_id, a.state::text AS state,
      coalesce(r.document_id, r.task_id) AS item_id, x.state::text AS said
    FROM approvals a JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
    LEFT JOIN approvers x ON x.organization_id = a.organization_id AND x.approval_id = a.id AND x.user_id = ${userId}
    WHERE (a.id = ANY(${of('Approval')}) OR (a.organization_id, a.run_id) IN (
      SELECT r.organization_id, r.id FROM process_runs r WHERE ${mine} AND r.document_id = ANY(${of('Document')})
      UNION ALL
      SELECT r.organization_id, r.id FROM process_runs r WHERE ${mine} AND r.task_id = ANY(${of('Task')})))
    AND ${visibleApprovals(ctx.viewer)} ORDER BY a.created_at, a.id`);
}

function waitingOf(id: string, candidates: readonly Candidate[]): Candidate[] {
  const named = candidates.filter((each) => each.id === id || each.itemId === id);
  if (named.length === 0) throw notFound('Approval', 'ids');
  const waiting = named.filter(({ state, said }) => state === 'PENDING' && said === 'PENDING');
  if (waiting.length > 0) return waiting;
  if (named.some(({ said }) => said !== null)) throw alreadyDecided();
  throw forbidden('An approval asks others.');
}

export const alreadyDecided = () => conflict('An approval was decided already.', 'ids');

/** Items first, then approvals, both in the order of their ids: so batches do not wait for each other. */
async function hold(ctx: Context, tx: Transaction, wanted: readonly Candidate[]): Promise<LockedApproval[]> {
  const itemIds = [...new Set(wanted.map(({ itemId }) => itemId))];
  const ids = wanted.map(({ id }) => id);
  await lockItems(tx, itemIds);
  await tx.query(sql`SELECT id FROM approvals WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`);
  const found = inOrderOf(await findApprovals(ctx, ids, tx), wanted);
  if (found.length < wanted.length) throw notFound('Approval', 'ids');
  requireOpen(await findApprovalItems(ctx, itemIds, tx), 'ids');
  const approvers = await tx.prisma.approver.findMany({
    where: { approvalId: { in: ids } },
    select: { approvalId: true, userId: true, state: true },
  });
  return found.map((each) => ({
    ...each,
    approvers: approvers.filter(({ approvalId }) => approvalId === each.id),
  }));
}
