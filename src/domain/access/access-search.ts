import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { NO_SEMI_JOIN, seesAllContent, sharedForms, visibleProjects } from './access.ts';
import {
  approverRuns,
  assignedFolderTrees,
  involvedSearchableIds,
  seesAllOfProject,
  visibleProjectRows,
} from './access-involved.ts';

/**
 * Joins to each search entry `e` of this organization its project as `p`, where the viewer sees that; `whole` says whether
 * they see all content of it. A project is looked up, and not every one that they see.
 */
export const joinEntryProject = (viewer: Viewer, organizationId: string): Sql => sql`
  LEFT JOIN LATERAL (SELECT coalesce(${seesAllContent(viewer)}, false) AS whole FROM projects p
    WHERE p.organization_id = ${organizationId} AND p.id = e.project_id AND ${visibleProjects(viewer)} OFFSET 0) p ON true`;

/**
 * On entries as `e`, and their projects as `p` of projectOfEntry: the thing that each stands for is visible, as access.ts says
 * it of documents, folders, tasks and form templates. What was assigned to the viewer is found once for a whole search, not
 * thing by thing; a test holds the two together.
 */
export const visibleEntries = (viewer: Viewer, organizationId: string): Sql =>
  sql`(p.whole OR (NOT p.whole AND (e.created_by_id = ${viewer.userId}
      OR e.subject_id IN (${assignedIds(viewer, organizationId)}) OR e.subject_id IN (${approverSubjectIds(viewer, organizationId)})
      OR e.folder_id IN (${assignedFolderIds(viewer, organizationId)})))
    OR e.subject_id IN (${sharedFormIds(viewer, organizationId)}))`;

/** The same on entries alone. */
export const isVisibleEntry = (viewer: Viewer, organizationId: string): Sql => sql`EXISTS (
  SELECT FROM (VALUES (0)) one ${joinEntryProject(viewer, organizationId)} WHERE ${visibleEntries(viewer, organizationId)} ${NO_SEMI_JOIN})`;

/**
 * The ids of all things of this organization that the viewer sees, who does not see all, each once: those of whole projects, and
 * what is their own elsewhere.
 */
export const visibleSubjectIds = (viewer: Viewer, organizationId: string): Sql => sql`
  SELECT e.subject_id FROM (SELECT p.organization_id, p.id FROM ${visibleProjectRows(viewer)}
    WHERE p.organization_id = ${organizationId} AND ${visibleProjects(viewer)} AND ${seesAllContent(viewer)} OFFSET 0) p
  CROSS JOIN LATERAL (SELECT e.subject_id FROM search_entries e
    WHERE e.organization_id = p.organization_id AND e.project_id = p.id OFFSET 0) e
  UNION ALL SELECT e.subject_id FROM (${involvedSearchableIds(viewer, sql`${organizationId}`)}) s(id)
  CROSS JOIN LATERAL (SELECT e.* FROM search_entries e
    WHERE e.organization_id = ${organizationId} AND e.subject_id = s.id OFFSET 0) e
  WHERE NOT ${seesAllOfProject(viewer, sql`e.organization_id`, sql`e.project_id`)}`;

/** Where the things are that can be found. */
const TABLES = ['documents', 'tasks', 'folders', 'form_templates'];

/** The ids of what someone made. */
export const createdSubjectIds = (userId: string, organizationId: string): Sql => {
  const made = TABLES.map(
    (table) => sql`SELECT c.id FROM ${sql.raw(table)} c
    WHERE c.organization_id = ${organizationId} AND c.created_by_id = ${userId}`,
  );
  return sql.join(made, ' UNION ALL ');
};

/** The forms that were shared with the viewer. */
const sharedFormIds = (viewer: Viewer, organizationId: string): Sql => sql`
  SELECT t.id FROM form_shares x CROSS JOIN LATERAL (SELECT t.id FROM form_templates t
    WHERE t.organization_id = x.organization_id AND t.id = x.form_template_id AND ${sharedForms(viewer)} OFFSET 0) t
  WHERE x.organization_id = ${organizationId} AND x.email = ${viewer.email}`;

/** The folders assigned to the viewer, and all below them: what is in these is visible. */
const assignedFolderIds = ({ email }: Viewer, organizationId: string): Sql =>
  assignedFolderTrees(sql`b.id`, sql`${email}`, sql`${organizationId}`);

/** Documents, tasks and folders that are assigned, and the folders that lead there. */
const assignedIds = ({ email }: Viewer, organizationId: string): Sql => sql`
  SELECT a.document_id FROM document_assignments a WHERE a.organization_id = ${organizationId} AND a.email = ${email}
  UNION ALL SELECT t.id FROM tasks t WHERE t.organization_id = ${organizationId} AND t.assignee_email = ${email}
  UNION ALL SELECT unnest(f.id || f.ancestor_ids) FROM folder_assignments a
    JOIN folders f ON f.organization_id = a.organization_id AND f.id = a.folder_id
    WHERE a.organization_id = ${organizationId} AND a.email = ${email}`;

/** What the viewer was asked to approve, or handed on to someone. */
const approverSubjectIds = ({ userId }: Viewer, organizationId: string): Sql =>
  approverRuns(sql`coalesce(r.document_id, r.task_id)`, sql`${userId}`, sql`${organizationId}`);
