import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId, typeOfId } from '../../lib/id.ts';
import { recordEvents } from '../kernel/audit.ts';
import { type PathOf, positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { isInPath, projectPath } from '../kernel/project-path.ts';
import { inOrderOf, requireProject } from '../projects/project.ts';
import { findApprovalItems, lockItems, requireOpen } from './approval-item.ts';
import { findProcesses, type Process } from './process.ts';
import { requestNextSteps, requireNoneStuck } from './process-progress.ts';
import { findProcessRuns, type ProcessRun } from './process-run.ts';

const start = z.strictObject({
  processId: z.string(),
  ...projectPath,
  itemIds: z.array(z.string()),
});

/**
 * Starts a process on documents and tasks of its project, all or nothing: a run for each item, with its first step
 * requested. Requires the role EDITOR. Throws NOT_FOUND, CONFLICT if the process is disabled or pending on an item, if
 * an item is recycled or closed, or if the first step has no approver left.
 */
export function startProcess(ctx: Context, input: z.input<typeof start>): Promise<ProcessRun[]> {
  const { processId, itemIds, ...path } = parse(start, input);
  requireBatchSize(itemIds, ctx.limits.batchMax, 'itemIds');
  const distinctIds = [...new Set(itemIds)];
  const pathOf = positionIn('itemIds', itemIds);
  return inTransaction(ctx.db, async (tx) => {
    const [process] = await findProcesses(ctx, [processId], tx);
    if (!process || !isInPath(process, path)) throw notFound('Process');
    if (process.retentionPolicyId)
      throw conflict('The process is started by its retention policy alone.', 'processId');
    await requireProject(ctx, tx, process.projectId, 'startProcesses');
    await requireItems(ctx, tx, process, distinctIds, pathOf);
    const runs = distinctIds.map((itemId) => ({
      organizationId: process.organizationId,
      id: newId('ProcessRun'),
      projectId: process.projectId,
      processId,
      documentId: typeOfId(itemId) === 'Document' ? itemId : null,
      taskId: typeOfId(itemId) === 'Task' ? itemId : null,
      createdById: ctx.viewer.userId,
    }));
    await tx.prisma.processRun.createMany({ data: runs });
    const ids = runs.map(({ id }) => id);
    const next = await requestNextSteps(tx, ids);
    const itemOf = (runId: string) => distinctIds[ids.indexOf(runId)] as string;
    requireNoneStuck(next.stuck, (runId) => pathOf(itemOf(runId)));
    const requested = new Map(next.requested.map((each) => [each.runId, each]));
    await requireEnabled(tx, processId);
    await recordEvents(
      ctx,
      tx,
      runs.map((run, index) => ({
        organizationId: run.organizationId,
        projectId: run.projectId,
        subjectId: distinctIds[index] as string,
        kind: run.taskId ? 'task.processStarted' : 'document.processStarted',
        data: { processId, ...requested.get(run.id) },
      })),
    );
    return inOrderOf(await findProcessRuns(ctx, ids, tx), runs);
  });
}

/** Locks the items, so that the second of two concurrent starts sees the first. */
async function requireItems(
  ctx: Context,
  tx: Transaction,
  { id: processId, organizationId, projectId }: Process,
  ids: string[],
  pathOf: PathOf,
): Promise<void> {
  await lockItems(tx, ids);
  const items = (await findApprovalItems(ctx, ids, tx)).filter((item) => item.projectId === projectId);
  requireFound('Item', ids, items, pathOf);
  requireOpen(items, pathOf);
  const running = await tx.prisma.processRun.findFirst({
    where: {
      organizationId,
      processId,
      state: 'PENDING',
      OR: [{ documentId: { in: ids } }, { taskId: { in: ids } }],
    },
  });
  const itemId = running?.documentId ?? running?.taskId;
  if (itemId) throw conflict('The process is under way on an item already.', pathOf(itemId));
}

/** Called with the process locked, so that no run starts after it was disabled. */
async function requireEnabled(tx: Transaction, id: string): Promise<void> {
  const enabled = await tx.prisma.process.count({ where: { id, archivedAt: null } });
  if (enabled === 0) throw conflict('The process is disabled.', 'processId');
}
