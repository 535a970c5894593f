import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ApprovalRule, ApprovalState, OverdueAction } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { isEditor } from '../access/access.ts';
import type { Actor } from '../kernel/audit.ts';
import { conflict } from '../kernel/errors.ts';
import { tables } from '../kernel/tables.ts';
import { votesNeeded } from './approval-state.ts';
import { mayDecide } from './step-condition.ts';
import { type Substitution, withSubstitutes } from './substitute-request.ts';

/** The approval of a step with which a run continues. */
type RequestedApproval = {
  approvalId: string;
  stepId: string;
  approverIds: string[];
  /** Which of them are substitutes, and of whom; undefined without any. */
  substitutions?: Substitution[];
};

/** The approvals with which a run continues, as events name them; parallel: those of the other steps of the rank. */
export type RequestedStep = RequestedApproval & { runId: string; parallel?: RequestedApproval[] };

type NextStep = Omit<RequestedApproval, 'approvalId'> & {
  runId: string;
  organizationId: string;
  projectId: string;
  name: string;
  rule: ApprovalRule;
  need: number | null;
  veto: boolean;
  excludeRequester: boolean;
  distinctFromEarlier: boolean;
  onOverdue: OverdueAction;
};

/** A run whose next step cannot be requested, and why. */
export interface StuckRun {
  runId: string;
  reason: string;
}

/** The most approvers of an approval: as many as one page of REST lists. */
export const MAX_APPROVERS = 100;

/** Why a step cannot be requested from those who may decide it now; undefined if it can. */
function obstacle({ name, approverIds: { length }, ...step }: NextStep): string | undefined {
  const needed = votesNeeded(step) ?? 1;
  if (length === 0 && (step.excludeRequester || step.distinctFromEarlier))
    return `Nobody may decide the step ${name}: its approvers started the process, voted on an earlier step, or are no editors of the project.`;
  if (length === 0) return `The step ${name} has no approver in the project; its process has to name one.`;
  if (length < needed)
    return `The step ${name} needs ${needed} approvers, and has ${length} who may decide it.`;
  if (length > MAX_APPROVERS)
    return `The step ${name} has ${length} approvers; at most ${MAX_APPROVERS} are possible.`;
  return undefined;
}

/**
 * Creates the approvals of the next rank of each run that has one, for those who are its approvers now: by name or in one
 * of its groups, each once. Left out are those who are no editors of the project any more, and whom the step excludes;
 * `stuck` lists the runs without enough others. Memberships of the approvers are locked until the transaction ends, so
 * that a removal afterwards finds the new approvals.
 */
export async function requestNextSteps(
  tx: Transaction,
  runIds: readonly string[],
): Promise<{ requested: RequestedStep[]; stuck: StuckRun[] }> {
  if (runIds.length === 0) return { requested: [], stuck: [] };
  // Changes of steps and of access lock the row of the process or project first, and so wait for this transaction.
  await tx.query(sql`SELECT c.id FROM processes c JOIN ${tables.projects.from} ON p.organization_id = c.organization_id AND p.id = c.project_id
    WHERE c.id IN (SELECT process_id FROM process_runs WHERE id = ANY(${runIds})) ORDER BY c.id FOR SHARE OF c, p`);
  const locked = await lockApprovers(tx, runIds);
  const lockedIds = locked.map(({ id }) => id);
  const steps = await findNextSteps(tx, runIds, lockedIds);
  const stuck = steps.flatMap((step) => {
    const reason = obstacle(step);
    return reason ? [{ runId: step.runId, reason }] : [];
  });
  const stuckIds = new Set(stuck.map(({ runId }) => runId));
  const requested = steps.filter(({ runId }) => !stuckIds.has(runId));
  const possible = (await withSubstitutes(tx, requested, lockedIds)).map((step) => ({
    ...step,
    approvalId: newId('Approval'),
  }));
  await createApprovals(tx, possible);
  return { stuck, requested: byRun(possible) };
}

/** Groups the approvals of each run: the first, and those parallel to it. */
function byRun(approvals: readonly (NextStep & RequestedApproval)[]): RequestedStep[] {
  const runIds = [...new Set(approvals.map(({ runId }) => runId))];
  return runIds.map((runId) => {
    const [first, ...parallel] = approvals
      .filter((each) => each.runId === runId)
      .map(({ approvalId, stepId, approverIds, substitutions = [] }) => ({
        ...{ approvalId, stepId, approverIds },
        ...(substitutions.length > 0 && { substitutions }),
      }));
    return { runId, ...(first as RequestedApproval), ...(parallel.length > 0 && { parallel }) };
  });
}

async function createApprovals(
  tx: Transaction,
  approvals: readonly (NextStep & RequestedApproval)[],
): Promise<void> {
  await tx.prisma.approval.createMany({
    data: approvals.map(({ approvalId, approverIds: _, substitutions: __, name: ___, ...step }) => ({
      ...step,
      id: approvalId,
    })),
  });
  await setDueTimes(
    tx,
    approvals.map(({ approvalId }) => approvalId),
  );
  await tx.prisma.approver.createMany({
    data: approvals.flatMap(({ organizationId, approvalId, approverIds, substitutions = [] }) =>
      approverIds.map((userId) => ({
        ...{ organizationId, approvalId, userId },
        delegatedFromId: substitutions.find(({ approverId }) => approverId === userId)?.inPlaceOfId,
      })),
    ),
  });
}

