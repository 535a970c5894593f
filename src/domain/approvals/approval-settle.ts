import type { Transaction } from '../../db/database.ts';
import type { ApprovalState, Prisma } from '../../generated/prisma/client.ts';
import { typeOfId } from '../../lib/id.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import type { Approval } from './approval.ts';
import { decided } from './approval-batch.ts';
import { runState } from './approval-state.ts';
import { endRuns, type Raised, raiseNext, type Stuck } from './process-progress.ts';

/** What has to be known of an approval to write what became of it. */
export type Moved = Pick<Approval, 'id' | 'organizationId' | 'projectId' | 'runId' | 'processId' | 'itemId'>;

type StateOf<Each> = (approval: Each) => ApprovalState;

/** Writes what became of each approval. */
export async function settle<Each extends Moved>(
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
    if (count < approvals.length) throw decided();
  }
}

interface Advanced<Each> {
  raised: Map<string, Raised>;
  ended: { approval: Each; result: ApprovalState }[];
  /** Runs whose next step has nobody to ask: declined, as if all of them had declined. */
  stuck: Stuck[];
}

/** Takes each run to its next step, or to its end. */
export async function advance<Each extends Moved>(
  ctx: Context,
  tx: Transaction,
  held: readonly Each[],
  stateOf: StateOf<Each>,
): Promise<Advanced<Each>> {
  const approved = held.filter((each) => stateOf(each) === 'APPROVED').map(({ runId }) => runId);
  const next = approved.length > 0 ? await raiseNext(tx, approved) : { raised: [], stuck: [] };
  const raised = new Map(next.raised.map((each) => [each.runId, each]));
  const stuck = new Set(next.stuck.map(({ runId }) => runId));
  const states = new Map(
    held.map((each) => [
      each.runId,
      stuck.has(each.runId) ? ('DECLINED' as const) : runState(stateOf(each), raised.has(each.runId)),
    ]),
  );
  await endRuns(ctx, tx, states);
  const ended = held.flatMap((approval) => {
    const result = states.get(approval.runId) as ApprovalState;
    return result === 'PENDING' ? [] : [{ approval, result }];
  });
  return { raised, ended, stuck: next.stuck };
}

/** What there is to record of approvals in which someone `said` something, and of the runs that this ended. */
export const told = <Each extends Moved>(
  held: readonly Each[],
  stateOf: StateOf<Each>,
  { raised, ended }: Advanced<Each>,
  said: ApprovalState,
  more: (approval: Each) => Prisma.InputJsonObject | null | false | '',
): NewEvent[] => [
  ...held.map((each) =>
    newEvent(each, each.id, `approval.${said.toLowerCase()}`, {
      before: { state: 'PENDING' },
      after: { state: stateOf(each) },
      ...more(each),
      ...about(each),
      ...(raised.has(each.runId) && { next: { ...raised.get(each.runId) } }),
    }),
  ),
  ...ended.map(({ approval, result }) =>
    newEvent(approval, approval.itemId, `${isOnTask(approval) ? 'task' : 'document'}.processEnded`, {
      result,
      ...about(approval),
    }),
  ),
];

export const isOnTask = ({ itemId }: Moved): boolean => typeOfId(itemId) === 'Task';

export const about = ({ itemId, processId, runId }: Moved) => ({ itemId, processId, runId });

export const newEvent = (
  { organizationId, projectId }: Moved,
  subjectId: string,
  kind: string,
  data: NewEvent['data'],
): NewEvent => ({ organizationId, projectId, subjectId, kind, data });
