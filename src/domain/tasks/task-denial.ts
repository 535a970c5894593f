import type { Transaction } from '../../db/database.ts';
import type { NewEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';

interface Denied {
  organizationId: string;
  projectId: string;
  id: string;
}

/**
 * Denies tasks that an approval denied, each once, and answers what there is to record of it. Throws CONFLICT, and so
 * denies none, when one is not open.
 */
export async function denyOpenTasks(
  ctx: Context,
  tx: Transaction,
  tasks: readonly Denied[],
): Promise<NewEvent[]> {
  const wanted = new Map(tasks.map((each) => [each.id, each]));
  const now = new Date();
  const { count } = await tx.prisma.task.updateMany({
    where: { id: { in: [...wanted.keys()] }, state: 'OPEN' },
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
  if (count < wanted.size) throw conflict('A task is closed already.', 'ids');
  return [...wanted.values()].map(({ organizationId, projectId, id }) => ({
    organizationId,
    projectId,
    subjectId: id,
    kind: 'task.denied',
    data: { before: { state: 'OPEN' }, after: { state: 'DENIED' } },
  }));
}
