import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { IN_RECYCLE_BIN, requireDocuments, requireState } from '../documents/document-batch.ts';
import { recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { PathOf } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { name, normalizedKey, parse, requireBatchSize } from '../kernel/input.ts';
import { tables } from '../kernel/tables.ts';
import { inOrderOf, requireProject } from '../projects/project.ts';
import { findTasks, type Task, taskColumns } from './task.ts';
import { durationColumns, durationOf, reminderTimes, taskContent } from './task-content.ts';
import { addStakeholders, tagTasks } from './task-details.ts';

/** Documents linked to a task: one page of a connection. */
export const MAX_TASK_DOCUMENTS = 100;

const creation = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  tasks: z.array(
    z.strictObject({
      ...taskContent,
      name,
      documentIds: z
        .array(z.string())
        .max(MAX_TASK_DOCUMENTS, `at most ${MAX_TASK_DOCUMENTS} documents`)
        .nullish(),
    }),
  ),
});

type NewTask = z.output<typeof creation>['tasks'][number];

/**
 * Creates tasks, all or nothing, and returns them in input order. The first document of each is its primary one.
 * Requires the role EDITOR. Throws NOT_FOUND for a parent or document, CONFLICT for a recycled document.
 */
export function createTasks(ctx: Context, input: z.input<typeof creation>): Promise<Task[]> {
  const { projectId, organizationId: pathOrganizationId, tasks } = parse(creation, input);
  requireBatchSize(tasks, ctx.limits.batchMax, 'tasks');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(ctx, tx, projectId, 'changeTasks', pathOrganizationId);
    await requireParents(ctx, tx, projectId, tasks);
    await requireLinkable(ctx, tx, projectId, tasks);
    const memberIds = await findMemberIdsByEmail(tx, organizationId, tasks);
    const rows = tasks.map((task) => ({
      organizationId,
      projectId,
      ...toRow(task),
      assigneeId: memberIds.get(task.assigneeEmail ?? '') ?? null,
      createdById: ctx.viewer.userId,
    }));
    const created = await insertTasks(tx, rows);
    const links = linksOf(ctx, rows, tasks);
    if (links.length > 0) await tx.prisma.taskDocument.createMany({ data: links });
    await tagTasks(
      tx,
      rows.map((task, index) => ({ task, tags: tasks[index]?.tags ?? [] })),
    );
    await addStakeholders(tx, organizationId, stakeholdersOf(rows, tasks));
    await recordEvents(
      ctx,
      tx,
      rows.map((row, index) => subjectEvent(row, 'task.created', createdEventData(row, tasks[index]))),
    );
    return created;
  });
}

const toRow = (task: NewTask) => ({
  id: newId('Task'),
  parentId: task.parentId ?? null,
  name: task.name,
  nameKey: normalizedKey(task.name),
  description: task.description ?? '',
  descriptionHtml: task.descriptionHtml ?? '',
  descriptionRichText: task.descriptionRichText ?? '',
  priority: task.priority ?? 0,
  assigneeEmail: task.assigneeEmail ?? null,
  dueAt: task.dueAt ?? null,
  ...reminderTimes(task.dueAt ?? null),
  ...durationColumns(task.duration),
});

type Row = ReturnType<typeof toRow> &
  Pick<Task, 'organizationId' | 'projectId' | 'assigneeId' | 'createdById'>;

/** Inserts the tasks and reads them back, in one statement. */
async function insertTasks(tx: Transaction, rows: Row[]): Promise<Task[]> {
  const created = await tx.query<Task>(sql`
    INSERT INTO tasks AS ${tables.tasks} (organization_id, id, project_id, parent_id, name, name_key, description, description_html,
      description_rich_text, priority, assignee_email, assignee_id, due_at, remind7_at, remind3_at, remind1_at, duration_amount,
      duration_unit, created_by_id)
    SELECT "organizationId", id, "projectId", "parentId", name, "nameKey", description, "descriptionHtml",
      "descriptionRichText", priority, "assigneeEmail", "assigneeId", "dueAt", "remind7At", "remind3At", "remind1At", "durationAmount",
      "durationUnit"::duration_unit, "createdById"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("organizationId" text, id text, "projectId" text, "parentId" text,
      name text, "nameKey" text, description text, "descriptionHtml" text, "descriptionRichText" text, priority int,
      "assigneeEmail" text, "assigneeId" text, "dueAt" timestamptz, "remind7At" timestamptz, "remind3At" timestamptz,
      "remind1At" timestamptz, "durationAmount" int, "durationUnit" text, "createdById" text)
    RETURNING ${taskColumns(tables.tasks)}`);
  return inOrderOf(created, rows);
}

