import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ApprovalRule } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import type { Process } from './process.ts';

interface NewStep {
  name: string;
  rule?: ApprovalRule | null;
  approverIds: string[];
}

type Owner = Pick<Process, 'organizationId' | 'id'>;

type Placed = NewStep & { id: string; organizationId: string; processId: string; rank: number };

/** Each step with its place in its process, and a new id unless it has one. */
export const withRanks = (
  { organizationId, id: processId }: Owner,
  steps: readonly (NewStep & { id?: string | null })[],
): Placed[] =>
  steps.map((each, rank) => ({
    ...each,
    id: each.id ?? newId('ProcessStep'),
    organizationId,
    processId,
    rank,
  }));

const row = ({ approverIds: _, rule, ...step }: Placed) => ({ ...step, rule: rule ?? ('ONE' as const) });

export async function addSteps(tx: Transaction, steps: readonly Placed[]): Promise<void> {
  await tx.prisma.processStep.createMany({ data: steps.map(row) });
  await askThem(tx, steps);
}

const askThem = (tx: Transaction, steps: readonly Placed[]) =>
  tx.prisma.processStepApprover.createMany({
    data: steps.flatMap(({ organizationId, id: stepId, approverIds }) =>
      [...new Set(approverIds)].map((userId) => ({ organizationId, stepId, userId })),
    ),
  });

/**
 * Gives a process, which the transaction holds, these steps in this order. Those that name an id stay, and change.
 * Throws NOT_FOUND for an id that is no step of it, CONFLICT for a step left out that an approval was asked for.
 */
export async function replaceSteps(
  tx: Transaction,
  process: Owner,
  wanted: readonly (NewStep & { id?: string | null })[],
): Promise<void> {
  const { organizationId, id: processId } = process;
  const known = await tx.prisma.processStep.findMany({
    where: { organizationId, processId },
    include: { approvals: { select: { id: true }, take: 1 } },
  });
  const stray = wanted.findIndex(({ id }) => id && !known.some((each) => each.id === id));
  if (stray >= 0) throw notFound('Step', `steps.${stray}.id`);
  const gone = known.filter(({ id }) => !wanted.some((each) => each.id === id));
  if (gone.some(({ approvals }) => approvals.length > 0))
    throw conflict('A step that was asked for an approval stays in its process.', 'steps');
  await tx.prisma.processStep.deleteMany({ where: { id: { in: gone.map(({ id }) => id) } } });
  const steps = withRanks(process, wanted);
  const staying = steps.filter(({ id }) => known.some((each) => each.id === id));
  await changeSteps(tx, process, staying);
  await addSteps(
    tx,
    steps.filter((each) => !staying.includes(each)),
  );
}

async function changeSteps(
  tx: Transaction,
  { organizationId, id: processId }: Owner,
  steps: readonly Placed[],
): Promise<void> {
  // Ranks are unique at every moment: out of the way first, then to their place.
  await tx.query(sql`UPDATE process_steps SET rank = -1 - rank
    WHERE organization_id = ${organizationId} AND process_id = ${processId} RETURNING id`);
  for (const each of steps) await tx.prisma.processStep.update({ where: { id: each.id }, data: row(each) });
  const ids = steps.map(({ id }) => id);
  await tx.prisma.processStepApprover.deleteMany({ where: { organizationId, stepId: { in: ids } } });
  await askThem(tx, steps);
}
