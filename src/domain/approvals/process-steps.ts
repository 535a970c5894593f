import type { Transaction } from '../../db/database.ts';
import type { ApprovalRule, OverdueAction } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import type { Process } from './process.ts';

interface NewStep {
  name: string;
  /** Null and undefined, without `need`: ONE. */
  rule?: ApprovalRule | null;
  /** How many of its approvers have to approve; instead of `rule`. */
  need?: number | null;
  /** Null and undefined: one denial denies it. */
  veto?: boolean | null;
  /** Steps of an equal rank are decided at the same time. Null and undefined: its position in the list. */
  rank?: number | null;
  excludeRequester?: boolean | null;
  distinctFromEarlier?: boolean | null;
  /** Null and undefined: it is never overdue. */
  dueAfterDays?: number | null;
  /** Null and undefined: REMIND. */
  onOverdue?: OverdueAction | null;
  /** Who gets a vote once it is overdue, with ESCALATE. */
  escalateToIds?: string[] | null;
  escalateToGroupId?: string | null;
  approverIds?: string[] | null;
  groupIds?: string[] | null;
}

type ProcessKey = Pick<Process, 'organizationId' | 'id'>;

type RankedStep = Omit<NewStep, 'rank'> & {
  id: string;
  organizationId: string;
  processId: string;
  rank: number;
};

/** Returns each step with its rank in its process, and a new id unless it has one. */
export const withRanks = (
  { organizationId, id: processId }: ProcessKey,
  steps: readonly (NewStep & { id?: string | null })[],
): RankedStep[] =>
  steps.map((each, position) => ({
    ...each,
    id: each.id ?? newId('ProcessStep'),
    organizationId,
    processId,
    rank: each.rank ?? position,
  }));

/** What is stored of how many approvers have to approve: the rule, and a number that neither ONE nor ALL says. */
const quorum = ({ rule, need }: Pick<NewStep, 'rule' | 'need'>) =>
  need != null && need > 1 ? { rule: 'ALL' as const, need } : { rule: rule ?? ('ONE' as const), need: null };

const toRow = ({ approverIds: _, groupIds: __, escalateToIds: ___, ...named }: RankedStep) => {
  const { rule, need, veto, dueAfterDays, onOverdue, escalateToGroupId, ...step } = named;
  return {
    ...step,
    ...quorum({ rule, need }),
    veto: veto ?? true,
    excludeRequester: step.excludeRequester ?? false,
    distinctFromEarlier: step.distinctFromEarlier ?? false,
    dueAfterDays: dueAfterDays ?? null,
    onOverdue: onOverdue ?? 'REMIND',
    escalateGroupId: escalateToGroupId ?? null,
  };
};

const omitProcess = <Step extends { organizationId: string; processId: string }>({
  organizationId: _,
  processId: __,
  ...step
}: Step) => step;

/** The steps of a process in their order, as events show them. */
export async function readSteps(tx: Transaction, { organizationId, id: processId }: ProcessKey) {
  const steps = await tx.prisma.processStep.findMany({
    where: { organizationId, processId },
    orderBy: [{ rank: 'asc' }, { id: 'asc' }],
    include: {
      approvers: { orderBy: { userId: 'asc' } },
      groups: { orderBy: { groupId: 'asc' } },
      escalations: { orderBy: { userId: 'asc' } },
    },
  });
  return steps.map(({ approvers, groups, escalations, escalateGroupId, ...step }) => ({
    ...omitProcess(step),
    escalateToIds: escalations.map(({ userId }) => userId),
    escalateToGroupId: escalateGroupId,
    approverIds: approvers.map(({ userId }) => userId),
    groupIds: groups.map(({ groupId }) => groupId),
  }));
}

/** Creates steps with their approvers and groups. */
export async function addSteps(tx: Transaction, steps: readonly RankedStep[]): Promise<void> {
  await tx.prisma.processStep.createMany({ data: steps.map(toRow) });
  await addApprovers(tx, steps);
}

async function addApprovers(tx: Transaction, steps: readonly RankedStep[]): Promise<void> {
  const rows = <Row>(ids: (step: RankedStep) => string[] | null | undefined, row: (id: string) => Row) =>
    steps.flatMap((step) =>
      [...new Set(ids(step))].map((id) => ({
        ...{ organizationId: step.organizationId, stepId: step.id },
        ...row(id),
      })),
    );
  await tx.prisma.processStepApprover.createMany({
    data: rows(
      ({ approverIds }) => approverIds,
      (userId) => ({ userId }),
    ),
  });
  await tx.prisma.processStepEscalation.createMany({
    data: rows(
      ({ escalateToIds }) => escalateToIds,
      (userId) => ({ userId }),
    ),
  });
  await tx.prisma.processStepGroup.createMany({
    data: rows(
      ({ groupIds }) => groupIds,
      (groupId) => ({ groupId }),
    ),
  });
}

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
  { organizationId }: ProcessKey,
  steps: readonly RankedStep[],
): Promise<void> {
  for (const each of steps) await tx.prisma.processStep.update({ where: { id: each.id }, data: toRow(each) });
  const ids = steps.map(({ id }) => id);
  const ofSteps = { where: { organizationId, stepId: { in: ids } } };
  await tx.prisma.processStepApprover.deleteMany(ofSteps);
  await tx.prisma.processStepGroup.deleteMany(ofSteps);
  await tx.prisma.processStepEscalation.deleteMany(ofSteps);
  await addApprovers(tx, steps);
}
