import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { recordEvents } from '../kernel/audit.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { requireProject } from '../projects/project.ts';
import { keepWhereLocked } from '../retention/keep-locked.ts';
import { findFolders, lockFolderTree } from './folder.ts';

/** Maximum per call, including descendants. */
const MAX_FOLDERS = 1_000;

const deletion = z.strictObject({
  organizationId: z.string().nullish(),
  projectId: z.string(),
  folderIds: z.array(z.string()),
});

interface LockedFolder {
  id: string;
  name: string;
  parentId: string | null;
  ancestorIds: string[];
}

/**
 * Deletes folders with their descendants, all or none; returns the ids of all deleted folders. Requires the role ADMIN
 * in the project. Throws CONFLICT if one contains an active document. Recycled documents are later restored to the root.
 */
export function deleteFolders(ctx: Context, input: z.input<typeof deletion>): Promise<string[]> {
  const { organizationId: pathOrganizationId, projectId, folderIds } = parse(deletion, input);
  requireBatchSize(folderIds, ctx.limits.batchMax, 'folderIds');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(ctx, tx, projectId, 'deleteFolders', pathOrganizationId);
    await lockFolderTree(tx, projectId);
    await requireFolders(ctx, tx, projectId, folderIds);
    const folders = await lockSubtrees(tx, organizationId, folderIds);
    const pathOf = ({ id, ancestorIds }: LockedFolder) =>
      positionIn('folderIds', folderIds)(folderIds.find((each) => [id, ...ancestorIds].includes(each)) ?? id);
    const ids = folders.map(({ id }) => id);
    const recycledIdsIn = await detachRecycledDocuments(tx, { organizationId, projectId }, folders, pathOf);
    await tx.prisma.folder.deleteMany({ where: { organizationId, id: { in: ids } } });
    await recordEvents(
      ctx,
      tx,
      folders.map(({ id, name, parentId }) => ({
        organizationId,
        projectId,
        subjectId: id,
        touched: recycledIdsIn(id),
        kind: 'folder.deleted',
        data: { before: { name, parentId }, recycledDocumentIds: recycledIdsIn(id) },
      })),
    );
    return ids;
  });
}

async function requireFolders(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  ids: string[],
): Promise<void> {
  const folders = (await findFolders(ctx, ids, tx)).filter((folder) => folder.projectId === projectId);
  requireFound('Folder', ids, folders, positionIn('folderIds', ids));
}

/** Locks and reads the folders and their descendants; nothing can be added to them until the transaction ends. */
async function lockSubtrees(tx: Transaction, organizationId: string, ids: string[]): Promise<LockedFolder[]> {
  // Found by the index of ancestors first; a folder that was moved until its row is locked is checked again.
  const folders =
    await tx.query<LockedFolder>(sql`SELECT f.id, f.name, f.parent_id, f.ancestor_ids FROM folders f
    WHERE f.organization_id = ${organizationId} AND f.id = ANY(ARRAY(
      SELECT unnest(${sql.texts(ids)}) UNION SELECT b.id FROM folders b WHERE b.ancestor_ids && ${sql.texts(ids)}))
    AND (f.id ${sql.any(ids)} OR f.ancestor_ids && ${sql.texts(ids)})
    ORDER BY f.id LIMIT ${MAX_FOLDERS + 1} FOR UPDATE`);
  if (folders.length > MAX_FOLDERS)
    throw conflict(`With those below them, these are more than ${MAX_FOLDERS} folders.`, 'folderIds');
  return folders;
}

/** Throws CONFLICT for an active document, with the path of its folder or the one above it. Moves recycled ones to the root; the result returns their ids by folder. */
async function detachRecycledDocuments(
  tx: Transaction,
  { organizationId, projectId }: { organizationId: string; projectId: string },
  folders: readonly LockedFolder[],
  pathOf: (folder: LockedFolder) => string,
) {
  const ids = folders.map(({ id }) => id);
  const inFolders = sql`d.organization_id = ${organizationId} AND d.project_id = ${projectId} AND d.folder_id = ANY(${ids})`;
  const rows = await tx.query<{ id: string; folderId: string; state: string }>(
    sql`SELECT d.id, d.folder_id, d.state::text FROM documents d WHERE ${inFolders} ORDER BY d.id FOR UPDATE`,
  );
  const active = rows.find(({ state }) => state === 'ACTIVE');
  const occupied = folders.find(({ id }) => id === active?.folderId);
  if (occupied)
    throw conflict('There are documents in these folders; move or recycle them first.', pathOf(occupied));
  await keepWhereLocked(
    tx,
    organizationId,
    (documents) => sql`${documents}.id ${sql.any(rows.map(({ id }) => id))}`,
  );
  await tx.query(sql`UPDATE documents d SET folder_id = NULL WHERE ${inFolders}`);
  return (folderId: string) => rows.filter((row) => row.folderId === folderId).map(({ id }) => id);
}
