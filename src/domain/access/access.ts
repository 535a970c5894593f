import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { type InProject, tables } from '../kernel/tables.ts';
import {
  organizationsOf,
  organizationsWith,
  organizationsWithInProjects,
  type Viewer,
} from '../kernel/viewer.ts';
import { reaches, reachesProjectOf } from './access-limit.ts';

/**
 * Visibility of rows (docs/access.md). Each visibleX(viewer, rows) is a condition on rows of one table, and every read carries
 * one. Events, search entries, forms, signing and credentials have files of their own; role.ts decides changes.
 */

/**
 * At the end of an EXISTS: keeps PostgreSQL from turning it into a semi-join, which reads the inner table for all rows at
 * once. As a subquery it is an index lookup for each row that is read, and a page reads few.
 */
export const NO_SEMI_JOIN: Sql = sql`OFFSET 0`;

export const adminOrganizations = (viewer: Viewer) => organizationsWith(viewer, 'OWNER', 'ADMIN');
export const projectAdmins = (viewer: Viewer) => organizationsWithInProjects(viewer, 'OWNER', 'ADMIN');
export const projectMembers = (viewer: Viewer) => organizationsWithInProjects(viewer, 'MEMBER');
/** Where a project membership counts: not in organizations that the credential does not reach, which the viewer's memberships leave out. */
const projectPeople = (viewer: Viewer) => organizationsWithInProjects(viewer, 'MEMBER', 'GUEST');
const projectGuests = (viewer: Viewer) => organizationsWithInProjects(viewer, 'GUEST');

/** On organizations. */
export const visibleOrganizations = (viewer: Viewer, o: Rows<'organizations'>): Sql =>
  sql`${o}.id ${sql.any(organizationsOf(viewer))}`;

/** On projects: a deleted project, and all that it contains, is invisible to everyone. */
export const visibleProjects = (viewer: Viewer, p: Rows<'projects'>): Sql =>
  seenInPast(viewer) ??
  sql`(${sql.all([sql`${p}.purge_marked_at IS NULL`, reachesProject(viewer, p)])} AND (
  ${p}.organization_id = ANY(${projectAdmins(viewer)})
  OR (${p}.access = 'OPEN' AND ${p}.organization_id = ANY(${projectMembers(viewer)}))
  OR (${p}.organization_id = ANY(${projectPeople(viewer)}) AND EXISTS (SELECT FROM project_members pm
    WHERE pm.organization_id = ${p}.organization_id AND pm.project_id = ${p}.id AND pm.user_id = ${viewer.userId}))))`;

/** On rows of the past, which are only those that the viewer sees today, whatever they were then. */
const seenInPast = ({ inPast }: Viewer): Sql | undefined => (inPast ? sql`true` : undefined);

const reachesProject = (viewer: Viewer, p: Rows<'projects'>): Sql | undefined =>
  reaches(viewer, sql`${p}.organization_id`, sql`${p}.id`);

/** On projects: deleted, not yet purged; for owners and admins of the organization. */
export const visibleDeletedProjects = (viewer: Viewer, p: Rows<'projects'>): Sql =>
  sql`(${p}.purge_marked_at IS NOT NULL AND ${p}.organization_id = ANY(${adminOrganizations(viewer)}))`;

/** The project of the row is not deleted: for rows that are visible without their project. */
export const inLiveProject = (row: Rows<InProject>): Sql => sql`EXISTS (SELECT FROM projects p
  WHERE p.organization_id = ${row}.organization_id AND p.id = ${row}.project_id AND p.purge_marked_at IS NULL)`;

/** On a row with a project: it is neither deleted nor disabled, so that people can work there. */
export const inEnabledProject = (row: Rows<InProject>): Sql => sql`EXISTS (SELECT FROM projects p
  WHERE p.organization_id = ${row}.organization_id AND p.id = ${row}.project_id
  AND p.purge_marked_at IS NULL AND p.disabled_at IS NULL)`;

/** The viewer's role in the project or null: a value to select. */
export const projectRole = (viewer: Viewer, p: Rows<'projects'>): Sql => sql`(CASE
  ${unreached(viewer, p)} WHEN ${p}.organization_id = ANY(${projectAdmins(viewer)}) THEN 'ADMIN'
  ELSE (SELECT CASE WHEN ${p}.organization_id = ANY(${projectGuests(viewer)}) THEN 'VIEWER' ELSE pm.role::text END
    FROM project_members pm WHERE pm.organization_id = ${p}.organization_id AND pm.project_id = ${p}.id
    AND pm.user_id = ${viewer.userId} AND pm.organization_id = ANY(${projectPeople(viewer)})
    UNION ALL SELECT 'EDITOR' WHERE ${p}.access = 'OPEN' AND ${p}.organization_id = ANY(${projectMembers(viewer)})
    LIMIT 1) END)`;

function unreached(viewer: Viewer, p: Rows<'projects'>): Sql {
  const reached = reachesProject(viewer, p);
  return reached ? sql`WHEN NOT ${reached} THEN NULL` : sql.empty;
}

