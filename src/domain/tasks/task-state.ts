import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Context } from '../kernel/context.ts';
import { badValue } from '../kernel/errors.ts';
import { name, parse } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import type { Task } from './task.ts';
import { changeTask, requireTask } from './task-command.ts';

/** In REST v1, only this result distinguishes a denied task from a completed one. */
const DENIED = 'denied';

const closing = z.strictObject({
  ...projectPath,
  taskId: z.string(),
  result: name.nullish(),
  expectedVersion: z.int().nullish(),
});

/** Completes an open task with a result. Requires the role EDITOR. Throws NOT_FOUND, CONFLICT if it is not open. */
export function completeTask(ctx: Context, input: z.input<typeof closing>): Promise<Task> {
  const { taskId, result, ...path } = parse(closing, input);
  if (result?.toLowerCase() === DENIED)
    throw badValue('result', 'a completed task cannot be Denied; deny it.');
  return inTransaction(ctx.db, async (tx) =>
    closeTask(ctx, tx, await requireTask(ctx, tx, taskId, path), 'COMPLETED', result),
  );
}

/** Denies an open task; result: the reason. Requires the role EDITOR. Throws NOT_FOUND, CONFLICT if it is not open. */
export function denyTask(ctx: Context, input: z.input<typeof closing>): Promise<Task> {
  const { taskId, result, ...path } = parse(closing, input);
  return inTransaction(ctx.db, async (tx) =>
    closeTask(ctx, tx, await requireTask(ctx, tx, taskId, path), 'DENIED', result),
  );
}

/** Closes a locked task. Throws CONFLICT if it is not open. */
const closeTask = (
  ctx: Context,
  tx: Transaction,
  before: Task,
  state: 'COMPLETED' | 'DENIED',
  result?: string | null,
): Promise<Task> =>
  changeTask(ctx, tx, before, {
    kind: state === 'COMPLETED' ? 'task.completed' : 'task.denied',
    after: { state, result: result ?? null },
    derived: { completedAt: new Date(), completedById: ctx.viewer.userId },
    from: ['OPEN'],
  });

const reopening = z.strictObject({
  ...projectPath,
  taskId: z.string(),
  expectedVersion: z.int().nullish(),
});

/** Reopens a completed or denied task. Requires the role EDITOR. Throws NOT_FOUND, CONFLICT if it is open. */
export function reopenTask(ctx: Context, input: z.input<typeof reopening>): Promise<Task> {
  const { taskId, ...path } = parse(reopening, input);
  return inTransaction(ctx.db, async (tx) =>
    changeTask(ctx, tx, await requireTask(ctx, tx, taskId, path), {
      kind: 'task.reopened',
      after: { state: 'OPEN', result: null },
      derived: { completedAt: null, completedById: null },
      from: ['COMPLETED', 'DENIED'],
    }),
  );
}
