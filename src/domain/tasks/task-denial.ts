import type { Transaction } from '../../db/database.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';

interface DeniedTask {
  organizationId: string;
  projectId: string;
  id: string;
}

/** Denies the tasks of denied approvals, each once, and returns the events. Throws CONFLICT if one is not open. */
export async function denyOpenTasks(
  ctx: Context,
  tx: Transaction,
  tasks: readonly DeniedTask[],
): Promise<NewEvent[]> {
  const byId = new Map(tasks.map((each) => [each.id, each]));
  const now = new Date();
  const { count } = await tx.prisma.task.updateMany({
    where: { id: { in: [...byId.keys()] }, state: 'OPEN' },
    data: {
      state: 'DENIED',
      completedAt: now,
      completedById: ctx.viewer.userId,
      modifiedAt: now,
      modifiedById: ctx.viewer.userId,
      revisionNumber: { increment: 1 },
      version: { increment: 1 },
    },
  });
  if (count < byId.size) throw conflict('A task is closed already.', 'ids');
  return [...byId.values()].map(({ organizationId, projectId, id }) => ({
    organizationId,
    projectId,
    subjectId: id,
    kind: 'task.denied',
    data: { before: { state: 'OPEN' }, after: { state: 'DENIED' } },
  }));
}
