import { type Sql, sql } from '../../db/sql/sql.ts';
import { Rows } from '../../db/sql/table.ts';
import { type InProject, tables } from '../kernel/tables.ts';
import { organizationsWith, organizationsWithInProjects, type Viewer } from '../kernel/viewer.ts';
import {
  projectAdmins,
  projectMembers,
  seesAllContent,
  visibleDocumentsOfMany,
  visibleProjects,
} from './access.ts';
import { formSharesOf } from './access-form.ts';

/**
 * The ids of rows that involve the viewer, by indexes on creators, assignments and approvers. In projects that the viewer
 * sees in part, these are the visible rows: the same rule as in access.ts, which checks a given row. A test compares both.
 */

/** The organizations of which the viewer may not see every project, or not all content. */
export const partialOrganizations = (viewer: Viewer): string[] =>
  organizationsWith(viewer, 'MEMBER', 'GUEST');

/** On memberships: the viewer's `seesAllContent`. False for a member of more than 20 projects, to keep it cheap. */
export const membershipSeesAllContent = (
  m: Rows<'memberships'>,
): Sql => sql`(${m}.role IN ('OWNER', 'ADMIN') OR coalesce((
  SELECT count(*) <= 20 AND bool_and(p.access = 'OPEN' OR (${m}.role <> 'GUEST' AND q.role = 'ADMIN'))
  FROM (SELECT q.* FROM project_members q WHERE q.organization_id = ${m}.organization_id AND q.user_id = ${m}.user_id LIMIT 21) q
  CROSS JOIN LATERAL (SELECT p.access FROM projects p WHERE p.organization_id = q.organization_id AND p.id = q.project_id OFFSET 0) p), true))`;

/** Whether the viewer sees all content of this project; false if it is invisible: a value to select. */
export const seesAllOfProject = (viewer: Viewer, organizationId: Sql, id: Sql): Sql => sql`coalesce((
  SELECT ${seesAllContent(viewer, tables.projects)} FROM ${tables.projects.from}
  WHERE p.organization_id = ${organizationId} AND p.id = ${id} AND ${visibleProjects(viewer, tables.projects)}), false)`;

/** On documents: visible, in projects that the viewer sees in part. */
export const visibleDocumentsOfPartialProjects = (viewer: Viewer, d: Rows<'documents'>): Sql =>
  sql`(${visibleDocumentsOfMany(viewer, d)} AND NOT ${seesAllOfProject(viewer, sql`${d}.organization_id`, sql`${d}.project_id`)})`;

/** The descendants of a folder, and the folder itself. */
const descendants = new Rows('folders', 'b');

/** Folders that are assigned to someone, and their descendants: their content is visible to that person. */
export const assignedFolderTrees = (
  columns: (b: Rows<'folders'>) => Sql,
  email: Sql,
  organizationId: Sql,
): Sql => sql`
  SELECT ${columns(descendants)} FROM folder_assignments a JOIN folders b ON b.organization_id = a.organization_id
    AND (b.id = a.folder_id OR b.ancestor_ids @> ARRAY[a.folder_id])
  WHERE a.organization_id = ${organizationId} AND a.email = ${email}`;

/** Process runs of which someone is or was an approver, or delegated that. */
export const approverRuns = (
  columns: (r: Rows<'process_runs'>) => Sql,
  userId: Sql,
  organizationId: Sql,
): Sql => sql`
  SELECT ${columns(tables.processRuns)} FROM approvers x
    JOIN approvals a ON a.organization_id = x.organization_id AND a.id = x.approval_id
    JOIN process_runs r ON r.organization_id = a.organization_id AND r.id = a.run_id
  WHERE x.organization_id = ${organizationId} AND (x.user_id = ${userId} OR x.delegated_from_id = ${userId})`;

