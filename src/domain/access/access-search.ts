import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { NO_SEMI_JOIN, seesAllContent, visibleProjects } from './access.ts';
import { formSharesOf, sharedForms } from './access-form.ts';
import {
  approverRuns,
  assignedFolderTrees,
  involvedSearchableIds,
  seesAllOfProject,
  visibleProjectRows,
} from './access-involved.ts';

/**
 * Joins to search entries of this organization their project as `p`, if the viewer sees it; p.all_content is whether
 * they see all of its content. A lookup per entry, instead of a list of all projects of the viewer.
 */
export const joinEntryProject = (
  viewer: Viewer,
  e: Rows<'search_entries'>,
  organizationId: string,
): Sql => sql`
  LEFT JOIN LATERAL (SELECT coalesce(${seesAllContent(viewer, tables.projects)}, false) AS all_content FROM ${tables.projects.from}
    WHERE p.organization_id = ${organizationId} AND p.id = ${e}.project_id AND ${visibleProjects(viewer, tables.projects)} OFFSET 0) p ON true`;

/**
 * On entries joined by joinEntryProject: the document, folder, task or form template is visible, by the rules of
 * access.ts. The viewer's assignments are read once for the search, not for each entry. A test compares both.
 */
export const visibleEntries = (viewer: Viewer, e: Rows<'search_entries'>, organizationId: string): Sql =>
  sql`(${tables.projects}.all_content OR (NOT ${tables.projects}.all_content AND (${e}.created_by_id = ${viewer.userId}
      OR ${e}.subject_id IN (${assignedIds(viewer, organizationId)}) OR ${e}.subject_id IN (${approverSubjectIds(viewer, organizationId)})
      OR ${e}.folder_id IN (${assignedFolderIds(viewer, organizationId)})))
    OR ${e}.subject_id IN (${sharedFormIds(viewer, organizationId)}))`;

/** The same without that join. */
export const isVisibleEntry = (
  viewer: Viewer,
  e: Rows<'search_entries'>,
  organizationId: string,
): Sql => sql`EXISTS (
  SELECT FROM (VALUES (0)) one ${joinEntryProject(viewer, e, organizationId)} WHERE ${visibleEntries(viewer, e, organizationId)} ${NO_SEMI_JOIN})`;

/**
 * The ids of all searchable objects of the organization that the viewer sees, each once: those of projects whose content
 * they see, and those that involve them elsewhere.
 */
export const visibleSubjectIds = (viewer: Viewer, organizationId: string): Sql => sql`
  SELECT e.subject_id FROM (SELECT p.organization_id, p.id FROM ${visibleProjectRows(viewer)}
    WHERE p.organization_id = ${organizationId} AND ${visibleProjects(viewer, tables.projects)} AND ${seesAllContent(viewer, tables.projects)} OFFSET 0) p
  CROSS JOIN LATERAL (SELECT e.subject_id FROM search_entries e
    WHERE e.organization_id = p.organization_id AND e.project_id = p.id OFFSET 0) e
  UNION ALL SELECT e.subject_id FROM (${involvedSearchableIds(viewer, sql`${organizationId}`)}) s(id)
  CROSS JOIN LATERAL (SELECT e.* FROM search_entries e
    WHERE e.organization_id = ${organizationId} AND e.subject_id = s.id OFFSET 0) e
  WHERE NOT ${seesAllOfProject(viewer, sql`e.organization_id`, sql`e.project_id`)}`;

/** The tables of searchable objects. */
const TABLES = ['documents', 'tasks', 'folders', 'form_templates'];

/** The ids of searchable objects that someone created. */
export const createdSubjectIds = (userId: string, organizationId: string): Sql => {
  const created = TABLES.map(
    (table) => sql`SELECT c.id FROM ${sql.raw(table)} c
    WHERE c.organization_id = ${organizationId} AND c.created_by_id = ${userId}`,
  );
  return sql.join(created, ' UNION ALL ');
};

/** The ids of forms that were shared with the viewer. */
const sharedFormIds = (viewer: Viewer, organizationId: string): Sql => sql`
  SELECT t.id FROM (${formSharesOf(viewer, sql`${organizationId}`)}) x CROSS JOIN LATERAL (SELECT t.id FROM ${tables.formTemplates.from}
    WHERE t.organization_id = x.organization_id AND t.id = x.form_template_id AND ${sharedForms(viewer, tables.formTemplates)} OFFSET 0) t`;

/** The ids of folders assigned to the viewer, and of their descendants: their content is visible. */
const assignedFolderIds = ({ email }: Viewer, organizationId: string): Sql =>
  assignedFolderTrees((b) => sql`${b}.id`, sql`${email}`, sql`${organizationId}`);

/** The ids of documents, tasks and folders assigned to the viewer, and of the ancestors of those folders. */
const assignedIds = ({ email }: Viewer, organizationId: string): Sql => sql`
  SELECT a.document_id FROM document_assignments a WHERE a.organization_id = ${organizationId} AND a.email = ${email}
  UNION ALL SELECT t.id FROM tasks t WHERE t.organization_id = ${organizationId} AND t.assignee_email = ${email}
  UNION ALL SELECT unnest(f.id || f.ancestor_ids) FROM folder_assignments a
    JOIN folders f ON f.organization_id = a.organization_id AND f.id = a.folder_id
    WHERE a.organization_id = ${organizationId} AND a.email = ${email}`;

/** The ids of documents and tasks of which the viewer is or was an approver, or delegated that. */
const approverSubjectIds = ({ userId }: Viewer, organizationId: string): Sql =>
  approverRuns((r) => sql`coalesce(${r}.document_id, ${r}.task_id)`, sql`${userId}`, sql`${organizationId}`);
