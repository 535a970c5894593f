import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ApprovalState, Prisma } from '../../generated/prisma/client.ts';
import { typeOfId } from '../../lib/id.ts';
import type { Actor, NewEvent } from '../kernel/audit.ts';
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
  actor: Actor,
  tx: Transaction,
  approvals: readonly Each[],
  stateOf: StateOf<Each>,
): Promise<void> {
  const now = { decidedAt: new Date(), decidedById: actor.viewer.userId };
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
  /** The next approvals of each run that continues, by run. */
  requested: Map<string, RequestedStep>;
  ended: { approval: Each; result: ApprovalState }[];
  /** The other approvals of ended runs, which were pending. */
  withdrawn: ApprovalRef[];
  /** Runs whose next step cannot be requested: they end as DECLINED. */
  stuck: StuckRun[];
}

/**
 * Requests the next steps of each run that has no pending approval left, and ends the runs that have none or of which an
 * approval was not approved; that withdraws their other approvals. Call it with the items locked, after writeApprovalStates.
 */
export async function advanceRuns<Each extends ApprovalRef>(
  actor: Actor,
  tx: Transaction,
  approvals: readonly Each[],
  stateOf: StateOf<Each>,
): Promise<AdvancedRuns<Each>> {
  const decisive = new Map<string, Each>();
  for (const each of approvals) {
    const before = decisive.get(each.runId);
    if (!before || outweighs(stateOf(each), stateOf(before))) decisive.set(each.runId, each);
  }
  const pending = await findPendingRuns(tx, [...decisive.values()]);
  const approved = [...decisive.values()].filter(
    (each) => stateOf(each) === 'APPROVED' && !pending.has(each.runId),
  );
  const next = await requestNextSteps(
    tx,
    approved.map(({ runId }) => runId),
  );
  const requested = new Map(next.requested.map((each) => [each.runId, each]));
  const stuck = new Set(next.stuck.map(({ runId }) => runId));
  const resultOf = (each: Each): ApprovalState => {
    if (stuck.has(each.runId)) return 'DECLINED';
    return runState(stateOf(each), requested.has(each.runId) || pending.has(each.runId));
  };
  const results = new Map([...decisive].map(([runId, each]) => [runId, resultOf(each)]));
  await endRuns(actor, tx, results);
  const ended = [...decisive.values()].flatMap((approval) => {
    const result = results.get(approval.runId) as ApprovalState;
    return result === 'PENDING' ? [] : [{ approval, result }];
  });
  const withdrawn = await withdrawPending(
    actor,
    tx,
    ended.map(({ approval }) => approval),
  );
  return { requested, ended, withdrawn, stuck: next.stuck };
}

/** Of two approvals of one run, a denied one decides its result, then a declined one, then the later one. */
const outweighs = (state: ApprovalState, before: ApprovalState): boolean =>
  before !== 'DENIED' && (state === 'DENIED' || before !== 'DECLINED' || state === 'DECLINED');

/** Which of the runs of these approvals have pending ones. */
async function findPendingRuns(tx: Transaction, approvals: readonly ApprovalRef[]): Promise<Set<string>> {
  const rows = await tx.query<{ runId: string }>(sql`SELECT DISTINCT a.run_id FROM approvals a
    WHERE a.organization_id ${sql.any(organizationsOf(approvals))} AND a.run_id ${sql.any(runsOf(approvals))}
      AND a.state = 'PENDING'`);
  return new Set(rows.map(({ runId }) => runId));
}

const organizationsOf = (runs: readonly Pick<ApprovalRef, 'organizationId'>[]) =>
  runs.map(({ organizationId }) => organizationId);

const runsOf = (runs: readonly Pick<ApprovalRef, 'runId'>[]) => runs.map(({ runId }) => runId);

/** Withdraws the pending approvals of runs that ended; `of` has one reference for each run. Returns them. */
export async function withdrawPending<Each extends Omit<ApprovalRef, 'id'>>(
  actor: Actor,
  tx: Transaction,
  of: readonly Each[],
): Promise<(Each & { id: string })[]> {
  if (of.length === 0) return [];
  const rows = await tx.query<{ id: string; runId: string }>(sql`UPDATE approvals a
    SET state = 'WITHDRAWN', decided_at = now(), decided_by_id = ${actor.viewer.userId}, version = a.version + 1
    WHERE a.organization_id ${sql.any(organizationsOf(of))} AND a.run_id ${sql.any(runsOf(of))} AND a.state = 'PENDING' RETURNING a.id, a.run_id`);
  return rows
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .flatMap(({ id, runId }) => of.filter((each) => each.runId === runId).map((each) => ({ ...each, id })));
}

/**
 * Returns the events of approvals that got an `answer`, of those that were withdrawn, and of the runs that ended. more:
 * further members of the data.
 */
export function approvalEvents<Each extends ApprovalRef>(
  approvals: readonly Each[],
  stateOf: StateOf<Each>,
  { requested, ended, withdrawn }: AdvancedRuns<Each>,
  answer: ApprovalState,
  more: (approval: Each) => Prisma.InputJsonObject | null | false | '',
): NewEvent[] {
  // The last answer on a run says what comes next.
  const last = new Map(approvals.map((each) => [each.runId, each]));
  return [
    ...approvals.map((each) =>
      approvalEvent(each, each.id, `approval.${answer.toLowerCase()}`, {
        before: { state: 'PENDING' },
        after: { state: stateOf(each) },
        ...more(each),
        ...runReference(each),
        ...(last.get(each.runId) === each &&
          requested.has(each.runId) && { next: { ...requested.get(each.runId) } }),
      }),
    ),
    ...withdrawn.map(withdrawalEvent),
    ...ended.map(({ approval, result }) => runEndEvent(approval, result)),
  ];
}

/** The event of an approval that was withdrawn because its run ended. */
export const withdrawalEvent = (approval: ApprovalRef): NewEvent =>
  approvalEvent(approval, approval.id, 'approval.withdrawn', {
    before: { state: 'PENDING' },
    after: { state: 'WITHDRAWN' },
    ...runReference(approval),
  });

/** The event of the end of a run. more: further members of the data. */
export const runEndEvent = (
  run: Omit<ApprovalRef, 'id'>,
  result: ApprovalState,
  more?: Prisma.InputJsonObject,
): NewEvent =>
  approvalEvent(run, run.itemId, `${isOnTask(run) ? 'task' : 'document'}.processEnded`, {
    result,
    ...more,
    ...runReference(run),
  });

/** Whether the approval is on a task, not on a document. */
export const isOnTask = ({ itemId }: Pick<ApprovalRef, 'itemId'>): boolean => typeOfId(itemId) === 'Task';

/** Members that every event of an approval has. */
export const runReference = ({ itemId, processId, runId }: Omit<ApprovalRef, 'id'>) => ({
  itemId,
  processId,
  runId,
});

/** Returns an event in the approval's project. */
export const approvalEvent = (
  { organizationId, projectId }: Pick<ApprovalRef, 'organizationId' | 'projectId'>,
  subjectId: string,
  kind: string,
  data: NewEvent['data'],
): NewEvent => ({ organizationId, projectId, subjectId, kind, data });
