import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { isEditor } from '../access/access.ts';
import { tables } from '../kernel/tables.ts';
import { mayDecide } from './step-condition.ts';

/** A vote that a substitute gets in place of an approver. */
export type Substitution = {
  approverId: string;
  inPlaceOfId: string;
};

interface RequestedStep {
  runId: string;
  stepId: string;
  organizationId: string;
  approverIds: string[];
}

interface Possible extends Substitution {
  runId: string;
  stepId: string;
}

/**
 * Puts their substitutes in place of approvers of new approvals. An approver keeps the vote if the substitute is no editor
 * of the project, may not decide the step, or has a vote on it already. No chains: substitutes of substitutes are not
 * looked for. lockedIds: of memberships.
 */
export async function withSubstitutes<Step extends RequestedStep>(
  tx: Transaction,
  steps: readonly Step[],
  lockedIds: readonly string[],
): Promise<(Step & { substitutions: Substitution[] })[]> {
  const possible = steps.length > 0 ? await findPossible(tx, steps, lockedIds) : [];
  return steps.map((step) => {
    const substitutions: Substitution[] = [];
    const votes = new Set(step.approverIds);
    for (const { runId, stepId, approverId, inPlaceOfId } of possible) {
      if (runId !== step.runId || stepId !== step.stepId || votes.has(approverId)) continue;
      if (!step.approverIds.includes(inPlaceOfId)) continue;
      votes.add(approverId);
      substitutions.push({ approverId, inPlaceOfId });
    }
    const replaced = new Map(substitutions.map((each) => [each.inPlaceOfId, each.approverId]));
    const approverIds = step.approverIds.map((id) => replaced.get(id) ?? id).sort();
    return { ...step, approverIds, substitutions };
  });
}

const findPossible = (tx: Transaction, steps: readonly RequestedStep[], lockedIds: readonly string[]) =>
  tx.query<Possible>(sql`SELECT r.id AS run_id, s.id AS step_id, b.to_id AS approver_id, b.user_id AS in_place_of_id
    FROM unnest(${sql.texts(steps.map(({ runId }) => runId))}, ${sql.texts(steps.map(({ stepId }) => stepId))}) AS k(run_id, step_id)
    JOIN process_runs r ON r.organization_id ${sql.any([...new Set(steps.map(({ organizationId }) => organizationId))])} AND r.id = k.run_id
    JOIN process_steps s ON s.organization_id = r.organization_id AND s.id = k.step_id
    JOIN ${tables.projects.from} ON p.organization_id = r.organization_id AND p.id = r.project_id
    JOIN substitutes b ON b.organization_id = r.organization_id AND b.starts_at <= now() AND b.ends_at > now()
    JOIN ${tables.memberships.from} ON m.organization_id = b.organization_id AND m.user_id = b.to_id
    WHERE b.user_id ${sql.any([...new Set(steps.flatMap(({ approverIds }) => approverIds))])}
      AND m.id ${sql.any(lockedIds)} AND ${mayDecide(sql`s`, tables.memberships, sql`r`)} AND ${isEditor(tables.memberships, tables.projects)}
    ORDER BY r.id, s.id, b.user_id`);
