import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ApprovalRule } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import type { Process } from './process.ts';

interface NewStep {
  name: string;
  rule?: ApprovalRule | null;
  /** Null and undefined: it is never overdue. */
  dueAfterDays?: number | null;
  approverIds: string[];
}

type ProcessKey = Pick<Process, 'organizationId' | 'id'>;

type RankedStep = NewStep & { id: string; organizationId: string; processId: string; rank: number };

/** Returns each step with its rank in its process, from 0, and a new id unless it has one. */
export const withRanks = (
  { organizationId, id: processId }: ProcessKey,
  steps: readonly (NewStep & { id?: string | null })[],
): RankedStep[] =>
  steps.map((each, rank) => ({
    ...each,
    id: each.id ?? newId('ProcessStep'),
    organizationId,
    processId,
    rank,
  }));

const toRow = ({ approverIds: _, rule, dueAfterDays = null, ...step }: RankedStep) => ({
  ...step,
  dueAfterDays,
  rule: rule ?? ('ONE' as const),
});

/** The steps of a process in their order, as events show them. */
export async function readSteps(tx: Transaction, { organizationId, id: processId }: ProcessKey) {
  const steps = await tx.prisma.processStep.findMany({
    where: { organizationId, processId },
    orderBy: { rank: 'asc' },
    include: { approvers: { orderBy: { userId: 'asc' } } },
  });
  return steps.map(({ id, name, rule, dueAfterDays, approvers }) => ({
    ...{ id, name, rule, dueAfterDays },
    approverIds: approvers.map(({ userId }) => userId),
  }));
}

/** Creates steps with their approvers. */
export async function addSteps(tx: Transaction, steps: readonly RankedStep[]): Promise<void> {
  await tx.prisma.processStep.createMany({ data: steps.map(toRow) });
  await addApprovers(tx, steps);
}

const addApprovers = (tx: Transaction, steps: readonly RankedStep[]) =>
  tx.prisma.processStepApprover.createMany({
    data: steps.flatMap(({ organizationId, id: stepId, approverIds }) =>
      [...new Set(approverIds)].map((userId) => ({ organizationId, stepId, userId })),
    ),
  });

/**
 * Replaces the steps of a locked process; those given with an id are updated. Throws NOT_FOUND for an id that is not
 * one of its steps, CONFLICT for removing a step that already has approvals.
 */
export async function replaceSteps(
  tx: Transaction,
  process: ProcessKey,
  steps: readonly (NewStep & { id?: string | null })[],
): Promise<void> {
  const { organizationId, id: processId } = process;
  const existing = await tx.prisma.processStep.findMany({
    where: { organizationId, processId },
    include: { approvals: { select: { id: true }, take: 1 } },
  });
  const unknown = steps.findIndex(({ id }) => id && !existing.some((each) => each.id === id));
  if (unknown >= 0) throw notFound('Step', `steps.${unknown}.id`);
  const removed = existing.filter(({ id }) => !steps.some((each) => each.id === id));
  if (removed.some(({ approvals }) => approvals.length > 0))
    throw conflict('A step that already has approvals cannot be removed.', 'steps');
  await tx.prisma.processStep.deleteMany({ where: { id: { in: removed.map(({ id }) => id) } } });
  const ranked = withRanks(process, steps);
  const existingSteps = ranked.filter(({ id }) => existing.some((each) => each.id === id));
  await updateSteps(tx, process, existingSteps);
  await addSteps(
    tx,
    ranked.filter((each) => !existingSteps.includes(each)),
  );
}

async function updateSteps(
  tx: Transaction,
  { organizationId, id: processId }: ProcessKey,
  steps: readonly RankedStep[],
): Promise<void> {
  // Ranks are unique at every moment: first move all to negative ranks, then set the new ones.
  await tx.query(sql`UPDATE process_steps SET rank = -1 - rank
    WHERE organization_id = ${organizationId} AND process_id = ${processId} RETURNING id`);
  for (const each of steps) await tx.prisma.processStep.update({ where: { id: each.id }, data: toRow(each) });
  const ids = steps.map(({ id }) => id);
  await tx.prisma.processStepApprover.deleteMany({ where: { organizationId, stepId: { in: ids } } });
  await addApprovers(tx, steps);
}