/** The visible projects as `p`, each once, by indexes on organizations and project members. */
export const visibleProjectRows = (viewer: Viewer): Sql => {
  const [admin, member] = [projectAdmins(viewer), projectMembers(viewer)];
  return sql`(
    SELECT p.* FROM projects p WHERE p.organization_id = ANY(${admin})
    UNION ALL SELECT p.* FROM projects p WHERE p.organization_id = ANY(${member}) AND p.access = 'OPEN'
    UNION ALL SELECT p.* FROM project_members q JOIN projects p ON p.organization_id = q.organization_id AND p.id = q.project_id
      WHERE q.organization_id = ANY(${organizationsWithInProjects(viewer, 'MEMBER', 'GUEST')}) AND q.user_id = ${viewer.userId}
      AND NOT (p.access = 'OPEN' AND p.organization_id = ANY(${member}))) p`;
};

/** FROM items: the projects that the viewer is a member of, and sees in part. */
const partialProjects = (viewer: Viewer, organizationId: Sql): Sql => sql`${tables.projectMembers.from}
  JOIN ${tables.projects.from} ON p.organization_id = q.organization_id AND p.id = q.project_id AND NOT ${seesAllContent(viewer, tables.projects)}
    AND q.organization_id = ${organizationId} AND q.user_id = ${viewer.userId}`;

/** The ids of rows of such projects; and of those among them that the viewer created. */
const idsInPartialProjects = (table: InProject, viewer: Viewer, organizationId: Sql): Sql => sql`
  SELECT c.id FROM ${partialProjects(viewer, organizationId)}
    JOIN ${sql.raw(table)} c ON c.organization_id = ${tables.projects}.organization_id AND c.project_id = ${tables.projects}.id`;
const createdInPartialProjects = (table: InProject, viewer: Viewer, organizationId: Sql): Sql =>
  sql`${idsInPartialProjects(table, viewer, organizationId)} AND ${new Rows(table, 'c')}.created_by_id = ${viewer.userId}`;

/** The ids of documents. `condition`, on documents, narrows those of assigned folders to what an index holds. */
export const involvedDocumentIds = (
  viewer: Viewer,
  organizationId: Sql,
  condition: (d: Rows<'documents'>) => Sql,
): Sql => sql`
  ${createdInPartialProjects('documents', viewer, organizationId)}
  UNION SELECT a.document_id FROM document_assignments a
    WHERE a.organization_id = ${organizationId} AND a.email = ${viewer.email}
  UNION (${approverRuns((r) => sql`${r}.document_id`, sql`${viewer.userId}`, organizationId)} AND ${tables.processRuns}.document_id IS NOT NULL)
  UNION SELECT d.id FROM (${assignedFolderTrees((b) => sql`${b}.organization_id, ${b}.project_id, ${b}.id`, sql`${viewer.email}`, organizationId)}) b
    JOIN ${tables.documents.from} ON d.organization_id = b.organization_id AND d.project_id = b.project_id AND d.folder_id = b.id AND ${condition(tables.documents)}`;

/** The ids of tasks. */
export const involvedTaskIds = (viewer: Viewer, organizationId: Sql): Sql => sql`
  ${createdInPartialProjects('tasks', viewer, organizationId)}
  UNION SELECT t.id FROM tasks t WHERE t.organization_id = ${organizationId} AND t.assignee_email = ${viewer.email}
  UNION (${approverRuns((r) => sql`${r}.task_id`, sql`${viewer.userId}`, organizationId)} AND ${tables.processRuns}.task_id IS NOT NULL)`;

/** The ids of folders, ancestors of assigned ones included. */
export const involvedFolderIds = (viewer: Viewer, organizationId: Sql): Sql => sql`
  ${createdInPartialProjects('folders', viewer, organizationId)}
  UNION ${assignedFolderTrees((b) => sql`unnest(${b}.id || ${b}.ancestor_ids)`, sql`${viewer.email}`, organizationId)}`;

/** The ids of form templates. */
export const involvedFormIds = (viewer: Viewer, organizationId: Sql): Sql => sql`
  ${createdInPartialProjects('form_templates', viewer, organizationId)}
  UNION SELECT h.form_template_id FROM (${formSharesOf(viewer, organizationId)}) h`;

