import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApprovalState } from '../../generated/prisma/client.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import { parse, text } from '../kernel/input.ts';
import { inOrderOf } from '../projects/project.ts';
import { denyOpenTasks } from '../tasks/task-denial.ts';
import { type Approval, findApprovals } from './approval.ts';
import { alreadyDecided, batchInput, type LockedApproval, requireApprovals } from './approval-batch.ts';
import { findEditors } from './approval-editor.ts';
import {
  advanceRuns,
  approvalEvent,
  approvalEvents,
  isOnTask,
  runReference,
  writeApprovalStates,
} from './approval-outcome.ts';
import {
  APPROVER_STATE_AFTER,
  type ApprovalAction,
  type ApprovalVerb,
  isExcluded,
  transition,
} from './approval-state.ts';
import { requireNoneStuck } from './process-progress.ts';

const decision = z.strictObject({ ...batchInput, comment: text(2_000).nullish() });

type Decision = z.input<typeof decision>;

/** Approves as the viewer, all or nothing. Requires the role EDITOR, as every decision. Throws as requireApprovals. */
export const approveApprovals = (ctx: Context, input: Decision) => decide(ctx, input, 'APPROVE');

/** Withdraws the viewer without a decision. An approval that all approvers declined is declined, which ends its run. */
export const declineApprovals = (ctx: Context, input: Decision) => decide(ctx, input, 'DECLINE');

/** Denies as the viewer. A denied approval ends its run, and denies its task if it is on one. */
export const denyApprovals = (ctx: Context, input: Decision) => decide(ctx, input, 'DENY');

function decide(ctx: Context, input: Decision, verb: ApprovalVerb): Promise<Approval[]> {
  const { comment = null, ...batch } = parse(decision, input);
  const by = ctx.viewer.userId;
  return inTransaction(ctx.db, async (tx) => {
    const approvals = await requireApprovals(ctx, tx, batch, by, 'decideApprovals');
    const states = new Map(approvals.map((each) => [each.id, requireTransition(each, { verb, by }).state]));
    const stateOf = ({ id }: LockedApproval) => states.get(id) as ApprovalState;
    await claimApprovers(tx, approvals, by, {
      state: APPROVER_STATE_AFTER[verb],
      comment,
      decidedAt: new Date(),
    });
    await writeApprovalStates(ctx, tx, approvals, stateOf);
    const advanced = await advanceRuns(ctx, tx, approvals, stateOf);
    requireNoneStuck(advanced.stuck, (stuckRunId) => approvals.find(({ runId }) => runId === stuckRunId)?.at);
    const deniedTasks = approvals.filter((each) => isOnTask(each) && stateOf(each) === 'DENIED');
    const denied = await denyOpenTasks(ctx, tx, deniedTasks.map(itemOf));
    await recordEvents(ctx, tx, [
      ...approvalEvents(
        approvals,
        stateOf,
        advanced,
        APPROVER_STATE_AFTER[verb],
        () => comment && { comment },
      ),
      ...denied,
    ]);
    return rereadApprovals(ctx, tx, approvals);
  });
}

/** Returns the approval after an action. Throws CONFLICT if its state does not allow that, FORBIDDEN for who is excluded. */
function requireTransition(approval: LockedApproval, action: ApprovalAction) {
  const after = transition(approval, action);
  if (after) return after;
  if (isExcluded(approval, action))
    throw forbidden('Who requested it or voted on an earlier step may not decide it.', approval.at);
  throw alreadyDecided(approval.at);
}

/** Updates the user's pending approver rows in one conditional update: each acts once. Throws CONFLICT. */
async function claimApprovers(
  tx: Transaction,
  approvals: readonly LockedApproval[],
  userId: string,
  data: Parameters<Transaction['prisma']['approver']['updateMany']>[0]['data'],
): Promise<void> {
  const { count } = await tx.prisma.approver.updateMany({
    where: { approvalId: { in: approvals.map(({ id }) => id) }, userId, state: 'PENDING' },
    data,
  });
  if (count < approvals.length) throw alreadyDecided();
}

const delegation = z.strictObject({
  ...batchInput,
  toUserId: z.string(),
  fromUserId: z.string().nullish(),
  reason: text(2_000).nullish(),
});

/**
 * Delegates approvals, all or nothing, to an editor of the project who is not an approver of them yet. With fromUserId
 * it delegates those of another user, who may have left; that requires the role ADMIN. The event has the reason. Throws
 * as requireApprovals, and FORBIDDEN for a person whom an approval excludes.
 */
export function delegateApprovals(ctx: Context, input: z.input<typeof delegation>): Promise<Approval[]> {
  const { toUserId: to, fromUserId, reason, ...batch } = parse(delegation, input);
  const by = fromUserId ?? ctx.viewer.userId;
  return inTransaction(ctx.db, async (tx) => {
    const approvals = await requireApprovals(
      ctx,
      tx,
      batch,
      by,
      by === ctx.viewer.userId ? 'decideApprovals' : 'delegateForOthers',
    );
    for (const projectId of new Set(approvals.map((each) => each.projectId)))
      if ((await findEditors(tx, projectId, [to])).length === 0)
        throw notFound('Editor of the project', 'toUserId');
    const states = new Map(
      approvals.map((each) => [each.id, requireTransition(each, { verb: 'DELEGATE', by, to }).state]),
    );
    await claimApprovers(tx, approvals, by, { userId: to, delegatedFromId: by });
    await writeApprovalStates(ctx, tx, approvals, ({ id }) => states.get(id) as ApprovalState);
    await recordEvents(
      ctx,
      tx,
      approvals.map((each) =>
        approvalEvent(each, each.id, 'approval.delegated', {
          before: { approverId: by },
          after: { approverId: to },
          ...(reason && { reason }),
          ...runReference(each),
        }),
      ),
    );
    return rereadApprovals(ctx, tx, approvals);
  });
}

const itemOf = ({ organizationId, projectId, itemId }: LockedApproval) => ({
  organizationId,
  projectId,
  id: itemId,
});

const rereadApprovals = async (ctx: Context, tx: Transaction, approvals: readonly LockedApproval[]) =>
  inOrderOf(
    await findApprovals(
      ctx,
      approvals.map(({ id }) => id),
      tx,
    ),
    approvals,
  );
