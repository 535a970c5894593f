import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { changes, recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, conflict, notFound } from '../kernel/errors.ts';
import { email, hexColor, name, normalizedKey, parentFolder, parse } from '../kernel/input.ts';
import { changedBy, lockRow, requireVersion } from '../kernel/version.ts';
import { requireProject } from '../projects/project.ts';
import { type Folder, findAssignees, findFolders, lockTree } from './folder.ts';
import { ancestorsUnder, DEEPEST } from './folder-create.ts';

const update = z.strictObject({
  organizationId: z.string().nullish(),
  projectId: z.string().nullish(),
  folderId: z.string(),
  name: name.nullish(),
  hexColor: z.union([hexColor, z.literal('')]).nullish(),
  assigneeEmails: z.array(email).max(100).nullish(),
  moveTo: z.strictObject({ parentId: parentFolder }).nullish(),
  expectedVersion: z.int().nullish(),
});

type Update = z.output<typeof update>;

/** What an event tells of. */
type Changed = Folder & { assigneeEmails?: string[] };

/**
 * Members left out, or null, stay as they are; assigneeEmails replaces the whole list, an empty hexColor takes the
 * colour away. `moveTo` moves the folder with all below it, to the root without a parentId. Throws CONFLICT where it
 * would end up inside itself.
 */
export function updateFolder(ctx: Context, input: z.input<typeof update>): Promise<Folder> {
  const { moveTo, ...said } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireFolder(ctx, tx, said, moveTo != null);
    requireVersion(before, said.expectedVersion);
    const place = moveTo ? await placeUnder(ctx, tx, before, moveTo.parentId) : before;
    const after = {
      name: said.name ?? before.name,
      hexColor: said.hexColor === '' ? null : (said.hexColor ?? before.hexColor),
      parentId: place.parentId,
    };
    await change(ctx, tx, before, {
      ...after,
      nameKey: normalizedKey(after.name),
      ancestorIds: place.ancestorIds,
    });
    const assigned = said.assigneeEmails && { assigneeEmails: [...new Set(said.assigneeEmails)].sort() };
    const wasAssigned = assigned && { assigneeEmails: await assigneesOf(ctx, tx, before) };
    if (assigned) await assign(tx, before, assigned.assigneeEmails);
    if (place.parentId !== before.parentId) await moveSubtree(tx, before, place.ancestorIds);
    return finish(ctx, tx, { ...before, ...wasAssigned }, { ...after, ...assigned });
  });
}

/** Held until the transaction ends. With `tree`, nothing in the tree of its project moves until then either. */
async function requireFolder(
  ctx: Context,
  tx: Transaction,
  { folderId, organizationId, projectId }: Pick<Update, 'folderId' | 'organizationId' | 'projectId'>,
  tree: boolean,
): Promise<Folder> {
  const [folder] = await findFolders(ctx, [folderId], tx);
  if (!folder || (projectId && projectId !== folder.projectId)) throw notFound('Folder');
  await requireProject(ctx, tx, folder.projectId, 'EDITOR', organizationId);
  if (tree) await lockTree(tx, folder.projectId);
  await lockRow(tx, 'folders', folderId);
  const [held] = await findFolders(ctx, [folderId], tx);
  if (!held) throw notFound('Folder');
  return held;
}

async function placeUnder(ctx: Context, tx: Transaction, folder: Folder, parentId: string | null) {
  const [parent] = parentId ? await findFolders(ctx, [parentId], tx) : [];
  if (parentId && parent?.projectId !== folder.projectId) throw notFound('Folder', 'parentId');
  const ancestorIds = ancestorsUnder(parent);
  if (ancestorIds.includes(folder.id)) throw conflict('A folder cannot be moved into itself.', 'parentId');
  return { parentId, ancestorIds };
}

/** Below the moved folder, the part of each ancestor list down to it is replaced. */
async function moveSubtree(
  tx: Transaction,
  { organizationId, id, ancestorIds }: Folder,
  above: string[],
): Promise<void> {
  const [deepest] = await tx.query<{ depth: number }>(sql`
    WITH moved AS (
      UPDATE folders f SET ancestor_ids = ${above}::text[] || f.ancestor_ids[${ancestorIds.length + 1}::int:]
      WHERE f.organization_id = ${organizationId} AND f.ancestor_ids @> ARRAY[${id}]
      RETURNING cardinality(f.ancestor_ids) AS depth)
    SELECT coalesce(max(depth), 0) AS depth FROM moved`);
  if ((deepest?.depth ?? 0) >= DEEPEST) throw badInput(`Folders can be nested ${DEEPEST} deep.`, 'parentId');
}

const change = (
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
  const [found] = await findAssignees(ctx, [id], tx);
  return found?.emails ?? [];
}

async function assign(
  tx: Transaction,
  { organizationId, id: folderId }: Folder,
  addresses: string[],
): Promise<void> {
  await tx.prisma.folderAssignment.deleteMany({ where: { organizationId, folderId } });
  await tx.prisma.folderAssignment.createMany({
    data: addresses.map((address) => ({ organizationId, folderId, email: address })),
  });
}

async function finish(
  ctx: Context,
  tx: Transaction,
  before: Changed,
  after: Partial<Changed>,
): Promise<Folder> {
  const kind = after.parentId === before.parentId ? 'folder.updated' : 'folder.moved';
  const { organizationId, projectId, id } = before;
  await recordEvents(ctx, tx, [
    { organizationId, projectId, subjectId: id, kind, data: changes(before, after) },
  ]);
  const [folder] = await findFolders(ctx, [id], tx);
  if (!folder) throw notFound('Folder');
  return folder;
}