const createdEventData = (row: ReturnType<typeof toRow>, task?: NewTask): Prisma.InputJsonObject => ({
  after: {
    name: row.name,
    assigneeEmail: row.assigneeEmail,
    dueAt: row.dueAt?.toISOString() ?? null,
    ...(row.priority > 0 && { priority: row.priority }),
    ...(row.durationAmount && { duration: durationOf(row) }),
    ...(task?.tags?.length && { tags: task.tags }),
    ...(task?.stakeholderIds?.length && { stakeholderIds: task.stakeholderIds }),
  },
  ...(task?.documentIds?.length && { documentIds: task.documentIds }),
});

/** Throws NOT_FOUND unless each parent is a task of the project. */
async function requireParents(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  tasks: readonly { parentId?: string | null }[],
): Promise<void> {
  const ids = tasks.flatMap(({ parentId }) => parentId ?? []);
  if (ids.length === 0) return;
  const visibleIds = new Set(
    (await findTasks(ctx, ids, tx)).filter((task) => task.projectId === projectId).map(({ id }) => id),
  );
  for (const [index, { parentId }] of tasks.entries())
    if (parentId != null && !visibleIds.has(parentId)) throw notFound('Task', `tasks.${index}.parentId`);
}

async function requireLinkable(ctx: Context, tx: Transaction, projectId: string, tasks: readonly NewTask[]) {
  const ids = tasks.flatMap(({ documentIds }) => documentIds ?? []);
  const pathOf: PathOf = (id) => {
    const index = tasks.findIndex(({ documentIds }) => documentIds?.includes(id));
    return `tasks.${index}.documentIds.${tasks[index]?.documentIds?.indexOf(id)}`;
  };
  if (ids.length > 0)
    requireState(
      await requireDocuments(ctx, tx, ids, { projectId }, 'changeTasks', pathOf),
      'ACTIVE',
      IN_RECYCLE_BIN,
      pathOf,
    );
}

const linksOf = (
  ctx: Context,
  rows: readonly { organizationId: string; projectId: string; id: string }[],
  tasks: readonly NewTask[],
) =>
  rows.flatMap(({ organizationId, projectId, id: taskId }, index) =>
    [...new Set(tasks[index]?.documentIds)].map((documentId, position) => ({
      organizationId,
      projectId,
      taskId,
      documentId,
      position,
      createdById: ctx.viewer.userId,
    })),
  );

const stakeholdersOf = (rows: readonly { id: string }[], tasks: readonly NewTask[]) =>
  rows.flatMap(({ id: taskId }, task) =>
    (tasks[task]?.stakeholderIds ?? []).map((userId, index) => ({
      taskId,
      userId,
      at: `tasks.${task}.stakeholderIds.${index}`,
    })),
  );

/** Returns user ids by address for members of the organization only, so as not to reveal other accounts. */
export async function findMemberIdsByEmail(
  tx: Transaction,
  organizationId: string,
  tasks: readonly { assigneeEmail?: string | null }[],
): Promise<Map<string, string>> {
  const addresses = tasks.flatMap(({ assigneeEmail }) => assigneeEmail ?? []);
  if (addresses.length === 0) return new Map();
  const members = await tx.prisma.membership.findMany({
    where: { organizationId, user: { email: { in: addresses } } },
    select: { user: { select: { id: true, email: true } } },
  });
  return new Map(members.map(({ user }) => [user.email, user.id]));
}
