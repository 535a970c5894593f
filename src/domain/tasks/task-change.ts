import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { lockFolderTree } from '../folders/folder.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { email, name, normalizedKey, parse } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import { findTasks, type Task } from './task.ts';
import { changeTask, isChange, requireTask, type TaskChange } from './task-command.ts';
import { durationColumns, durationOf, reminderTimes, taskContent } from './task-content.ts';
import { findMemberIdsByEmail } from './task-create.ts';
import { changedDetails, findTaskDetails, type TaskDetails, writeDetails } from './task-details.ts';

const update = z.strictObject({
  ...projectPath,
  ...taskContent,
  taskId: z.string(),
  name: name.nullish(),
  expectedVersion: z.int().nullish(),
});

type Update = z.output<typeof update>;

/**
 * Changes a task. Absent members keep their value; tags and stakeholderIds replace the list; null removes the due time,
 * duration, parent or assignee, and keeps others. A change to the present values is none: no version, no event. Requires the role
 * EDITOR. Throws NOT_FOUND, CONFLICT for another version, for a parent below the task, or for a new assignee of a task that
 * is not open.
 */
export function updateTask(ctx: Context, input: z.input<typeof update>): Promise<Task> {
  const { taskId, organizationId, projectId, expectedVersion, ...changes } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const path = { organizationId, projectId, expectedVersion };
    const before = await requireTask(ctx, tx, taskId, path);
    const after = applyUpdate(before, changes);
    if (after.parentId != null && after.parentId !== before.parentId)
      await requireParent(ctx, tx, before, after.parentId);
    const assigned = after.assigneeEmail !== before.assigneeEmail;
    const details = await detailsOf(ctx, tx, before, changes);
    const change: TaskChange = {
      kind: 'task.updated',
      after,
      derived: {
        nameKey: normalizedKey(after.name),
        ...reminderTimes(after.dueAt),
        ...(after.dueAt?.getTime() !== before.dueAt?.getTime() && { dueChangedAt: new Date() }),
        ...(assigned && (await assigneeColumns(tx, before, after.assigneeEmail))),
        ...details.columns,
      },
      shown: details.shown,
      writeRelated: details.writeRelated,
      from: assigned ? ['OPEN'] : undefined,
    };
    return isChange(before, change) ? changeTask(ctx, tx, before, change) : before;
  });
}

/** The part of an update that is not in columns of the same name: the duration, the tags and the stakeholders. */
async function detailsOf(ctx: Context, tx: Transaction, task: Task, input: Partial<Update>) {
  const [before] = (await findTaskDetails(ctx, [task.id], tx)) as [TaskDetails];
  const after = changedDetails(before, input);
  const duration = durationOf(task);
  const newDuration = input.duration === undefined ? duration : input.duration;
  return {
    columns: durationColumns(newDuration),
    shown: { before: { ...before, duration }, after: { ...after, duration: newDuration } },
    writeRelated: () => writeDetails(tx, task, before, after, input.stakeholderIds ?? []),
  };
}

const applyUpdate = (before: Task, input: Partial<Update>) => ({
  name: input.name ?? before.name,
  description: input.description ?? before.description,
  descriptionHtml: input.descriptionHtml ?? before.descriptionHtml,
  descriptionRichText: input.descriptionRichText ?? before.descriptionRichText,
  priority: input.priority ?? before.priority,
  assigneeEmail: input.assigneeEmail === undefined ? before.assigneeEmail : input.assigneeEmail,
  dueAt: input.dueAt === undefined ? before.dueAt : input.dueAt,
  parentId: input.parentId === undefined ? before.parentId : input.parentId,
});

const assigneeColumns = async (
  tx: Transaction,
  { organizationId }: Task,
  assigneeEmail: string | null,
): Promise<{ assigneeId: string | null }> => ({
  assigneeId:
    (await findMemberIdsByEmail(tx, organizationId, [{ assigneeEmail }])).get(assigneeEmail ?? '') ?? null,
});

/** Throws NOT_FOUND unless the new parent is a task of the project, CONFLICT for a cycle of parents. */
async function requireParent(ctx: Context, tx: Transaction, { id, projectId }: Task, parentId: string) {
  await lockFolderTree(tx, projectId);
  const [parent] = await findTasks(ctx, [parentId], tx);
  if (parent?.projectId !== projectId) throw notFound('Task', 'parentId');
  const above = await tx.query<{ id: string }>(sql`
    WITH RECURSIVE above AS (
      SELECT t.organization_id, t.id, t.parent_id FROM tasks t WHERE t.id = ${parentId}
      UNION SELECT t.organization_id, t.id, t.parent_id FROM above
        JOIN tasks t ON t.organization_id = above.organization_id AND t.id = above.parent_id)
    SELECT id FROM above WHERE id = ${id}`);
  if (above.length > 0) throw conflict('A task cannot be below itself.', 'parentId');
}

const assignment = z.strictObject({
  ...projectPath,
  taskId: z.string(),
  assigneeEmail: email.nullish(),
  expectedVersion: z.int().nullish(),
});

/**
 * Assigns an open task to an address, or with null to nobody. Requires the role EDITOR. Throws NOT_FOUND, CONFLICT if
 * it is not open.
 */
export function assignTask(ctx: Context, input: z.input<typeof assignment>): Promise<Task> {
  const { taskId, assigneeEmail = null, ...path } = parse(assignment, input);
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireTask(ctx, tx, taskId, path);
    return changeTask(ctx, tx, before, {
      kind: 'task.assigned',
      after: { assigneeEmail },
      derived: await assigneeColumns(tx, before, assigneeEmail),
      from: ['OPEN'],
    });
  });
}