/** The viewer sees all content of the project, which is itself visible. */
export const seesAllContent = (viewer: Viewer, p: Rows<'projects'>): Sql =>
  sql`(${p}.access = 'OPEN' OR ${projectRole(viewer, p)} = 'ADMIN')`;

/** Whether the viewer may see some projects in part only. */
export const mayHavePartialProjects = ({ memberships }: Viewer): boolean =>
  memberships.some((membership) => !membership.seesAllContent);

/**
 * The project is visible; with `involved`, the viewer also sees all of its content, or the row involves them: they created
 * it, it is assigned to them, or they are an approver of it.
 */
function ofProject(organizationId: Sql, id: Sql, viewer: Viewer, involved?: Sql): Sql {
  const p = tables.projects;
  const all = involved && seesAllContent(viewer, p);
  const content = all && mayHavePartialProjects(viewer) ? sql`(${all} OR ${involved})` : all;
  const conditions = [visibleProjects(viewer, p), content];
  return sql`EXISTS (SELECT FROM ${tables.projects.from}
    WHERE p.organization_id = ${organizationId} AND p.id = ${id} AND ${sql.all(conditions)})`;
}

/** The project of the row is visible; `involved` as above. */
export const inVisibleProject = (row: Rows<InProject>, viewer: Viewer, involved?: Sql): Sql =>
  ofProject(sql`${row}.organization_id`, sql`${row}.project_id`, viewer, involved);

/** On project members: for everyone who sees the project. */
export const visibleProjectMembers = (viewer: Viewer, q: Rows<'project_members'>): Sql =>
  inVisibleProject(q, viewer);

/** On fields and tags: for everyone who sees the project. */
export const visibleDescriptors = (viewer: Viewer, c: Rows<'fields' | 'tags'>): Sql =>
  inVisibleProject(c, viewer);

/** Whether the viewer may change content of the project of the row: a value to select. */
export const editsProjectOf = (row: Rows<InProject>, viewer: Viewer): Sql => sql`EXISTS (
  SELECT FROM ${tables.projects.from} WHERE p.organization_id = ${row}.organization_id AND p.id = ${row}.project_id
  AND ${projectRole(viewer, tables.projects)} IN ('ADMIN', 'EDITOR'))`;

/** On folders: the folder, or one of its ancestors, is assigned to the viewer. */
const inAssigned = (
  { email }: Viewer,
  f: Rows<'folders'>,
): Sql => sql`EXISTS (SELECT FROM unnest(${f}.id || ${f}.ancestor_ids) x(id)
  JOIN folder_assignments a ON a.organization_id = ${f}.organization_id AND a.folder_id = x.id AND a.email = ${email} ${NO_SEMI_JOIN})`;

/** The ids of all folders that lead to one that is assigned to the viewer. */
const leadingToAssigned = (viewer: Viewer): Sql => sql`SELECT unnest(t.ancestor_ids)
  FROM folder_assignments a JOIN folders t ON t.organization_id = a.organization_id AND t.id = a.folder_id
  WHERE a.organization_id = ANY(${organizationsOf(viewer)}) AND a.email = ${viewer.email}`;

/** On folders: in a project seen in part, the assigned folders, their descendants and their ancestors. */
export const visibleFolders = (viewer: Viewer, f: Rows<'folders'>): Sql =>
  seenInPast(viewer) ?? inVisibleProject(f, viewer, involvedInFolder(viewer, f));

/** The same on folders that belong to this project. */
export const visibleFoldersOf = (
  viewer: Viewer,
  f: Rows<'folders'>,
  organizationId: Sql,
  projectId: Sql,
): Sql => seenInPast(viewer) ?? ofProject(organizationId, projectId, viewer, involvedInFolder(viewer, f));

const involvedInFolder = (viewer: Viewer, f: Rows<'folders'>): Sql =>
  sql`(${f}.created_by_id = ${viewer.userId} OR ${inAssigned(viewer, f)} OR ${f}.id IN (${leadingToAssigned(viewer)}))`;

/** On documents, recycled ones included. */
export const visibleDocuments = (viewer: Viewer, d: Rows<'documents'>): Sql =>
  seenInPast(viewer) ?? inVisibleProject(d, viewer, involvedInDocument(viewer, d));

/** The same on documents that belong to this project, which is looked up once for all of them. */
export const visibleDocumentsOf = (
  viewer: Viewer,
  d: Rows<'documents'>,
  organizationId: Sql,
  projectId: Sql,
): Sql => seenInPast(viewer) ?? ofProject(organizationId, projectId, viewer, involvedInDocument(viewer, d));

/** The same for documents of many projects: IS TRUE keeps the planner from joining all of their rows. */
export const visibleDocumentsOfMany = (viewer: Viewer, d: Rows<'documents'>): Sql =>
  sql`${visibleDocuments(viewer, d)} IS TRUE`;

