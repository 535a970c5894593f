import { z } from 'zod';
import type { Transaction } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { newId } from '../lib/id.ts';
import { newSecret } from '../lib/secret.ts';
import { changes, record } from './audit.ts';
import type { Context } from './context.ts';
import { badInput, conflict, notFound, staleVersion } from './errors.ts';
import { type Folder, findFolders, holdTree } from './folder.ts';
import { email, hexColor, keyOf, name, parse, requireBatch } from './input.ts';
import { inOrder, requireProject } from './project.ts';

const { sql } = Prisma;

/** Deeper trees serve nobody, and their paths no file system. */
const DEEPEST = 50;

const emails = z.array(email).max(100);

const creation = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  folders: z.array(
    z.strictObject({
      name,
      parentId: z.string().nullish(),
      hexColor: hexColor.nullish(),
      assigneeEmails: emails.nullish(),
    }),
  ),
});

/** All or nothing, in the order given. Takes the role EDITOR in the project. */
export function createFolders(ctx: Context, input: z.input<typeof creation>): Promise<Folder[]> {
  const { projectId, organizationId: within, folders } = parse(creation, input);
  requireBatch(folders, ctx.limits.batchMax, 'folders');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(ctx, tx, projectId, 'EDITOR', within);
    await holdTree(tx, projectId);
    const parents = await requireParents(ctx, tx, projectId, folders);
    const rows = folders.map((folder) => {
      const ancestorIds = ancestorsUnder(folder.parentId ? parents.get(folder.parentId) : undefined);
      return {
        organizationId,
        id: newId('Folder'),
        projectId,
        parentId: folder.parentId ?? null,
        ancestorIds,
        linkId: newSecret('dgl_'),
        name: folder.name,
        nameKey: keyOf(folder.name),
        hexColor: folder.hexColor ?? null,
        createdById: ctx.viewer.userId,
      };
    });
    await tx.prisma.folder.createMany({ data: rows });
    await tx.prisma.folderAssignment.createMany({
      data: rows.flatMap(({ id: folderId }, index) =>
        [...new Set(folders[index]?.assigneeEmails)].map((address) => ({
          organizationId,
          folderId,
          email: address,
        })),
      ),
    });
    await record(
      ctx,
      tx,
      rows.map(({ id, name, parentId }) => ({
        organizationId,
        projectId,
        subjectId: id,
        kind: 'folder.created',
        data: { after: { name, parentId } },
      })),
    );
    return inOrder(
      await findFolders(
        ctx,
        rows.map(({ id }) => id),
        tx,
      ),
      rows,
    );
  });
}

async function requireParents(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  folders: readonly { parentId?: string | null }[],
): Promise<Map<string, Folder>> {
  const ids = folders.flatMap(({ parentId }) => parentId ?? []);
  const found = new Map((await findFolders(ctx, ids, tx)).map((folder) => [folder.id, folder]));
  for (const [index, { parentId }] of folders.entries())
    if (parentId && found.get(parentId)?.projectId !== projectId)
      throw notFound('Folder', `folders.${index}.parentId`);
  return found;
}

function ancestorsUnder(parent: Folder | undefined): string[] {
  const ancestors = parent ? [...parent.ancestorIds, parent.id] : [];
  if (ancestors.length >= DEEPEST) throw badInput(`Folders can be nested ${DEEPEST} deep.`, 'parentId');
  return ancestors;
}

const update = z.strictObject({
  folderId: z.string(),
  name: name.nullish(),
  hexColor: hexColor.nullish(),
  assigneeEmails: emails.nullish(),
  expectedVersion: z.int().nullish(),
});

/** Members left out, or null, stay as they are; assigneeEmails replaces the whole list. */
export function updateFolder(ctx: Context, input: z.input<typeof update>): Promise<Folder> {
  const { folderId, name, hexColor, assigneeEmails, expectedVersion } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const before = await requireFolder(ctx, tx, folderId);
    const after = {
      name: name ?? before.name,
      hexColor: hexColor ?? before.hexColor,
      assigneeEmails: assigneeEmails ? [...new Set(assigneeEmails)].sort() : before.assigneeEmails,
    };
    await change(
      ctx,
      tx,
      before,
      { name: after.name, nameKey: keyOf(after.name), hexColor: after.hexColor },
      expectedVersion,
    );
    if (assigneeEmails) await assign(tx, before, after.assigneeEmails);
    return finish(ctx, tx, before, 'folder.updated', after);
  });
}

const move = z.strictObject({
  folderId: z.string(),
  parentId: z.string().nullish(),
  expectedVersion: z.int().nullish(),
});

/** Moves a folder with all below it; a parentId of null is the root. CONFLICT where it would end up inside itself. */
export function moveFolder(ctx: Context, input: z.input<typeof move>): Promise<Folder> {
  const { folderId, parentId, expectedVersion } = parse(move, input);
  return inTransaction(ctx.db, async (tx) => {
    const { projectId } = await requireFolder(ctx, tx, folderId);
    await holdTree(tx, projectId);
    const before = await requireFolder(ctx, tx, folderId);
    const [parent] = parentId ? await findFolders(ctx, [parentId], tx) : [];
    if (parentId && parent?.projectId !== projectId) throw notFound('Folder', 'parentId');
    const ancestorIds = ancestorsUnder(parent);
    if (ancestorIds.includes(folderId)) throw conflict('A folder cannot be moved into itself.', 'parentId');
    await change(ctx, tx, before, { parentId: parentId ?? null, ancestorIds }, expectedVersion);
    await moveSubtree(tx, before, ancestorIds);
    return finish(ctx, tx, before, 'folder.moved', { parentId: parentId ?? null });
  });
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

async function requireFolder(ctx: Context, tx: Transaction, id: string): Promise<Folder> {
  const [folder] = await findFolders(ctx, [id], tx);
  if (!folder) throw notFound('Folder');
  await requireProject(ctx, tx, folder.projectId, 'EDITOR');
  return folder;
}

async function change(
  ctx: Context,
  tx: Transaction,
  { id }: Folder,
  data: Prisma.FolderUncheckedUpdateManyInput,
  expectedVersion: number | null | undefined,
): Promise<void> {
  const { count } = await tx.prisma.folder.updateMany({
    where: { id, version: expectedVersion ?? undefined },
    data: { ...data, modifiedById: ctx.viewer.userId, modifiedAt: new Date(), version: { increment: 1 } },
  });
  if (count === 0) throw staleVersion();
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
  before: Folder,
  kind: string,
  after: Partial<Folder>,
): Promise<Folder> {
  const { organizationId, projectId, id } = before;
  await record(ctx, tx, [{ organizationId, projectId, subjectId: id, kind, data: changes(before, after) }]);
  const [folder] = await findFolders(ctx, [id], tx);
  if (!folder) throw notFound('Folder');
  return folder;
}
