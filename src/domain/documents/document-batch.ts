import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Prisma, ProjectRole } from '../../generated/prisma/client.ts';
import { type NewEvent, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { requireBatchSize } from '../kernel/input.ts';
import { changedBy } from '../kernel/version.ts';
import { findProjects, inOrderOf, requireProject } from '../projects/project.ts';
import { type Document, findDocuments } from './document.ts';

/** Where a caller says the documents are: NOT_FOUND when they are not. */
export interface ProjectPath {
  projectId?: string | null;
  organizationId?: string | null;
}

export const projectPath = { projectId: z.string().nullish(), organizationId: z.string().nullish() };
export const documentsInput = { ...projectPath, documentIds: z.array(z.string()) };

/**
 * The documents, each once, in the order given, and held until the transaction ends: whoever else changes one of them
 * waits. Locks are taken in the order of the ids, so that two batches do not wait for each other. Throws NOT_FOUND.
 */
export async function lockDocuments(
  ctx: Context,
  tx: Transaction,
  ids: readonly string[],
  { projectId, organizationId }: ProjectPath,
): Promise<Document[]> {
  requireBatchSize(ids, ctx.limits.batchMax, 'documentIds');
  const wanted = [...new Set(ids)];
  await tx.query(sql`SELECT d.id FROM documents d WHERE d.id = ANY(${wanted}) ORDER BY d.id FOR UPDATE`);
  const documents = await findDocuments(ctx, wanted, tx);
  const here = documents.filter(
    (each) =>
      (!projectId || each.projectId === projectId) &&
      (!organizationId || each.organizationId === organizationId),
  );
  if (projectId && !(await seesProject(ctx, tx, projectId, organizationId))) throw notFound('Project');
  if (here.length < wanted.length) throw notFound('Document', 'documentIds');
  return inOrderOf(
    here,
    wanted.map((id) => ({ id })),
  );
}

/** Documents that the viewer may change, held. Throws NOT_FOUND, FORBIDDEN, or CONFLICT when their project is disabled. */
export async function requireDocuments(
  ctx: Context,
  tx: Transaction,
  ids: readonly string[],
  place: ProjectPath,
  least: ProjectRole,
): Promise<Document[]> {
  const documents = await lockDocuments(ctx, tx, ids, place);
  for (const each of new Set(documents.map(({ projectId }) => projectId)))
    await requireProject(ctx, tx, each, least);
  return documents;
}

async function seesProject(
  ctx: Context,
  tx: Transaction,
  id: string,
  organizationId: string | null | undefined,
) {
  const [project] = await findProjects(ctx, [id], tx);
  return project && (!organizationId || project.organizationId === organizationId);
}

export const requireState = (documents: Document[], state: Document['state'], text: string) => {
  if (documents.some((document) => document.state !== state)) throw conflict(text, 'documentIds');
};

export const IN_RECYCLE_BIN = 'A document is in the recycle bin.';

/** Writes the same change to each. */
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

export const newEvent = (
  { organizationId, projectId, id }: Document,
  kind: string,
  data: Prisma.InputJsonObject,
) => ({
  organizationId,
  projectId,
  subjectId: id,
  kind,
  data,
});

/** Records the change of each, and `more`, and reads them as they now are. */
export async function recordAndRead(
  ctx: Context,
  tx: Transaction,
  documents: Document[],
  kind: string,
  data: (before: Document) => Prisma.InputJsonObject,
  more: readonly NewEvent[] = [],
): Promise<Document[]> {
  await recordEvents(ctx, tx, [...documents.map((each) => newEvent(each, kind, data(each))), ...more]);
  return inOrderOf(
    await findDocuments(
      ctx,
      documents.map(({ id }) => id),
      tx,
    ),
    documents,
  );
}
