import type { Transaction } from '../../db/database.ts';
import type { ApprovalState, Prisma } from '../../generated/prisma/client.ts';
import { typeOfId } from '../../lib/id.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import type { Approval } from './approval.ts';
import { alreadyDecided } from './approval-batch.ts';
import { runState } from './approval-state.ts';
import { endRuns, type RequestedStep, requestNextSteps, type StuckRun } from './process-progress.ts';

/** What has to be known of an approval to write what became of it. */
export type ApprovalRef = Pick<
  Approval,
  'id' | 'organizationId' | 'projectId' | 'runId' | 'processId' | 'itemId'
>;

type StateOf<Each> = (approval: Each) => ApprovalState;

/** Writes what became of each approval. */
export async function writeApprovalStates<Each extends ApprovalRef>(
  ctx: Context,
  tx: Transaction,
  held: readonly Each[],
  stateOf: StateOf<Each>,
): Promise<void> {
  const now = { decidedAt: new Date(), decidedById: ctx.viewer.userId };
  for (const state of new Set(held.map(stateOf))) {
    const approvals = held.filter((each) => stateOf(each) === state);
    const { count } = await tx.prisma.approval.updateMany({
      where: { id: { in: approvals.map(({ id }) => id) }, state: 'PENDING' },
      data: { state, version: { increment: 1 }, ...(state !== 'PENDING' && now) },
    });
    if (count < approvals.length) throw alreadyDecided();
  }
}

interface Advanced<Each> {
  requested: Map<string, RequestedStep>;
  ended: { approval: Each; result: ApprovalState }[];
  /** Runs whose next step has nobody to ask: declined, as if all of them had declined. */
  stuck: StuckRun[];
}

/** Takes each run to its next step, or to its end. */
export async function advanceRuns<Each extends ApprovalRef>(
  ctx: Context,
  tx: Transaction,
  held: readonly Each[],
  stateOf: StateOf<Each>,
): Promise<Advanced<Each>> {
  const approved = held.filter((each) => stateOf(each) === 'APPROVED').map(({ runId }) => runId);
  const next = approved.length > 0 ? await requestNextSteps(tx, approved) : { requested: [], stuck: [] };
  const requested = new Map(next.requested.map((each) => [each.runId, each]));
  const stuck = new Set(next.stuck.map(({ runId }) => runId));
  const states = new Map(
    held.map((each) => [
      each.runId,
      stuck.has(each.runId) ? ('DECLINED' as const) : runState(stateOf(each), requested.has(each.runId)),
    ]),
  );
  await endRuns(ctx, tx, states);
  const ended = held.flatMap((approval) => {
    const result = states.get(approval.runId) as ApprovalState;
    return result === 'PENDING' ? [] : [{ approval, result }];
  });
  return { requested, ended, stuck: next.stuck };
}

/** What there is to record of approvals in which someone `said` something, and of the runs that this ended. */
export const approvalEvents = <Each extends ApprovalRef>(
  held: readonly Each[],
  stateOf: StateOf<Each>,
  { requested, ended }: Advanced<Each>,
  said: ApprovalState,
  more: (approval: Each) => Prisma.InputJsonObject | null | false | '',
): NewEvent[] => [
  ...held.map((each) =>
    newEvent(each, each.id, `approval.${said.toLowerCase()}`, {
      before: { state: 'PENDING' },
      after: { state: stateOf(each) },
      ...more(each),
      ...runReference(each),
      ...(requested.has(each.runId) && { next: { ...requested.get(each.runId) } }),
    }),
  ),
  ...ended.map(({ approval, result }) =>
    newEvent(approval, approval.itemId, `${isOnTask(approval) ? 'task' : 'document'}.processEnded`, {
      result,
      ...runReference(approval),
    }),
  ),
];

export const isOnTask = ({ itemId }: ApprovalRef): boolean => typeOfId(itemId) === 'Task';

export const runReference = ({ itemId, processId, runId }: ApprovalRef) => ({ itemId, processId, runId });

export const newEvent = (
  { organizationId, projectId }: ApprovalRef,
  subjectId: string,
  kind: string,
  data: NewEvent['data'],
): NewEvent => ({ organizationId, projectId, subjectId, kind, data });
