import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Prisma, TaskState } from '../../generated/prisma/client.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { isInPath, type ProjectPath } from '../kernel/project-path.ts';
import { tables } from '../kernel/tables.ts';
import { changedBy, requireVersion } from '../kernel/version.ts';
import { requireProject } from '../projects/project.ts';
import { findTasks, type Task, taskColumns } from './task.ts';

/**
 * Returns a task for a change, its row locked until the transaction ends; the lock still allows references to it.
 * Requires the role EDITOR. Throws NOT_FOUND, FORBIDDEN, CONFLICT for another version or a disabled project.
 */
export async function requireTask(
  ctx: Context,
  tx: Transaction,
  id: string,
  { expectedVersion, ...path }: ProjectPath & { expectedVersion?: number | null },
): Promise<Task> {
  await tx.query(sql`SELECT t.id FROM tasks t WHERE t.id = ${id} FOR NO KEY UPDATE`);
  const [task] = await findTasks(ctx, [id], tx);
  if (!task || !isInPath(task, path)) throw notFound('Task');
  await requireProject(ctx, tx, task.projectId, 'changeTasks');
  requireVersion(task, expectedVersion);
  return task;
}

export interface TaskChange {
  kind: string;
  /** Columns that the event shows too. */
  after: Partial<Task>;
  /** Further columns, which the event leaves out. */
  derived?: Prisma.TaskUncheckedUpdateManyInput;
  /** Further values that the event shows, which are not columns. */
  shown?: { before: object; after: object };
  /** Writes what belongs to the task, after its row and before the event. */
  writeRelated?: () => Promise<void>;
  /** The states in which the change is allowed; by default all. */
  from?: TaskState[];
}

/**
 * Writes a change of a locked task with its event, and returns the task, even if the viewer can no longer see it.
 * Throws CONFLICT if the task is not in a state of `from`.
 */
export async function changeTask(
  ctx: Context,
  tx: Transaction,
  before: Task,
  { kind, after, derived, shown, writeRelated, from }: TaskChange,
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
    throw conflict(
      from?.includes('OPEN') ? 'The task is no longer open.' : 'The task is open already.',
      'taskId',
    );
  await writeRelated?.();
  await recordEvents(ctx, tx, [subjectEvent(before, kind, valuesOf(before, { after, shown }))]);
  return rereadTask(tx, before);
}

/** The changed values, as the event shows them. */
const valuesOf = (before: Task, { after, shown }: Pick<TaskChange, 'after' | 'shown'>) =>
  changes({ ...before, ...shown?.before }, { ...after, ...shown?.after });

/** Whether the change differs from what is there. */
export const isChange = (before: Task, change: TaskChange): boolean =>
  Object.keys(valuesOf(before, change).after as object).length > 0;

/** Returns the task as it is now, visible or not. */
export async function rereadTask(tx: Transaction, { id }: Task): Promise<Task> {
  const [task] = await tx.query<Task>(
    sql`SELECT ${taskColumns(tables.tasks)} FROM ${tables.tasks.from} WHERE t.id = ${id}`,
  );
  return task as Task;
}