const involvedInDocument = (
  viewer: Viewer,
  d: Rows<'documents'>,
): Sql => sql`(${d}.created_by_id = ${viewer.userId}
  OR EXISTS (SELECT FROM document_assignments a WHERE a.organization_id = ${d}.organization_id
    AND a.document_id = ${d}.id AND a.email = ${viewer.email} ${NO_SEMI_JOIN})
  OR EXISTS (SELECT FROM ${tables.folders.from}
    WHERE f.organization_id = ${d}.organization_id AND f.id = ${d}.folder_id AND ${inAssigned(viewer, tables.folders)} ${NO_SEMI_JOIN})
  OR ${isApprover(viewer, (r) => sql`${r}.organization_id = ${d}.organization_id AND ${r}.document_id = ${d}.id`)})`;

/** On search templates: the viewer's own, if they still see the project or organization that is searched. */
export const visibleSearchTemplates = (viewer: Viewer, s: Rows<'search_templates'>): Sql => sql`(
  ${s}.created_by_id = ${viewer.userId}
  AND ${s}.organization_id = ANY(${organizationsOf(viewer)})
  AND (${sql.all([sql`${s}.project_id IS NULL`, reachesProjectOf(viewer, s)])} OR EXISTS (SELECT FROM ${tables.projects.from}
    WHERE p.organization_id = ${s}.organization_id AND p.id = ${s}.project_id AND ${visibleProjects(viewer, tables.projects)})))`;

/** On tasks. */
export const visibleTasks = (viewer: Viewer, t: Rows<'tasks'>): Sql =>
  inVisibleProject(t, viewer, involvedInTask(viewer, t));

/** The same on tasks that belong to this project. */
export const visibleTasksOf = (viewer: Viewer, t: Rows<'tasks'>, organizationId: Sql, projectId: Sql): Sql =>
  ofProject(organizationId, projectId, viewer, involvedInTask(viewer, t));

const involvedInTask = (
  viewer: Viewer,
  t: Rows<'tasks'>,
): Sql => sql`(${t}.created_by_id = ${viewer.userId} OR ${t}.assignee_email = ${viewer.email}
  OR ${isApprover(viewer, (r) => sql`${r}.organization_id = ${t}.organization_id AND ${r}.task_id = ${t}.id`)})`;

/** The viewer is or was an approver of an item, or delegated that; `item` is the condition on its process runs. */
const isApprover = (
  viewer: Viewer,
  item: (r: Rows<'process_runs'>) => Sql,
): Sql => sql`EXISTS (SELECT FROM ${tables.processRuns.from}
  JOIN approvals a ON a.organization_id = r.organization_id AND a.run_id = r.id
  JOIN approvers x ON x.organization_id = a.organization_id AND x.approval_id = a.id
  WHERE ${item(tables.processRuns)} AND (x.user_id = ${viewer.userId} OR x.delegated_from_id = ${viewer.userId}) ${NO_SEMI_JOIN})`;

/** On processes: for everyone who sees the project. */
export const visibleProcesses = (viewer: Viewer, c: Rows<'processes'>): Sql => inVisibleProject(c, viewer);

/** On process runs: if their document or task is visible. */
export const visibleProcessRuns = (viewer: Viewer, r: Rows<'process_runs'>): Sql => sql`(
  EXISTS (SELECT FROM ${tables.documents.from} WHERE d.organization_id = ${r}.organization_id AND d.id = ${r}.document_id
    AND ${visibleDocuments(viewer, tables.documents)})
  OR EXISTS (SELECT FROM ${tables.tasks.from} WHERE t.organization_id = ${r}.organization_id AND t.id = ${r}.task_id
    AND ${visibleTasks(viewer, tables.tasks)}))`;

/** On approvals: if their document or task is visible. */
export const visibleApprovals = (
  viewer: Viewer,
  a: Rows<'approvals'>,
): Sql => sql`EXISTS (SELECT FROM ${tables.processRuns.from}
  WHERE r.organization_id = ${a}.organization_id AND r.id = ${a}.run_id AND ${visibleProcessRuns(viewer, tables.processRuns)})`;

/** On signature form templates: for everyone who sees the project. */
export const visibleSignatureTemplates = (viewer: Viewer, c: Rows<'signature_form_templates'>): Sql =>
  inVisibleProject(c, viewer);

/** On signature forms and signature sessions: if their document is visible. */
export const visibleSignatures = (
  viewer: Viewer,
  g: Rows<'signature_forms' | 'signature_sessions'>,
): Sql => sql`EXISTS (SELECT FROM ${tables.documents.from}
  WHERE d.organization_id = ${g}.organization_id AND d.id = ${g}.document_id AND ${visibleDocuments(viewer, tables.documents)})`;

/** The member may change content of the project, and so be an approver there. */
export const isEditor = (
  m: Rows<'memberships'>,
  p: Rows<'projects'>,
): Sql => sql`(${m}.organization_id = ${p}.organization_id
  AND EXISTS (SELECT FROM users u WHERE u.id = ${m}.user_id AND u.disabled_at IS NULL)
  AND (${m}.role IN ('OWNER', 'ADMIN') OR (${m}.role = 'MEMBER' AND coalesce((SELECT pm.role <> 'VIEWER'
    FROM project_members pm WHERE pm.organization_id = ${p}.organization_id AND pm.project_id = ${p}.id
    AND pm.user_id = ${m}.user_id), ${p}.access = 'OPEN'))))`;
