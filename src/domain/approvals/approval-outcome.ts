import type { Transaction } from '../../db/database.ts';
import type { ApprovalState, Prisma } from '../../generated/prisma/client.ts';
import { typeOfId } from '../../lib/id.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import type { Approval } from './approval.ts';
import { alreadyDecided } from './approval-batch.ts';
import { runState } from './approval-state.ts';
import { endRuns, type RequestedStep, requestNextSteps, type StuckRun } from './process-progress.ts';

/** The ids needed to write the outcome of an approval. */
export type ApprovalRef = Pick<
  Approval,
  'id' | 'organizationId' | 'projectId' | 'runId' | 'processId' | 'itemId'
>;

type StateOf<Each> = (approval: Each) => ApprovalState;

/** Writes the new state of each approval. Throws CONFLICT if one is no longer pending. */
export async function writeApprovalStates<Each extends ApprovalRef>(
  ctx: Context,
  tx: Transaction,
  approvals: readonly Each[],
  stateOf: StateOf<Each>,
): Promise<void> {
  const now = { decidedAt: new Date(), decidedById: ctx.viewer.userId };
  for (const state of new Set(approvals.map(stateOf))) {
    const ids = approvals.filter((each) => stateOf(each) === state).map(({ id }) => id);
    const { count } = await tx.prisma.approval.updateMany({
      where: { id: { in: ids }, state: 'PENDING' },
      data: { state, version: { increment: 1 }, ...(state !== 'PENDING' && now) },
    });
    if (count < ids.length) throw alreadyDecided();
  }
}

interface AdvancedRuns<Each> {
  /** The next approval of each run that continues, by run. */
  requested: Map<string, RequestedStep>;
  ended: { approval: Each; result: ApprovalState }[];
  /** Runs whose next step has no approver left: they end as DECLINED. */
  stuck: StuckRun[];
}

/** Requests the next step of each approved run, and ends the runs that have none or were not approved. */
export async function advanceRuns<Each extends ApprovalRef>(
  ctx: Context,
  tx: Transaction,
  approvals: readonly Each[],
  stateOf: StateOf<Each>,
): Promise<AdvancedRuns<Each>> {
  const approved = approvals.filter((each) => stateOf(each) === 'APPROVED').map(({ runId }) => runId);
  const next = approved.length > 0 ? await requestNextSteps(tx, approved) : { requested: [], stuck: [] };
  const requested = new Map(next.requested.map((each) => [each.runId, each]));
  const stuck = new Set(next.stuck.map(({ runId }) => runId));
  const states = new Map(
    approvals.map((each) => [
      each.runId,
      stuck.has(each.runId) ? ('DECLINED' as const) : runState(stateOf(each), requested.has(each.runId)),
    ]),
  );
  await endRuns(ctx, tx, states);
  const ended = approvals.flatMap((approval) => {
    const result = states.get(approval.runId) as ApprovalState;
    return result === 'PENDING' ? [] : [{ approval, result }];
  });
  return { requested, ended, stuck: next.stuck };
}

/**
 * Returns the events of approvals that got an `answer`, and of the runs that ended. more: further members of the data.
 */
export const approvalEvents = <Each extends ApprovalRef>(
  approvals: readonly Each[],
  stateOf: StateOf<Each>,
  { requested, ended }: AdvancedRuns<Each>,
  answer: ApprovalState,
  more: (approval: Each) => Prisma.InputJsonObject | null | false | '',
): NewEvent[] => [
  ...approvals.map((each) =>
    approvalEvent(each, each.id, `approval.${answer.toLowerCase()}`, {
      before: { state: 'PENDING' },
      after: { state: stateOf(each) },
      ...more(each),
      ...runReference(each),
      ...(requested.has(each.runId) && { next: { ...requested.get(each.runId) } }),
    }),
  ),
  ...ended.map(({ approval, result }) =>
    approvalEvent(approval, approval.itemId, `${isOnTask(approval) ? 'task' : 'document'}.processEnded`, {
      result,
      ...runReference(approval),
    }),
  ),
];

/** Whether the approval is on a task, not on a document. */
export const isOnTask = ({ itemId }: ApprovalRef): boolean => typeOfId(itemId) === 'Task';

/** Members that every event of an approval has. */
export const runReference = ({ itemId, processId, runId }: ApprovalRef) => ({ itemId, processId, runId });

/** Returns an event in the approval's project. */
export const approvalEvent = (
  { organizationId, projectId }: ApprovalRef,
  subjectId: string,
  kind: string,
  data: NewEvent['data'],
): NewEvent => ({ organizationId, projectId, subjectId, kind, data });
