import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import { requireDistinct } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { name, normalizedKey, parse, requireBatchSize } from '../kernel/input.ts';
import { isInPath, type ProjectPath, projectPath } from '../kernel/project-path.ts';
import { changedBy, lockRow, requireVersion } from '../kernel/version.ts';
import { inOrderOf, requireProject } from '../projects/project.ts';
import { findProcesses, type Process } from './process.ts';
import { changedSteps, newSteps, requireApprovers } from './process-step-input.ts';
import { addSteps, readSteps, replaceSteps, withRanks } from './process-steps.ts';

const creation = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  processes: z.array(z.strictObject({ name, steps: newSteps })),
});

/**
 * Creates processes, all or nothing, and returns them in input order. A step needs ONE of its approvers unless its rule
 * is ALL or `need` says how many. Requires the role ADMIN. Throws NOT_FOUND for an approver who is no editor of the
 * project, and for a group of another organization.
 */
export function createProcesses(ctx: Context, input: z.input<typeof creation>): Promise<Process[]> {
  const { projectId, organizationId: pathOrganizationId, processes } = parse(creation, input);
  requireBatchSize(processes, ctx.limits.batchMax, 'processes');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(
      ctx,
      tx,
      projectId,
      'changeProcesses',
      pathOrganizationId,
    );
    await requireApprovers(
      ctx,
      tx,
      { organizationId, projectId },
      processes.map(({ steps }, index) => ({ steps, at: `processes.${index}.steps` })),
    );
    const rows = processes.map(({ name }) => ({
      organizationId,
      id: newId('Process'),
      projectId,
      name,
      nameKey: normalizedKey(name),
      createdById: ctx.viewer.userId,
    }));
    await tx.prisma.process.createMany({ data: rows });
    await addSteps(
      tx,
      rows.flatMap((row, index) => withRanks(row, processes[index]?.steps ?? [])),
    );
    await recordEvents(
      ctx,
      tx,
      rows.map(({ id, name }, index) => ({
        organizationId,
        projectId,
        subjectId: id,
        kind: 'process.created',
        data: { after: { name, steps: processes[index]?.steps ?? [] } },
      })),
    );
    const ids = rows.map(({ id }) => id);
    return inOrderOf(await findProcesses(ctx, ids, tx), rows);
  });
}

const update = z.strictObject({
  processId: z.string(),
  ...projectPath,
  name: name.nullish(),
  steps: changedSteps.nullish(),
  disabled: z.boolean().nullish(),
  expectedVersion: z.int().nullish(),
});

/**
 * Changes a process. Members that are absent or null keep their value; steps replaces the list, a step with an id is
 * kept. Pending runs continue with the changed steps. A disabled process starts no runs. Requires the role ADMIN.
 * Throws NOT_FOUND, CONFLICT for another version or for removing a step that already has approvals.
 */
export function updateProcess(ctx: Context, input: z.input<typeof update>): Promise<Process> {
  const { processId, steps, expectedVersion, ...rest } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    await lockRow(tx, 'processes', processId);
    const before = await requireProcess(ctx, tx, processId, rest);
    requireVersion(before, expectedVersion);
    const after = {
      name: rest.name ?? before.name,
      archivedAt:
        rest.disabled == null ? before.archivedAt : rest.disabled ? (before.archivedAt ?? new Date()) : null,
    };
    await tx.prisma.process.update({
      where: { id: processId },
      data: {
        ...after,
        nameKey: normalizedKey(after.name),
        ...changedBy(ctx),
      },
    });
    const replaced = steps && (await changeSteps(ctx, tx, before, steps));
    const data = changes({ ...before, ...replaced?.before }, { ...after, ...replaced?.after });
    await recordEvents(ctx, tx, [subjectEvent(before, 'process.updated', data)]);
    return (await findProcesses(ctx, [processId], tx))[0] as Process;
  });
}

/** Replaces the steps, and returns them before and after. */
async function changeSteps(
  ctx: Context,
  tx: Transaction,
  process: Process,
  given: NonNullable<z.output<typeof update>['steps']>,
) {
  requireDistinctIds(given.flatMap(({ id }) => id ?? []));
  await requireApprovers(ctx, tx, process, [{ steps: given, at: 'steps' }]);
  const before = { steps: await readSteps(tx, process) };
  await replaceSteps(tx, process, given);
  return { before, after: { steps: await readSteps(tx, process) } };
}

async function requireProcess(
  ctx: Context,
  tx: Transaction,
  id: string,
  path: ProjectPath,
): Promise<Process> {
  const [process] = await findProcesses(ctx, [id], tx);
  if (!process || !isInPath(process, path)) throw notFound('Process');
  await requireProject(ctx, tx, process.projectId, 'changeProcesses');
  if (process.retentionPolicyId)
    throw conflict('The process reviews disposals: it is what its retention policy says.', 'processId');
  return process;
}

function requireDistinctIds(ids: readonly string[]): void {
  requireDistinct(ids, (index) => `steps.${index}.id`, 'an id is given twice');
}
