import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, notFound } from '../kernel/errors.ts';
import {
  email,
  hexColor,
  name,
  normalizedKey,
  parentFolder,
  parse,
  requireBatchSize,
} from '../kernel/input.ts';
import { newSealedLink } from '../kernel/sealed-link.ts';
import { inOrderOf, requireProject } from '../projects/project.ts';
import { type Folder, findFolders, lockFolderTree } from './folder.ts';

/** Maximum nesting: paths of deeper trees exceed what file systems support. */
export const MAX_DEPTH = 50;

const emails = z.array(email).max(100);

const creation = z.strictObject({
  projectId: z.string(),
  organizationId: z.string().nullish(),
  folders: z.array(
    z.strictObject({
      name,
      parentId: parentFolder,
      hexColor: hexColor.nullish(),
      assigneeEmails: emails.nullish(),
    }),
  ),
});

type NewFolder = z.output<typeof creation>['folders'][number];

/** Creates folders, all or none, in the order of the input. Requires the role EDITOR in the project. */
export function createFolders(ctx: Context, input: z.input<typeof creation>): Promise<Folder[]> {
  const { projectId, organizationId: pathOrganizationId, folders } = parse(creation, input);
  requireBatchSize(folders, ctx.limits.batchMax, 'folders');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId } = await requireProject(ctx, tx, projectId, 'changeFolders', pathOrganizationId);
    const parents = await lockParents(ctx, tx, projectId, folders);
    const rows = folders.map((folder, index) => ({
      organizationId,
      projectId,
      ...toRow(ctx, folder, parents, `folders.${index}.parentId`),
      createdById: ctx.viewer.userId,
    }));
    const created = await insert(tx, rows);
    await assign(tx, rows);
    await recordEvents(
      ctx,
      tx,
      created.map(({ id, name, parentId }) => ({
        organizationId,
        projectId,
        subjectId: id,
        kind: 'folder.created',
        data: { after: { name, parentId } },
      })),
    );
    return created;
  });
}

const toRow = (
  ctx: Context,
  folder: NewFolder,
  parents: Map<string, Folder>,
  at: string,
  id = newId('Folder'),
) => ({
  id,
  parentId: folder.parentId,
  ancestorIds: ancestorsUnder(folder.parentId ? parents.get(folder.parentId) : undefined, at),
  linkSealed: newSealedLink(ctx.storage.vault, id),
  name: folder.name,
  nameKey: normalizedKey(folder.name),
  hexColor: folder.hexColor ?? null,
  assigneeEmails: [...new Set(folder.assigneeEmails)].sort(),
});

type Row = ReturnType<typeof toRow> & Pick<Folder, 'organizationId' | 'projectId' | 'createdById'>;

/** Inserts and reads the rows in one statement. */
async function insert(tx: Transaction, rows: Row[]): Promise<Folder[]> {
  const created = await tx.query<Folder>(sql`
    INSERT INTO folders (organization_id, id, project_id, parent_id, ancestor_ids, link_sealed, name, name_key, hex_color, created_by_id)
    SELECT "organizationId", id, "projectId", "parentId", "ancestorIds", "linkSealed", name, "nameKey", "hexColor", "createdById"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("organizationId" text, id text, "projectId" text, "parentId" text,
      "ancestorIds" text[], "linkSealed" text, name text, "nameKey" text, "hexColor" text, "createdById" text)
    RETURNING *`);
  return inOrderOf(created, rows);
}

async function assign(tx: Transaction, folders: Row[]): Promise<void> {
  const data = folders.flatMap(({ organizationId, id: folderId, assigneeEmails }) =>
    assigneeEmails.map((address) => ({ organizationId, folderId, email: address })),
  );
  if (data.length > 0) await tx.prisma.folderAssignment.createMany({ data });
}

/** Locks the tree if a folder has a parent, so that no ancestor moves until the transaction ends. */
async function lockParents(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  folders: readonly NewFolder[],
): Promise<Map<string, Folder>> {
  if (folders.every(({ parentId }) => !parentId)) return new Map();
  await lockFolderTree(tx, projectId);
  return requireParents(ctx, tx, projectId, folders);
}

async function requireParents(
  ctx: Context,
  tx: Transaction,
  projectId: string,
  folders: readonly { parentId?: string | null }[],
): Promise<Map<string, Folder>> {
  const ids = folders.flatMap(({ parentId }) => parentId ?? []);
  const parents = new Map((await findFolders(ctx, ids, tx)).map((folder) => [folder.id, folder]));
  for (const [index, { parentId }] of folders.entries())
    if (parentId && parents.get(parentId)?.projectId !== projectId)
      throw notFound('Folder', `folders.${index}.parentId`);
  return parents;
}

/** The ancestor ids of a folder with this parent, from the root down. Throws BAD_USER_INPUT beyond MAX_DEPTH. */
export function ancestorsUnder(parent: Folder | undefined, at: string): string[] {
  const ancestors = parent ? [...parent.ancestorIds, parent.id] : [];
  if (ancestors.length >= MAX_DEPTH) throw badInput(`Folders can be nested ${MAX_DEPTH} deep.`, at);
  return ancestors;
}
