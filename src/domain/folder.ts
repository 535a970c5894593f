import type { Reader, Transaction } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { Folder as FolderRow } from '../generated/prisma/client.ts';
import { visibleFolders } from './access.ts';
import type { Context } from './context.ts';
import { keyOf } from './input.ts';
import type { Listing } from './listing.ts';
import { type Sort, sortBy } from './page.ts';
import { startsWith } from './starts-with.ts';

export type Folder = FolderRow;

/** What the folders above tell of a folder: who they are assigned to, and the names from the root down to itself. */
export interface Trail {
  id: string;
  inheritedEmails: string[];
  path: string[];
}

export interface FolderFilter {
  /** What the name starts with, whatever the case. */
  namePrefix?: string | null;
}

const assignees = (of: Sql) => sql`coalesce((
  SELECT array_agg(DISTINCT a.email ORDER BY a.email) FROM folder_assignments a
  WHERE a.organization_id = f.organization_id AND a.folder_id = ${of}), '{}')`;

const sorts: Record<'NAME' | 'CREATED_AT', Sort<Folder>> = {
  NAME: sortBy(sql`f.id`, sql`f.name_key`, 'text', (row) => row.nameKey),
  CREATED_AT: sortBy(sql`f.id`, sql`f.created_at`, 'timestamptz', (row) => row.createdAt),
};

const listing = (
  name: string,
  home: Sql,
  level: Sql,
): Listing<Folder, FolderFilter, 'NAME' | 'CREATED_AT'> => ({
  name,
  home,
  select: () => sql`f.*`,
  from: sql`folders f`,
  where: ({ viewer }, { namePrefix }) => sql`f.organization_id = k.organization_id AND ${level}
    AND ${namePrefix ? startsWith(sql`f.name_key`, keyOf(namePrefix)) : sql`true`} AND ${visibleFolders(viewer)}`,
  sorts,
});

/** The folders at the root of a project. */
export const rootFolders = listing(
  'rootFolders',
  sql`projects`,
  sql`f.project_id = k.id AND f.parent_id IS NULL`,
);

/** Every folder of a project, at any depth. */
export const allFolders = listing('allFolders', sql`projects`, sql`f.project_id = k.id`);

/** The folders directly in a folder. */
export const childFolders = listing(
  'childFolders',
  sql`folders`,
  sql`f.project_id = (SELECT t.project_id FROM folders t WHERE t.id = k.id) AND f.parent_id = k.id`,
);

/** Those of the ids that are visible, in no particular order. */
export const findFolders = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Folder>(
    sql`SELECT f.* FROM folders f WHERE f.id = ANY(${ids}) AND ${visibleFolders(ctx.viewer)}`,
  );

/** Who these folders, which the viewer already sees, are assigned to themselves. */
export const findAssignees = ({ db }: Context, ids: readonly string[], reader: Reader = db) =>
  reader.query<{ id: string; emails: string[] }>(
    sql`SELECT f.id, ${assignees(sql`f.id`)} AS emails FROM folders f WHERE f.id = ANY(${ids})`,
  );

/** The trails of these folders, which the viewer already sees. They cost a look at every folder above, so few reads ask. */
export const findTrails = ({ db }: Context, ids: readonly string[]) =>
  db.query<Trail>(sql`SELECT f.id, ${assignees(sql`ANY(f.ancestor_ids) AND f.parent_id IS NOT NULL`)} AS inherited_emails,
    coalesce((SELECT array_agg(t.name ORDER BY cardinality(t.ancestor_ids)) FROM folders t
      WHERE f.parent_id IS NOT NULL AND t.organization_id = f.organization_id AND t.id = ANY(f.ancestor_ids)), '{}')
      || f.name AS path
    FROM folders f WHERE f.id = ANY(${ids})`);

/** The same for who puts something into them: none of them is deleted until the transaction ends. */
export async function holdFolders(ctx: Context, ids: readonly string[], tx: Transaction): Promise<Folder[]> {
  await tx.query(sql`SELECT f.id FROM folders f WHERE f.id = ANY(${ids}) ORDER BY f.id FOR KEY SHARE`);
  return findFolders(ctx, ids, tx);
}

/**
 * Orders whoever changes the shape of a project's tree: a folder made while its parent moves would keep the old
 * ancestors, and two moves at once could close a circle. The lock lets reads and new documents pass.
 */
export const holdTree = (tx: Transaction, projectId: string): Promise<unknown> =>
  tx.query(sql`SELECT id FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`);
