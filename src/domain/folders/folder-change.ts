import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { changes, recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, conflict, notFound } from '../kernel/errors.ts';
import { email, hexColor, name, normalizedKey, parse } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import { changedBy, lockRow, requireVersion } from '../kernel/version.ts';
import { requireProject } from '../projects/project.ts';
import { keepWhereLocked } from '../retention/keep-locked.ts';
import { type Folder, findAssignees, findFolders, lockFolderTree } from './folder.ts';
import { ancestorsUnder, MAX_DEPTH } from './folder-create.ts';

const update = z.strictObject({
  ...projectPath,
  folderId: z.string(),
  name: name.nullish(),
  hexColor: z.union([hexColor, z.literal('')]).nullish(),
  assigneeEmails: z.array(email).max(100).nullish(),
  parentId: z.string().nullish(),
  expectedVersion: z.int().nullish(),
});

type Update = z.output<typeof update>;

/** The state of a folder that its events compare. */
type FolderState = Folder & { assigneeEmails?: string[] };

/**
 * Members left out or null keep their value; assigneeEmails replaces the list, an empty hexColor removes the color.
 * A parentId moves the folder with its subtree, null to the root. Throws CONFLICT if it would move into itself.
 */
export function updateFolder(ctx: Context, input: z.input<typeof update>): Promise<Folder> {
  const { parentId, ...values } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireFolder(ctx, tx, values, parentId !== undefined);
    requireVersion(before, values.expectedVersion);
    const position =
      parentId === undefined ? before : await resolvePosition(ctx, tx, before, parentId || null);
    const after = {
      name: values.name ?? before.name,
      hexColor: values.hexColor === '' ? null : (values.hexColor ?? before.hexColor),
      parentId: position.parentId,
    };
    const isMoved = position.parentId !== before.parentId;
    if (isMoved) await keepDocumentsBelow(tx, before);
    await updateRow(ctx, tx, before, {
      ...after,
      nameKey: normalizedKey(after.name),
      ancestorIds: position.ancestorIds,
    });
    const assigned = values.assigneeEmails && { assigneeEmails: [...new Set(values.assigneeEmails)].sort() };
    const assignedBefore = assigned && { assigneeEmails: await assigneesOf(ctx, tx, before) };
    if (assigned) await replaceAssignees(tx, before, assigned.assigneeEmails);
    const moved = isMoved ? await moveSubtree(tx, before, position.ancestorIds) : [];
    return recordUpdate(ctx, tx, { ...before, ...assignedBefore }, { ...after, ...assigned }, moved);
  });
}

/** Locks and reads the folder. `withTree` also locks the folder tree of its project until the transaction ends. */
async function requireFolder(
  ctx: Context,
  tx: Transaction,
  { folderId, organizationId, projectId }: Pick<Update, 'folderId' | 'organizationId' | 'projectId'>,
  withTree: boolean,
): Promise<Folder> {
  const [folder] = await findFolders(ctx, [folderId], tx);
  if (!folder || (projectId && projectId !== folder.projectId)) throw notFound('Folder');
  await requireProject(ctx, tx, folder.projectId, 'changeFolders', organizationId);
  if (withTree) await lockFolderTree(tx, folder.projectId);
  await lockRow(tx, 'folders', folderId);
  const [locked] = await findFolders(ctx, [folderId], tx);
  if (!locked) throw notFound('Folder');
  return locked;
}

async function resolvePosition(ctx: Context, tx: Transaction, folder: Folder, parentId: string | null) {
  const [parent] = parentId ? await findFolders(ctx, [parentId], tx) : [];
  if (parentId && parent?.projectId !== folder.projectId) throw notFound('Folder', 'parentId');
  const ancestorIds = ancestorsUnder(parent, 'parentId');
  if (ancestorIds.includes(folder.id)) throw conflict('A folder cannot be moved into itself.', 'parentId');
  return { parentId, ancestorIds };
}

/** Before the move of a folder: documents below it leave none of the locked policies that keep them. */
const keepDocumentsBelow = (tx: Transaction, { organizationId, id }: Folder) =>
  keepWhereLocked(
    tx,
    organizationId,
    (
      documents,
    ) => sql`${documents}.organization_id = ${organizationId} AND ${documents}.folder_id IN (SELECT f.id FROM folders f
      WHERE f.organization_id = ${organizationId} AND (f.id = ${id} OR f.ancestor_ids @> ARRAY[${id}]))`,
  );

/** Replaces the ancestors of the moved folder in the ancestor list of each of its descendants, and returns their ids. */
async function moveSubtree(
  tx: Transaction,
  { organizationId, id, ancestorIds }: Folder,
  newAncestorIds: string[],
): Promise<string[]> {
  const moved = await tx.query<{ id: string; depth: number }>(sql`
    UPDATE folders f SET ancestor_ids = ${sql.texts(newAncestorIds)} || f.ancestor_ids[${ancestorIds.length + 1}::int:]
    WHERE f.organization_id = ${organizationId} AND f.ancestor_ids @> ARRAY[${id}]
    RETURNING f.id, cardinality(f.ancestor_ids) AS depth`);
  if (moved.some(({ depth }) => depth >= MAX_DEPTH))
    throw badInput(`Folders can be nested ${MAX_DEPTH} deep.`, 'parentId');
  return moved.map((each) => each.id);
}

const updateRow = (
  ctx: Context,
  tx: Transaction,
  { id }: Folder,
  data: Prisma.FolderUncheckedUpdateInput,
): Promise<unknown> =>
  tx.prisma.folder.update({
    where: { id },
    data: { ...data, ...changedBy(ctx) },
  });

async function assigneesOf(ctx: Context, tx: Transaction, { id }: Folder): Promise<string[]> {
  const [row] = await findAssignees(ctx, [id], tx);
  return row?.emails ?? [];
}

async function replaceAssignees(
  tx: Transaction,
  { organizationId, id: folderId }: Folder,
  addresses: string[],
): Promise<void> {
  await tx.prisma.folderAssignment.deleteMany({ where: { organizationId, folderId } });
  await tx.prisma.folderAssignment.createMany({
    data: addresses.map((address) => ({ organizationId, folderId, email: address })),
  });
}

async function recordUpdate(
  ctx: Context,
  tx: Transaction,
  before: FolderState,
  after: Partial<FolderState>,
  touched: string[],
): Promise<Folder> {
  const kind = after.parentId === before.parentId ? 'folder.updated' : 'folder.moved';
  await recordEvents(ctx, tx, [{ ...subjectEvent(before, kind, changes(before, after)), touched }]);
  const [folder] = await findFolders(ctx, [before.id], tx);
  if (!folder) throw notFound('Folder');
  return folder;
}