/** The due times of new approvals, by the database's clock. */
const setDueTimes = async (tx: Transaction, approvalIds: readonly string[]): Promise<void> => {
  if (approvalIds.length === 0) return;
  const due = sql`now() + make_interval(days => s.due_after_days)`;
  await tx.query(sql`UPDATE approvals a SET due_at = ${due}, overdue_next_at = ${due} FROM process_steps s
    WHERE s.organization_id = a.organization_id AND s.id = a.step_id AND a.id ${sql.any(approvalIds)}
      AND s.due_after_days IS NOT NULL`);
};

/** Throws CONFLICT for the first run whose next step cannot be requested, with the path of what its id stands for. */
export function requireNoneStuck(
  [stuck]: readonly StuckRun[],
  pathOf: (runId: string) => string | undefined,
): void {
  if (!stuck) return;
  throw conflict(stuck.reason, pathOf(stuck.runId));
}

/** Locks the memberships of those whom steps of the runs name, and of their substitutes. */
const lockApprovers = (tx: Transaction, runIds: readonly string[]) =>
  tx.query<{ id: string }>(sql`WITH steps AS (SELECT s.organization_id, s.id FROM process_steps s
      JOIN process_runs r ON r.organization_id = s.organization_id AND r.process_id = s.process_id
      WHERE r.id ${sql.any(runIds)}),
    named AS (SELECT y.organization_id, y.user_id FROM process_step_approvers y
      JOIN steps s ON s.organization_id = y.organization_id AND s.id = y.step_id
      UNION ALL SELECT gm.organization_id, gm.user_id FROM process_step_groups y
      JOIN steps s ON s.organization_id = y.organization_id AND s.id = y.step_id
      JOIN group_members gm ON gm.organization_id = y.organization_id AND gm.group_id = y.group_id)
    SELECT m.id FROM ${tables.memberships.from} WHERE (m.organization_id, m.user_id) IN (
      SELECT n.organization_id, n.user_id FROM named n
      UNION ALL SELECT b.organization_id, b.to_id FROM named n
      JOIN substitutes b ON b.organization_id = n.organization_id AND b.user_id = n.user_id AND b.ends_at > now())
    ORDER BY m.id FOR SHARE OF m`);

/** A condition: the step `s` names the member `m`. */
const isNamed = sql`(EXISTS (SELECT FROM process_step_approvers y
    WHERE y.organization_id = s.organization_id AND y.step_id = s.id AND y.user_id = m.user_id)
  OR EXISTS (SELECT FROM process_step_groups y
    JOIN group_members gm ON gm.organization_id = y.organization_id AND gm.group_id = y.group_id
    WHERE y.organization_id = s.organization_id AND y.step_id = s.id AND gm.user_id = m.user_id))`;

/**
 * The steps of the lowest rank of each run that it has not reached, if any. lockedIds: of memberships; whoever joined a
 * group since they were locked is left out.
 */
const findNextSteps = (tx: Transaction, runIds: readonly string[], lockedIds: readonly string[]) =>
  tx.query<NextStep>(sql`WITH ahead AS (
      SELECT s.*, r.id AS run_id, r.project_id, rank() OVER (PARTITION BY r.id ORDER BY s.rank) AS distance
      FROM process_runs r
      JOIN process_steps s ON s.organization_id = r.organization_id AND s.process_id = r.process_id
      WHERE r.id ${sql.any(runIds)} AND NOT EXISTS (SELECT FROM approvals a
        WHERE a.organization_id = r.organization_id AND a.run_id = r.id AND a.step_id = s.id))
    SELECT s.run_id, s.organization_id, s.project_id, s.id AS step_id, s.name, s.rule::text AS rule, s.need, s.veto,
      s.exclude_requester, s.distinct_from_earlier, s.on_overdue::text AS on_overdue,
      coalesce((SELECT array_agg(m.user_id ORDER BY m.user_id) FROM ${tables.memberships.from}
        WHERE m.id ${sql.any(lockedIds)} AND ${isNamed} AND ${mayDecide(sql`s`, tables.memberships, sql`r`)} AND ${isEditor(tables.memberships, tables.projects)}), '{}') AS approver_ids
    FROM ahead s JOIN process_runs r ON r.organization_id = s.organization_id AND r.id = s.run_id
    JOIN ${tables.projects.from} ON p.organization_id = s.organization_id AND p.id = s.project_id
    WHERE s.distance = 1 ORDER BY s.run_id, s.id`);

/** Ends runs, each in its state in `states`; PENDING ones continue. Throws CONFLICT if one has ended already. */
export async function endRuns(
  { viewer }: Actor,
  tx: Transaction,
  states: ReadonlyMap<string, ApprovalState>,
): Promise<void> {
  for (const state of ['APPROVED', 'DECLINED', 'DENIED'] as const) {
    const ids = [...states.keys()].filter((id) => states.get(id) === state);
    if (ids.length === 0) continue;
    const { count } = await tx.prisma.processRun.updateMany({
      where: { id: { in: ids }, state: 'PENDING' },
      data: { state, completedAt: new Date(), completedById: viewer.userId },
    });
    if (count < ids.length) throw conflict('A run has ended already.', 'ids');
  }
}
