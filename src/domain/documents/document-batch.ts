import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { ProjectAction } from '../access/project-action.ts';
import { type NewEvent, recordEvents, subjectEvent } from '../kernel/audit.ts';
import { type PathOf, positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { requireBatchSize } from '../kernel/input.ts';
import { isInPath, type ProjectPath, projectPath } from '../kernel/project-path.ts';
import { changedBy } from '../kernel/version.ts';
import { inOrderOf, requireProject, requireProjectPath } from '../projects/project.ts';
import { type Document, findDocuments } from './document.ts';

export const documentsInput = { ...projectPath, documentIds: z.array(z.string()) };

/**
 * Locks and reads documents, each once, in the order given. Locks are taken in the order of ids, so that two batches do
 * not deadlock. Throws NOT_FOUND.
 */
export async function lockDocuments(
  ctx: Context,
  tx: Transaction,
  ids: readonly string[],
  path: ProjectPath,
  pathOf: PathOf = positionIn('documentIds', ids),
): Promise<Document[]> {
  requireBatchSize(ids, ctx.limits.batchMax, 'documentIds');
  const uniqueIds = [...new Set(ids)];
  await tx.query(sql`SELECT d.id FROM documents d WHERE d.id ${sql.any(uniqueIds)} ORDER BY d.id FOR UPDATE`);
  const documents = await findDocuments(ctx, uniqueIds, tx);
  const matching = documents.filter((document) => isInPath(document, path));
  await requireProjectPath(ctx, tx, path);
  requireFound('Document', uniqueIds, matching, pathOf);
  return inOrderOf(
    matching,
    uniqueIds.map((id) => ({ id })),
  );
}

/** Locks documents for a change that takes a role. Throws NOT_FOUND, FORBIDDEN, or CONFLICT if their project is disabled. */
export async function requireDocuments(
  ctx: Context,
  tx: Transaction,
  ids: readonly string[],
  path: ProjectPath,
  action: ProjectAction,
  pathOf?: PathOf,
): Promise<Document[]> {
  const documents = await lockDocuments(ctx, tx, ids, path, pathOf);
  for (const each of new Set(documents.map(({ projectId }) => projectId)))
    await requireProject(ctx, tx, each, action);
  return documents;
}

/** Like requireDocuments, for one document that the input names at `at`. */
export async function requireDocument(
  ctx: Context,
  tx: Transaction,
  id: string,
  path: ProjectPath,
  action: ProjectAction,
  at = 'documentId',
): Promise<Document> {
  const [document] = await requireDocuments(ctx, tx, [id], path, action, () => at);
  return document as Document;
}

/** Throws CONFLICT with this text, and the path of the document, unless all documents are in the state. */
export const requireState = (
  documents: Document[],
  state: Document['state'],
  text: string,
  pathOf?: PathOf,
) => {
  const wrong = documents.find((document) => document.state !== state);
  if (wrong) throw conflict(text, pathOf?.(wrong.id));
};

export const IN_RECYCLE_BIN = 'A document is in the recycle bin.';

/** Writes the same change to each document, with its time and author. */
export const updateDocuments = (
  ctx: Context,
  tx: Transaction,
  ids: string[],
  data: Prisma.DocumentUncheckedUpdateManyInput,
) =>
  tx.prisma.document.updateMany({
    where: { id: { in: ids } },
    data: { ...data, ...changedBy(ctx) },
  });

/** Records one event per document, and `more`; returns the documents as they are now. */
export async function recordAndRead(
  ctx: Context,
  tx: Transaction,
  documents: Document[],
  kind: string,
  data: (before: Document) => Prisma.InputJsonObject,
  more: readonly NewEvent[] = [],
): Promise<Document[]> {
  await recordEvents(ctx, tx, [...documents.map((each) => subjectEvent(each, kind, data(each))), ...more]);
  return inOrderOf(
    await findDocuments(
      ctx,
      documents.map(({ id }) => id),
      tx,
    ),
    documents,
  );
}
