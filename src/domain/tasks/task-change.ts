import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { projectPath } from '../documents/document-batch.ts';
import { lockTree } from '../folders/folder.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { email, name, normalizedKey, parse } from '../kernel/input.ts';
import { findTasks, type Task } from './task.ts';
import { changeTask, requireTask } from './task-command.ts';
import { findMemberIdsByEmail, reminderTimes, taskContent } from './task-create.ts';

const update = z.strictObject({
  ...projectPath,
  ...taskContent,
  taskId: z.string(),
  name: name.nullish(),
  expectedVersion: z.int().nullish(),
});

type Update = z.output<typeof update>;

/**
 * Members left out stay as they are. Null takes away the due time, the parent and the assignee, and leaves the others.
 * CONFLICT when it changes the assignee of a task that is not open.
 */
export function updateTask(ctx: Context, input: z.input<typeof update>): Promise<Task> {
  const { taskId, organizationId, projectId, expectedVersion, ...wanted } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const within = { organizationId, projectId, expectedVersion };
    const before = await requireTask(ctx, tx, taskId, within);
    const after = afterUpdate(before, wanted);
    if (after.parentId != null && after.parentId !== before.parentId)
      await requireAbove(ctx, tx, before, after.parentId);
    const assigned = after.assigneeEmail !== before.assigneeEmail;
    return changeTask(ctx, tx, before, {
      kind: 'task.updated',
      after,
      derived: {
        nameKey: normalizedKey(after.name),
        ...reminderTimes(after.dueAt),
        ...(after.dueAt?.getTime() !== before.dueAt?.getTime() && { dueChangedAt: new Date() }),
        ...(assigned && (await assignee(tx, before, after.assigneeEmail))),
      },
      from: assigned ? ['OPEN'] : undefined,
    });
  });
}

const afterUpdate = (before: Task, wanted: Partial<Update>) => ({
  name: wanted.name ?? before.name,
  description: wanted.description ?? before.description,
  descriptionHtml: wanted.descriptionHtml ?? before.descriptionHtml,
  descriptionRichText: wanted.descriptionRichText ?? before.descriptionRichText,
  priority: wanted.priority ?? before.priority,
  assigneeEmail: wanted.assigneeEmail === undefined ? before.assigneeEmail : wanted.assigneeEmail,
  dueAt: wanted.dueAt === undefined ? before.dueAt : wanted.dueAt,
  parentId: wanted.parentId === undefined ? before.parentId : wanted.parentId,
});

const assignee = async (
  tx: Transaction,
  { organizationId }: Task,
  assigneeEmail: string | null,
): Promise<{ assigneeId: string | null }> => ({
  assigneeId:
    (await findMemberIdsByEmail(tx, organizationId, [{ assigneeEmail }])).get(assigneeEmail ?? '') ?? null,
});

/** Throws NOT_FOUND unless the new parent is a task of the project, and CONFLICT where a circle would close. */
async function requireAbove(ctx: Context, tx: Transaction, { id, projectId }: Task, parentId: string) {
  await lockTree(tx, projectId);
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

/** Hands an open task to someone, or with null to nobody. CONFLICT when it is completed or denied. */
export function assignTask(ctx: Context, input: z.input<typeof assignment>): Promise<Task> {
  const { taskId, assigneeEmail = null, ...within } = parse(assignment, input);
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireTask(ctx, tx, taskId, within);
    return changeTask(ctx, tx, before, {
      kind: 'task.assigned',
      after: { assigneeEmail },
      derived: await assignee(tx, before, assigneeEmail),
      from: ['OPEN'],
    });
  });
}
