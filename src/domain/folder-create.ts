import { z } from 'zod';
import type { Transaction } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { newId } from '../lib/id.ts';
import { newSecret } from '../lib/secret.ts';
import { record } from './audit.ts';
import type { Context } from './context.ts';
import { badInput, notFound } from './errors.ts';
import { type Folder, findFolders, holdTree } from './folder.ts';
import { email, hexColor, keyOf, name, parse, requireBatch } from './input.ts';
import { inOrder, requireProject } from './project.ts';

/** Deeper trees serve nobody, and their paths no file system. */
export const DEEPEST = 50;

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

export function ancestorsUnder(parent: Folder | undefined): string[] {
  const ancestors = parent ? [...parent.ancestorIds, parent.id] : [];
  if (ancestors.length >= DEEPEST) throw badInput(`Folders can be nested ${DEEPEST} deep.`, 'parentId');
  return ancestors;
}
