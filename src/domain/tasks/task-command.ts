import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Prisma, TaskState } from '../../generated/prisma/client.ts';
import type { ProjectPath } from '../documents/document-batch.ts';
import { changes, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { changedBy, requireVersion } from '../kernel/version.ts';
import { requireProject } from '../projects/project.ts';
import { findTasks, type Task } from './task.ts';

/**
 * The task, held until the transaction ends, for a change that takes the role EDITOR in its project. The lock lets
 * subtasks and links refer to it meanwhile. Throws NOT_FOUND, FORBIDDEN, or CONFLICT when the project is disabled.
 */
export async function requireTask(
  ctx: Context,
  tx: Transaction,
  id: string,
  { projectId, organizationId, expectedVersion }: ProjectPath & { expectedVersion?: number | null },
): Promise<Task> {
  await tx.query(sql`SELECT t.id FROM tasks t WHERE t.id = ${id} FOR NO KEY UPDATE`);
  const [task] = await findTasks(ctx, [id], tx);
  if (
    !task ||
    (projectId && projectId !== task.projectId) ||
    (organizationId && organizationId !== task.organizationId)
  )
    throw notFound('Task');
  await requireProject(ctx, tx, task.projectId, 'EDITOR');
  requireVersion(task, expectedVersion);
  return task;
}

interface Change {
  kind: string;
  /** What is told of, in the event and in the row. */
  after: Partial<Task>;
  /** What follows from it, in the row alone. */
  derived?: Prisma.TaskUncheckedUpdateManyInput;
  /** The states it can be made in; all of them unless given. */
  from?: TaskState[];
}

/**
 * Writes a change and tells of it; CONFLICT when the task is in no state for it. Answers the task as it now is, also
 * to someone who has just handed it to somebody else and sees it no more.
 */
export async function changeTask(
  ctx: Context,
  tx: Transaction,
  before: Task,
  { kind, after, derived, from }: Change,
): Promise<Task> {
  const { count } = await tx.prisma.task.updateMany({
    where: { id: before.id, state: from && { in: from } },
    data: {
      ...(after as Prisma.TaskUncheckedUpdateManyInput),
      ...derived,
      revisionNumber: { increment: 1 },
      ...changedBy(ctx),
    },
  });
  if (count === 0)
    throw conflict(from?.includes('OPEN') ? 'The task is no longer open.' : 'The task is open already.');
  await recordEvents(ctx, tx, [newEvent(before, kind, changes(before, after))]);
  return rereadTask(tx, before);
}

export const rereadTask = (tx: Transaction, { id }: Task): Promise<Task> =>
  tx.prisma.task.findUniqueOrThrow({ where: { id } });

export const newEvent = (
  { organizationId, projectId, id }: Pick<Task, 'organizationId' | 'projectId' | 'id'>,
  kind: string,
  data: Prisma.InputJsonObject,
) => ({ organizationId, projectId, subjectId: id, kind, data });
