import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ApprovalRule, ApprovalState } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { isEditor } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { tables } from '../kernel/tables.ts';

/** The approval of the step with which a run continues. */
export interface RequestedStep {
  runId: string;
  approvalId: string;
  stepId: string;
  approverIds: string[];
}

type NextStep = Omit<RequestedStep, 'approvalId'> & {
  organizationId: string;
  projectId: string;
  name: string;
  rule: ApprovalRule;
};

/** A run whose next step has no approver left. */
export type StuckRun = Pick<NextStep, 'runId' | 'name'>;

/**
 * Creates the approval of the next step of each run that has one. Approvers who are no editors of the project any more
 * are left out; `stuck` lists the runs without any other. Memberships of the approvers are locked until the transaction
 * ends, so that a removal afterwards finds the new approvals.
 */
export async function requestNextSteps(
  tx: Transaction,
  runIds: readonly string[],
): Promise<{ requested: RequestedStep[]; stuck: StuckRun[] }> {
  // Changes of steps and of access lock the row of the process or project first, and so wait for this transaction.
  await tx.query(sql`SELECT c.id FROM processes c JOIN ${tables.projects.from} ON p.organization_id = c.organization_id AND p.id = c.project_id
    WHERE c.id IN (SELECT process_id FROM process_runs WHERE id = ANY(${runIds})) ORDER BY c.id FOR SHARE OF c, p`);
  await lockApprovers(tx, runIds);
  const steps = await findNextSteps(tx, runIds);
  const stuck = steps.filter(({ approverIds }) => approverIds.length === 0);
  const requested = steps
    .filter((step) => !stuck.includes(step))
    .map((step) => ({ ...step, approvalId: newId('Approval') }));
  await tx.prisma.approval.createMany({
    data: requested.map(({ approvalId, organizationId, projectId, runId, stepId, rule }) => ({
      organizationId,
      id: approvalId,
      projectId,
      runId,
      stepId,
      rule,
    })),
  });
  await setDueTimes(
    tx,
    requested.map(({ approvalId }) => approvalId),
  );
  await tx.prisma.approver.createMany({
    data: requested.flatMap(({ organizationId, approvalId, approverIds }) =>
      approverIds.map((userId) => ({ organizationId, approvalId, userId })),
    ),
  });
  return {
    stuck,
    requested: requested.map(({ runId, approvalId, stepId, approverIds }) => ({
      runId,
      approvalId,
      stepId,
      approverIds,
    })),
  };
}

/** The due times of new approvals, by the database's clock. */
const setDueTimes = async (tx: Transaction, approvalIds: readonly string[]): Promise<void> => {
  if (approvalIds.length === 0) return;
  const due = sql`now() + make_interval(days => s.due_after_days)`;
  await tx.query(sql`UPDATE approvals a SET due_at = ${due}, overdue_next_at = ${due} FROM process_steps s
    WHERE s.organization_id = a.organization_id AND s.id = a.step_id AND a.id ${sql.any(approvalIds)}
      AND s.due_after_days IS NOT NULL`);
};

/** Throws CONFLICT for the first run whose next step has no approver left, with the path of what its id stands for. */
export function requireNoneStuck(
  [stuck]: readonly StuckRun[],
  pathOf: (runId: string) => string | undefined,
): void {
  if (!stuck) return;
  const text = `The step ${stuck.name} has no approver in the project; its process has to name one.`;
  throw conflict(text, pathOf(stuck.runId));
}

const lockApprovers = (tx: Transaction, runIds: readonly string[]) =>
  tx.query(sql`SELECT m.id FROM ${tables.memberships.from} WHERE (m.organization_id, m.user_id) IN (
      SELECT y.organization_id, y.user_id FROM process_step_approvers y
      JOIN process_steps s ON s.organization_id = y.organization_id AND s.id = y.step_id
      JOIN process_runs r ON r.organization_id = s.organization_id AND r.process_id = s.process_id
      WHERE r.id ${sql.any(runIds)})
    ORDER BY m.id FOR SHARE OF m`);

const findNextSteps = (tx: Transaction, runIds: readonly string[]) =>
  tx.query<NextStep>(sql`SELECT DISTINCT ON (r.id) r.id AS run_id, r.organization_id, r.project_id,
      s.id AS step_id, s.name, s.rule::text AS rule,
      coalesce((SELECT array_agg(y.user_id ORDER BY y.user_id) FROM process_step_approvers y
        JOIN ${tables.memberships.from} ON m.organization_id = y.organization_id AND m.user_id = y.user_id
        WHERE y.organization_id = s.organization_id AND y.step_id = s.id AND ${isEditor(tables.memberships, tables.projects)}), '{}') AS approver_ids
    FROM process_runs r
    JOIN ${tables.projects.from} ON p.organization_id = r.organization_id AND p.id = r.project_id
    JOIN process_steps s ON s.organization_id = r.organization_id AND s.process_id = r.process_id
    WHERE r.id ${sql.any(runIds)} AND NOT EXISTS (SELECT FROM approvals a
      WHERE a.organization_id = r.organization_id AND a.run_id = r.id AND a.step_id = s.id)
    ORDER BY r.id, s.rank`);

/** Ends runs, each in its state in `states`; PENDING ones continue. Throws CONFLICT if one has ended already. */
export async function endRuns(
  ctx: Context,
  tx: Transaction,
  states: ReadonlyMap<string, ApprovalState>,
): Promise<void> {
  for (const state of ['APPROVED', 'DECLINED', 'DENIED'] as const) {
    const ids = [...states.keys()].filter((id) => states.get(id) === state);
    if (ids.length === 0) continue;
    const { count } = await tx.prisma.processRun.updateMany({
      where: { id: { in: ids }, state: 'PENDING' },
      data: { state, completedAt: new Date(), completedById: ctx.viewer.userId },
    });
    if (count < ids.length) throw conflict('A run has ended already.', 'ids');
  }
}
