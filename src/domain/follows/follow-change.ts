import { z } from 'zod';
import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { type Document, findDocuments } from '../documents/document.ts';
import { type Folder, findFolders } from '../folders/folder.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { isInPath, type ProjectPath, projectPath } from '../kernel/project-path.ts';
import { findProjects, inOrderOf, type Project, requireProjectPath } from '../projects/project.ts';
import { findTasks, type Task } from '../tasks/task.ts';

/**
 * Commands to follow objects and to stop following them. They are idempotent, all or nothing, and require only that the
 * viewer sees the objects. They record no event, as follows are visible to their owner only.
 */

type Subject = { organizationId: string; id: string };

/** A kind of object that can be followed. */
interface Followable<Row extends Subject> {
  table: string;
  /** The name in errors. */
  name: string;
  idsMember: string;
  find: (ctx: Context, ids: readonly string[], reader: Reader) => Promise<Row[]>;
  projectIdOf: (row: Row) => string;
  /** The column that holds the id; none for a project. */
  column?: 'documentId' | 'folderId' | 'taskId';
}

const DOCUMENTS: Followable<Document> = {
  table: 'documents',
  name: 'Document',
  idsMember: 'documentIds',
  find: findDocuments,
  projectIdOf: ({ projectId }) => projectId,
  column: 'documentId',
};

const FOLDERS: Followable<Folder> = {
  table: 'folders',
  name: 'Folder',
  idsMember: 'folderIds',
  find: findFolders,
  projectIdOf: ({ projectId }) => projectId,
  column: 'folderId',
};

const TASKS: Followable<Task> = {
  table: 'tasks',
  name: 'Task',
  idsMember: 'taskIds',
  find: findTasks,
  projectIdOf: ({ projectId }) => projectId,
  column: 'taskId',
};

const PROJECTS: Followable<Project> = {
  table: 'projects',
  name: 'Project',
  idsMember: 'projectIds',
  find: findProjects,
  projectIdOf: ({ id }) => id,
};

type Write = <Row extends Subject>(
  ctx: Context,
  tx: Transaction,
  kind: Followable<Row>,
  rows: Row[],
) => Promise<unknown>;

const insert: Write = ({ viewer }, tx, { column, projectIdOf }, rows) =>
  tx.prisma.follow.createMany({
    data: rows.map((row) => ({
      organizationId: row.organizationId,
      id: newId('Follow'),
      userId: viewer.userId,
      subjectId: row.id,
      projectId: projectIdOf(row),
      ...(column && { [column]: row.id }),
    })),
    skipDuplicates: true,
  });

const remove: Write = ({ viewer }, tx, _, rows) =>
  tx.prisma.follow.deleteMany({
    where: { userId: viewer.userId, subjectId: { in: rows.map(({ id }) => id) } },
  });

/** Locks the objects against deletion, reads and writes. Throws NOT_FOUND unless the viewer sees all of them. */
function change<Row extends Subject>(
  ctx: Context,
  kind: Followable<Row>,
  ids: string[],
  path: ProjectPath,
  write: Write,
): Promise<Row[]> {
  const { table, name, idsMember, find, projectIdOf } = kind;
  requireBatchSize(ids, ctx.limits.batchMax, idsMember);
  const uniqueIds = [...new Set(ids)];
  return inTransaction(ctx.db, async (tx) => {
    await tx.query(
      sql`SELECT id FROM ${sql.raw(table)} WHERE id = ANY(${uniqueIds}) ORDER BY id FOR KEY SHARE`,
    );
    const rows = await find(ctx, uniqueIds, tx);
    await requireProjectPath(ctx, tx, path);
    const inPath = rows.filter((row) => isInPath({ ...row, projectId: projectIdOf(row) }, path));
    requireFound(name, uniqueIds, inPath, positionIn(idsMember, ids));
    await write(ctx, tx, kind, inPath);
    return inOrderOf(
      inPath,
      uniqueIds.map((id) => ({ id })),
    );
  });
}

const documents = z.strictObject({ ...projectPath, documentIds: z.array(z.string()) });
const folders = z.strictObject({ ...projectPath, folderIds: z.array(z.string()) });
const tasks = z.strictObject({ ...projectPath, taskIds: z.array(z.string()) });
const projects = z.strictObject({
  organizationId: z.string().nullish(),
  projectIds: z.array(z.string()),
});

function onDocuments(ctx: Context, input: z.input<typeof documents>, write: Write): Promise<Document[]> {
  const { documentIds, ...path } = parse(documents, input);
  return change(ctx, DOCUMENTS, documentIds, path, write);
}

function onFolders(ctx: Context, input: z.input<typeof folders>, write: Write): Promise<Folder[]> {
  const { folderIds, ...path } = parse(folders, input);
  return change(ctx, FOLDERS, folderIds, path, write);
}

function onTasks(ctx: Context, input: z.input<typeof tasks>, write: Write): Promise<Task[]> {
  const { taskIds, ...path } = parse(tasks, input);
  return change(ctx, TASKS, taskIds, path, write);
}

function onProjects(ctx: Context, input: z.input<typeof projects>, write: Write): Promise<Project[]> {
  const { projectIds, ...path } = parse(projects, input);
  return change(ctx, PROJECTS, projectIds, path, write);
}

type DocumentsInput = z.input<typeof documents>;
type FoldersInput = z.input<typeof folders>;
type TasksInput = z.input<typeof tasks>;
type ProjectsInput = z.input<typeof projects>;

/** Follows documents as the viewer. Throws NOT_FOUND. */
export const followDocuments = (ctx: Context, input: DocumentsInput) => onDocuments(ctx, input, insert);

/** Stops following. Throws NOT_FOUND. */
export const unfollowDocuments = (ctx: Context, input: DocumentsInput) => onDocuments(ctx, input, remove);

/** Follows folders with all that is below them. Throws NOT_FOUND. */
export const followFolders = (ctx: Context, input: FoldersInput) => onFolders(ctx, input, insert);

/** Stops following. Throws NOT_FOUND. */
export const unfollowFolders = (ctx: Context, input: FoldersInput) => onFolders(ctx, input, remove);

/** Follows tasks as the viewer. Throws NOT_FOUND. */
export const followTasks = (ctx: Context, input: TasksInput) => onTasks(ctx, input, insert);

/** Stops following. Throws NOT_FOUND. */
export const unfollowTasks = (ctx: Context, input: TasksInput) => onTasks(ctx, input, remove);

/** Follows projects with all that they contain. Throws NOT_FOUND. */
export const followProjects = (ctx: Context, input: ProjectsInput) => onProjects(ctx, input, insert);

/** Stops following. Throws NOT_FOUND. */
export const unfollowProjects = (ctx: Context, input: ProjectsInput) => onProjects(ctx, input, remove);
