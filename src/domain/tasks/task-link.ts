import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Document } from '../documents/document.ts';
import { IN_RECYCLE_BIN, requireDocuments, requireState } from '../documents/document-batch.ts';
import { recordEvents, subjectEvent } from '../kernel/audit.ts';
import { positionIn } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import { changedBy } from '../kernel/version.ts';
import type { Task } from './task.ts';
import { requireTask, rereadTask } from './task-command.ts';
import { MAX_TASK_DOCUMENTS } from './task-create.ts';

const linking = z.strictObject({ ...projectPath, taskId: z.string(), documentIds: z.array(z.string()) });

interface LinkedTask {
  task: Task;
  /** The documents of the input, each once. */
  documents: Document[];
}

/**
 * Links documents of its project to a task, after those it has; linked ones keep their position. Requires the role
 * EDITOR. Throws NOT_FOUND, BAD_USER_INPUT above MAX_TASK_DOCUMENTS, CONFLICT for a recycled document.
 */
export function linkTaskDocuments(ctx: Context, input: z.input<typeof linking>): Promise<LinkedTask> {
  return changeLinks(ctx, input, async (tx, task, documents) => {
    requireState(documents, 'ACTIVE', IN_RECYCLE_BIN, positionIn('documentIds', input.documentIds));
    const { organizationId, projectId, id: taskId } = task;
    const links = await tx.prisma.taskDocument.findMany({ where: { organizationId, taskId } });
    const added = documents.filter(({ id }) => !links.some(({ documentId }) => documentId === id));
    if (links.length + added.length > MAX_TASK_DOCUMENTS)
      throw badValue('documentIds', `a task has at most ${MAX_TASK_DOCUMENTS} documents`);
    const next = Math.max(-1, ...links.map(({ position }) => position)) + 1;
    const data = added.map(({ id: documentId }, index) => ({
      organizationId,
      projectId,
      taskId,
      documentId,
      position: next + index,
      createdById: ctx.viewer.userId,
    }));
    await tx.prisma.taskDocument.createMany({ data });
    await recordLinks(ctx, tx, task, 'task.documentsLinked', added);
  });
}

/**
 * Unlinks documents from a task; others are ignored. The next document becomes the primary. Requires the role EDITOR.
 */
export function unlinkTaskDocuments(ctx: Context, input: z.input<typeof linking>): Promise<LinkedTask> {
  return changeLinks(ctx, input, async (tx, task, documents) => {
    const { organizationId, id: taskId } = task;
    const where = { organizationId, taskId, documentId: { in: documents.map(({ id }) => id) } };
    const links = await tx.prisma.taskDocument.findMany({ where });
    await tx.prisma.taskDocument.deleteMany({ where });
    const removed = documents.filter(({ id }) => links.some(({ documentId }) => documentId === id));
    await recordLinks(ctx, tx, task, 'task.documentsUnlinked', removed);
  });
}

function changeLinks(
  ctx: Context,
  input: z.input<typeof linking>,
  work: (tx: Transaction, task: Task, documents: Document[]) => Promise<void>,
): Promise<LinkedTask> {
  const { taskId, documentIds, ...path } = parse(linking, input);
  return inTransaction(ctx.db, async (tx) => {
    const task = await requireTask(ctx, tx, taskId, path);
    const { organizationId, projectId } = task;
    const documents = await requireDocuments(
      ctx,
      tx,
      documentIds,
      { organizationId, projectId },
      'changeTasks',
    );
    await work(tx, task, documents);
    return { task: await rereadTask(tx, task), documents };
  });
}

/** Records the change, if there is one. The event has the ids only: its readers may not see every document. */
async function recordLinks(ctx: Context, tx: Transaction, task: Task, kind: string, documents: Document[]) {
  if (documents.length === 0) return;
  await tx.prisma.task.updateMany({ where: { id: task.id }, data: changedBy(ctx) });
  await recordEvents(ctx, tx, [subjectEvent(task, kind, { documentIds: documents.map(({ id }) => id) })]);
}
