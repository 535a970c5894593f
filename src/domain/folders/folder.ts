import type { Reader, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Folder as FolderRow } from '../../generated/prisma/client.ts';
import { visibleFolders, visibleFoldersOf } from '../access/access.ts';
import { involvedFolderIds } from '../access/access-involved.ts';
import { projectListing } from '../access/project-listing.ts';
import type { Context } from '../kernel/context.ts';
import { normalizedKey } from '../kernel/input.ts';
import { type Sort, sortBy } from '../kernel/page.ts';
import { finder } from '../kernel/relation.ts';
import { startsWith } from '../kernel/starts-with.ts';
import { tables } from '../kernel/tables.ts';

export type Folder = FolderRow;

/** What a folder has from its ancestors: the assignees it inherits, and the names from the root down to itself. */
export interface FolderAncestry {
  id: string;
  inheritedEmails: string[];
  path: string[];
}

interface FolderFilter {
  /** Prefix of the name; case is ignored. */
  namePrefix?: string | null;
}

const assignees = (folderId: Sql) => sql`coalesce((
  SELECT array_agg(DISTINCT a.email ORDER BY a.email) FROM folder_assignments a
  WHERE a.organization_id = f.organization_id AND a.folder_id = ${folderId}), '{}')`;

const sorts: Record<'NAME' | 'CREATED_AT', Sort<Folder>> = {
  NAME: sortBy(sql`f.id`, sql`f.name_key`, 'text', (row) => row.nameKey),
  CREATED_AT: sortBy(sql`f.id`, sql`f.created_at`, 'timestamptz', (row) => row.createdAt),
};

const nameStartsWith = ({ namePrefix }: FolderFilter) =>
  namePrefix ? startsWith(sql`f.name_key`, normalizedKey(namePrefix)) : undefined;

function listing(name: string, parentTable: Sql, projectId: Sql, levelCondition: Sql) {
  const parentCondition = sql`f.organization_id = k.organization_id AND f.project_id = ${projectId} AND ${levelCondition}`;
  return projectListing<Folder, FolderFilter, 'NAME' | 'CREATED_AT', 'folders'>(
    { name, parentTable, sorts, select: () => sql`f.*` },
    {
      ...{ rows: tables.folders, parentCondition, projectId },
      matches: (filter) => sql.all([nameStartsWith(filter)]),
      indexCondition: (filter, order) => sql.all([order === 'NAME' && nameStartsWith(filter)]),
      visible: (viewer, rows) => visibleFoldersOf(viewer, rows, sql`k.organization_id`, projectId),
      involvedIds: (viewer) => involvedFolderIds(viewer, sql`k.organization_id`),
      candidateIds: (filter) =>
        nameStartsWith(filter) &&
        sql`SELECT f.id FROM ${tables.folders.from} WHERE ${parentCondition} AND ${nameStartsWith(filter)}`,
    },
  );
}

/** The folders at the root of a project. */
export const rootFolders = listing('rootFolders', sql`projects`, sql`k.id`, sql`f.parent_id IS NULL`);

/** Every folder of a project, at any depth. */
export const allFolders = listing('allFolders', sql`projects`, sql`k.id`, sql`true`);

/** The folders directly in a folder. */
export const childFolders = listing(
  'childFolders',
  sql`folders`,
  sql`(SELECT t.project_id FROM folders t WHERE t.id = k.id)`,
  sql`f.parent_id = k.id`,
);

export const findFolders = finder<Folder>(
  ({ viewer }, idCondition) =>
    sql`SELECT f.* FROM ${tables.folders.from} WHERE f.id ${idCondition} AND ${visibleFolders(viewer, tables.folders)}`,
);

/** Reads the folders' own assignees. The caller has checked that the viewer sees the folders. */
export const findAssignees = ({ db }: Context, ids: readonly string[], reader: Reader = db) =>
  reader.query<{ id: string; emails: string[] }>(
    sql`SELECT f.id, ${assignees(sql`f.id`)} AS emails FROM ${tables.folders.from} WHERE f.id ${sql.any(ids)}`,
  );

/** Reads inherited assignees and paths; costs a read of every ancestor. The caller has checked visibility. */
export const findAncestries = ({ db }: Context, ids: readonly string[]) =>
  db.query<FolderAncestry>(sql`SELECT f.id, ${assignees(sql`ANY(f.ancestor_ids) AND f.parent_id IS NOT NULL`)} AS inherited_emails,
    coalesce((SELECT array_agg(t.name ORDER BY cardinality(t.ancestor_ids)) FROM folders t
      WHERE f.parent_id IS NOT NULL AND t.organization_id = f.organization_id AND t.id = ANY(f.ancestor_ids)), '{}')
      || f.name AS path
    FROM ${tables.folders.from} WHERE f.id ${sql.any(ids)}`);

/** Like findFolders, but locks the folders against deletion until the transaction ends. */
export async function lockFolders(ctx: Context, ids: readonly string[], tx: Transaction): Promise<Folder[]> {
  await tx.query(
    sql`SELECT f.id FROM ${tables.folders.from} WHERE f.id ${sql.any(ids)} ORDER BY f.id FOR KEY SHARE`,
  );
  return findFolders(ctx, ids, tx);
}

/**
 * Serializes changes of a project's folder tree: a folder created while its parent moves would keep the old ancestors,
 * and two concurrent moves could form a cycle. The lock does not block reads and new documents.
 */
export const lockFolderTree = (tx: Transaction, projectId: string): Promise<unknown> =>
  tx.query(sql`SELECT id FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`);
