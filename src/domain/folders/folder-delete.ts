import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { requireProject } from '../projects/project.ts';
import { findFolders, lockTree } from './folder.ts';

/** Folders at once, those below the named ones included. */
const MOST = 1_000;

const deletion = z.strictObject({
  organizationId: z.string().nullish(),
  projectId: z.string(),
  folderIds: z.array(z.string()),
});

interface Held {
  id: string;
  name: string;
  parentId: string | null;
}

/**
 * Deletes folders with those below them, all or nothing; gives the ids of all that are gone. Takes the role ADMIN in the
 * project. CONFLICT while a document is in one of them: nothing is lost by deleting a folder. What waits in the recycle
 * bin comes back to the root.
 */
export function deleteFolders(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { organizationId: within, projectId, folderIds } = parse(deletion, input);
  requireBatchSize(folderIds, ctx.limits.batchMax, 'folderIds');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(ctx, tx, projectId, 'ADMIN', within);
    await lockTree(tx, projectId);
    await requireHere(ctx, tx, projectId, folderIds);
    const held = await hold(tx, organizationId, folderIds);
    const ids = held.map(({ id }) => id);
    const emptied = await emptyBin(tx, organizationId, projectId, ids);
    await tx.prisma.folder.deleteMany({ where: { organizationId, id: { in: ids } } });
    await recordEvents(
      ctx,
      tx,
      held.map(({ id, name, parentId }) => ({
        organizationId,
        projectId,
        subjectId: id,
        kind: 'folder.deleted',
        data: { before: { name, parentId }, recycledDocumentIds: emptied(id) },
      })),
    );
    return ids;
  });
}

async function requireHere(ctx: Context, tx: Transaction, projectId: string, ids: string[]): Promise<void> {
  const found = (await findFolders(ctx, ids, tx)).filter((folder) => folder.projectId === projectId);
  if (found.length < new Set(ids).size) throw notFound('Folder', 'folderIds');
}

/** The folders and all below them, held so that nothing is put into one from now on. */
async function hold(tx: Transaction, organizationId: string, ids: string[]): Promise<Held[]> {
  const held = await tx.query<Held>(sql`SELECT f.id, f.name, f.parent_id FROM folders f
    WHERE f.organization_id = ${organizationId} AND (f.id = ANY(${ids}) OR f.ancestor_ids && ${ids}::text[])
    ORDER BY f.id LIMIT ${MOST + 1} FOR UPDATE`);
  if (held.length > MOST)
    throw conflict(`With those below them, these are more than ${MOST} folders.`, 'folderIds');
  return held;
}

/** Throws CONFLICT for a document in use; takes those in the recycle bin out of the folders, and tells which they were. */
async function emptyBin(tx: Transaction, organizationId: string, projectId: string, ids: string[]) {
  const inside = sql`d.organization_id = ${organizationId} AND d.project_id = ${projectId} AND d.folder_id = ANY(${ids})`;
  const rows = await tx.query<{ id: string; folderId: string; state: string }>(
    sql`SELECT d.id, d.folder_id, d.state::text FROM documents d WHERE ${inside} ORDER BY d.id FOR UPDATE`,
  );
  if (rows.some(({ state }) => state === 'ACTIVE'))
    throw conflict('There are documents in these folders; move or recycle them first.', 'folderIds');
  await tx.query(sql`UPDATE documents d SET folder_id = NULL WHERE ${inside}`);
  return (folderId: string) => rows.filter((row) => row.folderId === folderId).map(({ id }) => id);
}
