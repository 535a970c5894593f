import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Document } from '../documents/document.ts';
import { IN_RECYCLE_BIN, projectPath, requireDocuments, requireState } from '../documents/document-batch.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badInput } from '../kernel/errors.ts';
import { parse } from '../kernel/input.ts';
import { changedBy } from '../kernel/version.ts';
import type { Task } from './task.ts';
import { newEvent, requireTask, rereadTask } from './task-command.ts';
import { MAX_TASK_DOCUMENTS } from './task-create.ts';

const linking = z.strictObject({ ...projectPath, taskId: z.string(), documentIds: z.array(z.string()) });

interface Linked {
  task: Task;
  /** Each once, in the order given. */
  documents: Document[];
}

/** Links documents of its project to a task, behind those it has. What is linked already stays where it is. */
export function linkTaskDocuments(ctx: Context, input: z.input<typeof linking>): Promise<Linked> {
  return withDocuments(ctx, input, async (tx, task, documents) => {
    requireState(documents, 'ACTIVE', IN_RECYCLE_BIN);
    const { organizationId, projectId, id: taskId } = task;
    const links = await tx.prisma.taskDocument.findMany({ where: { organizationId, taskId } });
    const fresh = documents.filter(({ id }) => !links.some(({ documentId }) => documentId === id));
    if (links.length + fresh.length > MAX_TASK_DOCUMENTS)
      throw badInput(`documentIds: a task has at most ${MAX_TASK_DOCUMENTS} documents`, 'documentIds');
    const next = Math.max(-1, ...links.map(({ position }) => position)) + 1;
    const data = fresh.map(({ id: documentId }, index) => ({
      organizationId,
      projectId,
      taskId,
      documentId,
      position: next + index,
      createdById: ctx.viewer.userId,
    }));
    await tx.prisma.taskDocument.createMany({ data });
    await tell(ctx, tx, task, 'task.documentsLinked', fresh);
  });
}

/** Takes documents off a task; the next one becomes the primary. What is not linked changes nothing. */
export function unlinkTaskDocuments(ctx: Context, input: z.input<typeof linking>): Promise<Linked> {
  return withDocuments(ctx, input, async (tx, task, documents) => {
    const { organizationId, id: taskId } = task;
    const where = { organizationId, taskId, documentId: { in: documents.map(({ id }) => id) } };
    const links = await tx.prisma.taskDocument.findMany({ where });
    await tx.prisma.taskDocument.deleteMany({ where });
    const gone = documents.filter(({ id }) => links.some(({ documentId }) => documentId === id));
    await tell(ctx, tx, task, 'task.documentsUnlinked', gone);
  });
}

function withDocuments(
  ctx: Context,
  input: z.input<typeof linking>,
  work: (tx: Transaction, task: Task, documents: Document[]) => Promise<void>,
): Promise<Linked> {
  const { taskId, documentIds, ...within } = parse(linking, input);
  return inTransaction(ctx.db, async (tx) => {
    const task = await requireTask(ctx, tx, taskId, within);
    const { organizationId, projectId } = task;
    const documents = await requireDocuments(ctx, tx, documentIds, { organizationId, projectId }, 'EDITOR');
    await work(tx, task, documents);
    return { task: await rereadTask(tx, task), documents };
  });
}

/** Which documents is kept for the audit; a reader of the events may not see all of them. */
async function tell(ctx: Context, tx: Transaction, task: Task, kind: string, documents: Document[]) {
  if (documents.length === 0) return;
  await tx.prisma.task.updateMany({ where: { id: task.id }, data: changedBy(ctx) });
  await recordEvents(ctx, tx, [newEvent(task, kind, { documentIds: documents.map(({ id }) => id) })]);
}