/** The ids of documents, active or recycled. */
export const involvedDocumentIdsInAnyState = (viewer: Viewer, organizationId: Sql): Sql => sql`
  ${involvedDocumentIds(viewer, organizationId, (d) => sql`${d}.state = 'ACTIVE'`)}
  UNION ${involvedDocumentIds(viewer, organizationId, (d) => sql`${d}.state = 'RECYCLED'`)}`;

/** The ids of these documents, and of tasks. */
const involvedItemIds = (viewer: Viewer, organizationId: Sql): Sql =>
  sql`${involvedDocumentIdsInAnyState(viewer, organizationId)} UNION ${involvedTaskIds(viewer, organizationId)}`;

/** The ids of the events of comments on these documents and tasks. */
export const involvedCommentIds = (viewer: Viewer, organizationId: Sql): Sql => sql`
  SELECT c.id FROM (${involvedItemIds(viewer, organizationId)}) i(id) CROSS JOIN LATERAL (
    SELECT c.id FROM events c WHERE c.organization_id = ${organizationId} AND c.subject_id = i.id
      AND (c.kind = 'document.commented' OR c.kind = 'task.commented') OFFSET 0) c`;

/** The ids of all objects that search can find. */
export const involvedSearchableIds = (viewer: Viewer, organizationId: Sql): Sql =>
  sql.join(
    [
      involvedItemIds(viewer, organizationId),
      involvedFolderIds(viewer, organizationId),
      involvedFormIds(viewer, organizationId),
    ],
    ' UNION ',
  );

/** The ids of process runs on these documents and tasks. */
const runIdsOf = (items: Sql, organizationId: Sql): Sql => sql`
  SELECT r.id FROM (${items}) i(id) CROSS JOIN LATERAL (
    SELECT r.id FROM process_runs r WHERE r.organization_id = ${organizationId} AND r.document_id = i.id
    UNION ALL SELECT r.id FROM process_runs r WHERE r.organization_id = ${organizationId} AND r.task_id = i.id) r`;

/** The ids of process runs. */
export const involvedRunIds = (viewer: Viewer, organizationId: Sql): Sql =>
  runIdsOf(involvedItemIds(viewer, organizationId), organizationId);

/** The ids of approvals of these process runs. */
export const approvalIdsOfRuns = (runs: Sql, organizationId: Sql): Sql => sql`
  SELECT a.id FROM (${runs}) r
    CROSS JOIN LATERAL (
      SELECT a.id FROM approvals a WHERE a.organization_id = ${organizationId} AND a.run_id = r.id OFFSET 0) a`;

/** The ids of approvals of these documents and tasks. */
export const approvalIdsOf = (items: Sql, organizationId: Sql): Sql =>
  approvalIdsOfRuns(runIdsOf(items, organizationId), organizationId);

/** The ids of approvals. */
export const involvedApprovalIds = (viewer: Viewer, organizationId: Sql): Sql =>
  approvalIdsOf(involvedItemIds(viewer, organizationId), organizationId);

/** The ids of subjects whose events are visible though the viewer sees their project in part (access-event.ts). */
export function involvedEventSubjectIds(viewer: Viewer, organizationId: Sql): Sql {
  const descriptors = ['fields', 'processes', 'signature_form_templates'] as const;
  const items = sql`SELECT i.id FROM items i`;
  const ids = sql.join(
    [
      sql`SELECT ${tables.projects}.id FROM ${partialProjects(viewer, organizationId)}`,
      ...descriptors.map((table) => idsInPartialProjects(table, viewer, organizationId)),
      ...(['form_templates', 'search_templates'] as const).map((table) =>
        createdInPartialProjects(table, viewer, organizationId),
      ),
      involvedFolderIds(viewer, organizationId),
      items,
      approvalIdsOf(items, organizationId),
    ],
    ' UNION ',
  );
  return sql`WITH items(id) AS MATERIALIZED (${involvedItemIds(viewer, organizationId)}) ${ids}`;
}
