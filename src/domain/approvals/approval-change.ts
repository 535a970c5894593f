import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { ApprovalState } from '../../generated/prisma/client.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { parse, text } from '../kernel/input.ts';
import { inOrderOf } from '../projects/project.ts';
import { denyOpenTasks } from '../tasks/task-denial.ts';
import { type Approval, findApprovals } from './approval.ts';
import { alreadyDecided, batchInput, type LockedApproval, requireApprovals } from './approval-batch.ts';
import {
  advanceRuns,
  approvalEvents,
  isOnTask,
  newEvent,
  runReference,
  writeApprovalStates,
} from './approval-outcome.ts';
import {
  APPROVER_STATE_AFTER,
  type ApprovalAction,
  type ApprovalVerb,
  transition,
} from './approval-state.ts';
import { findEditors } from './process-change.ts';
import { noApprover } from './process-progress.ts';

const decision = z.strictObject({ ...batchInput, comment: text(2_000).nullish() });

type Decision = z.input<typeof decision>;

/** Says yes, for oneself. All or nothing; takes the role EDITOR in the project, as every decision does. */
export const approveApprovals = (ctx: Context, input: Decision) => decide(ctx, input, 'APPROVE');

/** Takes oneself out, without deciding. An approval that everyone declined is declined, and ends its run. */
export const declineApprovals = (ctx: Context, input: Decision) => decide(ctx, input, 'DECLINE');

/** Says no: ends the run, and denies the task that it is on. */
export const denyApprovals = (ctx: Context, input: Decision) => decide(ctx, input, 'DENY');

function decide(ctx: Context, input: Decision, verb: ApprovalVerb): Promise<Approval[]> {
  const { comment = null, ...wanted } = parse(decision, input);
  const by = ctx.viewer.userId;
  return inTransaction(ctx.db, async (tx) => {
    const held = await requireApprovals(ctx, tx, wanted, by, 'EDITOR');
    const states = new Map(held.map((each) => [each.id, move(each, { verb, by }).state]));
    const stateOf = ({ id }: LockedApproval) => states.get(id) as ApprovalState;
    await claim(tx, held, by, { state: APPROVER_STATE_AFTER[verb], comment, decidedAt: new Date() });
    await writeApprovalStates(ctx, tx, held, stateOf);
    const advanced = await advanceRuns(ctx, tx, held, stateOf);
    if (advanced.stuck[0]) throw noApprover(advanced.stuck[0]);
    const denied = verb === 'DENY' ? await denyOpenTasks(ctx, tx, held.filter(isOnTask).map(itemOf)) : [];
    await recordEvents(ctx, tx, [
      ...approvalEvents(held, stateOf, advanced, APPROVER_STATE_AFTER[verb], () => comment && { comment }),
      ...denied,
    ]);
    return reread(ctx, tx, held);
  });
}

/** Throws CONFLICT where no such transition is drawn. */
function move(approval: LockedApproval, action: ApprovalAction) {
  const after = transition(approval, action);
  if (!after) throw alreadyDecided();
  return after;
}

/** What an approver may do once is taken here: by one update of what nobody took before. */
async function claim(
  tx: Transaction,
  held: readonly LockedApproval[],
  userId: string,
  data: Parameters<Transaction['prisma']['approver']['updateMany']>[0]['data'],
): Promise<void> {
  const { count } = await tx.prisma.approver.updateMany({
    where: { approvalId: { in: held.map(({ id }) => id) }, userId, state: 'PENDING' },
    data,
  });
  if (count < held.length) throw alreadyDecided();
}

const delegation = z.strictObject({
  ...batchInput,
  toUserId: z.string(),
  fromUserId: z.string().nullish(),
});

/**
 * Hands one's place in approvals on to someone else: an editor of the project whom the approval does not ask yet. With
 * fromUserId it is the place of another, who may have left; that takes the role ADMIN. All or nothing.
 */
export function delegateApprovals(ctx: Context, input: z.input<typeof delegation>): Promise<Approval[]> {
  const { toUserId: to, fromUserId, ...wanted } = parse(delegation, input);
  const by = fromUserId ?? ctx.viewer.userId;
  return inTransaction(ctx.db, async (tx) => {
    const held = await requireApprovals(ctx, tx, wanted, by, by === ctx.viewer.userId ? 'EDITOR' : 'ADMIN');
    for (const projectId of new Set(held.map((each) => each.projectId)))
      if ((await findEditors(tx, projectId, [to])).length === 0)
        throw notFound('Editor of the project', 'toUserId');
    const states = new Map(held.map((each) => [each.id, move(each, { verb: 'DELEGATE', by, to }).state]));
    await claim(tx, held, by, { userId: to, delegatedFromId: by });
    await writeApprovalStates(ctx, tx, held, ({ id }) => states.get(id) as ApprovalState);
    await recordEvents(
      ctx,
      tx,
      held.map((each) =>
        newEvent(each, each.id, 'approval.delegated', {
          before: { approverId: by },
          after: { approverId: to },
          ...runReference(each),
        }),
      ),
    );
    return reread(ctx, tx, held);
  });
}

const itemOf = ({ organizationId, projectId, itemId }: LockedApproval) => ({
  organizationId,
  projectId,
  id: itemId,
});

const reread = async (ctx: Context, tx: Transaction, held: readonly LockedApproval[]) =>
  inOrderOf(
    await findApprovals(
      ctx,
      held.map(({ id }) => id),
      tx,
    ),
    held,
  );
