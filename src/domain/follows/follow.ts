import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Follow as FollowRow } from '../../generated/prisma/client.ts';
import { visibleFollows } from '../access/access-own.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import { organizationsOf } from '../kernel/viewer.ts';

/** A person follows a document, folder, project or task. Visible to that person only. */
export type Follow = FollowRow;

export type FollowKind = 'DOCUMENT' | 'FOLDER' | 'PROJECT' | 'TASK';

const OF_KIND: Record<FollowKind, Sql> = {
  DOCUMENT: sql`w.document_id IS NOT NULL`,
  FOLDER: sql`w.folder_id IS NOT NULL`,
  TASK: sql`w.task_id IS NOT NULL`,
  PROJECT: sql`w.subject_id = w.project_id`,
};

/** What kind of object is followed. */
export function kindOf({ documentId, folderId, taskId }: Follow): FollowKind {
  if (documentId) return 'DOCUMENT';
  if (folderId) return 'FOLDER';
  return taskId ? 'TASK' : 'PROJECT';
}

interface FollowFilter {
  kind?: FollowKind | null;
  /** Of this project, and the project itself. */
  projectId?: string | null;
}

const matches = ({ kind, projectId }: FollowFilter): Sql =>
  sql.all([kind && OF_KIND[kind], projectId && sql`w.project_id = ${projectId}`]);

/** What the viewer follows in an organization. */
export const followsOfOrganization: Listing<Follow, FollowFilter, 'CREATED_AT'> = {
  name: 'followsOfOrganization',
  select: () => sql`w.*`,
  from: tables.follows.from,
  where: ({ viewer }, filter) =>
    sql`w.organization_id = k.id AND ${matches(filter)} AND ${visibleFollows(viewer, tables.follows)}`,
  sorts: { CREATED_AT: sortBy(sql`w.id`, sql`w.created_at`, 'timestamptz', (row) => row.createdAt) },
};

/** Reads the viewer's follows with these ids, in no particular order. */
export const findFollows = ({ db, viewer }: Context, ids: readonly string[]) =>
  db.query<Follow>(
    sql`SELECT w.* FROM ${tables.follows.from} WHERE w.id ${sql.any(ids)} AND ${visibleFollows(viewer, tables.follows)}`,
  );

/** Reads the viewer's follows of these objects, which the viewer already sees. */
export const findOwnFollows = ({ db, viewer }: Context, subjectIds: readonly string[]) =>
  db.query<Follow>(sql`SELECT w.* FROM ${tables.follows.from} WHERE w.organization_id = ANY(${organizationsOf(viewer)})
    AND w.subject_id = ANY(${subjectIds}) AND w.user_id = ${viewer.userId}`);
