import { type Sql, sql } from '../../db/sql/sql.ts';
import { hashSecret } from '../../lib/secret.ts';
import { organizationsOf, organizationsWith, type Viewer, verifiedEmail } from '../kernel/viewer.ts';

/**
 * Visibility of rows (docs/access.md). Each visibleX(viewer) is a condition on the alias that its comment names, and every
 * read carries one. Events, search entries, signing and credentials have files of their own; role.ts decides changes.
 */

/**
 * At the end of an EXISTS: keeps PostgreSQL from turning it into a semi-join, which reads the inner table for all rows at
 * once. As a subquery it is an index lookup for each row that is read, and a page reads few.
 */
export const NO_SEMI_JOIN: Sql = sql`OFFSET 0`;

export const adminOrganizations = (viewer: Viewer) => organizationsWith(viewer, 'OWNER', 'ADMIN');
const memberOrganizations = (viewer: Viewer) => organizationsWith(viewer, 'MEMBER');
export const guestOrganizations = (viewer: Viewer) => organizationsWith(viewer, 'GUEST');

/** On organizations as `o`. */
export const visibleOrganizations = (viewer: Viewer): Sql => sql`o.id = ANY(${organizationsOf(viewer)})`;

/** On memberships as `m`: all of the organization; for a guest their own, and those of members of the same projects. */
export const visibleMemberships = (viewer: Viewer): Sql => sql`(
  m.organization_id = ANY(${organizationsWith(viewer, 'OWNER', 'ADMIN', 'MEMBER')})
  OR (m.organization_id = ANY(${guestOrganizations(viewer)}) AND (m.user_id = ${viewer.userId} OR EXISTS (
    SELECT FROM project_members mine JOIN project_members theirs
    ON theirs.organization_id = mine.organization_id AND theirs.project_id = mine.project_id
    WHERE mine.organization_id = m.organization_id AND mine.user_id = ${viewer.userId}
    AND theirs.user_id = m.user_id))))`;

/** On invitations as `i`: those sent to the viewer, and those of organizations in which they are owner or admin. */
export const visibleInvitations = (viewer: Viewer): Sql =>
  sql`(i.email = ${verifiedEmail(viewer)} OR i.organization_id = ANY(${adminOrganizations(viewer)}))`;

/** On project invitations as `pi`: for owners and admins of the organization, as the addresses in them. */
export const visibleProjectInvitations = (viewer: Viewer): Sql =>
  sql`(pi.organization_id = ANY(${adminOrganizations(viewer)}) AND ${inVisibleProject(sql`pi`, viewer)})`;

/** On users as `u`: the viewer, and everyone with a visible membership. */
export const visibleUsers = (viewer: Viewer): Sql => sql`(u.id = ${viewer.userId} OR EXISTS (
  SELECT FROM memberships m WHERE m.user_id = u.id AND ${visibleMemberships(viewer)}))`;

/** On projects as `p`: a deleted project, and all that it contains, is invisible to everyone. */
export const visibleProjects = (viewer: Viewer): Sql => sql`(p.purge_marked_at IS NULL AND (
  p.organization_id = ANY(${adminOrganizations(viewer)})
  OR (p.access = 'OPEN' AND p.organization_id = ANY(${memberOrganizations(viewer)}))
  OR EXISTS (SELECT FROM project_members pm WHERE pm.organization_id = p.organization_id
    AND pm.project_id = p.id AND pm.user_id = ${viewer.userId})))`;

/** On projects as `p`: deleted, not yet purged; for owners and admins of the organization. */
export const visibleDeletedProjects = (viewer: Viewer): Sql =>
  sql`(p.purge_marked_at IS NOT NULL AND p.organization_id = ANY(${adminOrganizations(viewer)}))`;

/** The project of the row is not deleted: for rows that are visible without their project. */
export const inLiveProject = (row: Sql): Sql => sql`EXISTS (SELECT FROM projects p
  WHERE p.organization_id = ${row}.organization_id AND p.id = ${row}.project_id AND p.purge_marked_at IS NULL)`;

/** The viewer's role in the project of alias `p`, or null: a value to select. */
export const projectRole = (viewer: Viewer): Sql => sql`(CASE
  WHEN p.organization_id = ANY(${adminOrganizations(viewer)}) THEN 'ADMIN'
  ELSE (SELECT CASE WHEN p.organization_id = ANY(${guestOrganizations(viewer)}) THEN 'VIEWER' ELSE pm.role::text END
    FROM project_members pm WHERE pm.organization_id = p.organization_id
    AND pm.project_id = p.id AND pm.user_id = ${viewer.userId}
    UNION ALL SELECT 'EDITOR' WHERE p.access = 'OPEN' AND p.organization_id = ANY(${memberOrganizations(viewer)})
    LIMIT 1) END)`;

/** The viewer sees all content of the project of alias `p`, which is itself visible. */
export const seesAllContent = (viewer: Viewer): Sql =>
  sql`(p.access = 'OPEN' OR ${projectRole(viewer)} = 'ADMIN')`;

/** Whether the viewer may see some projects in part only. */
export const mayHavePartialProjects = ({ memberships }: Viewer): boolean =>
  memberships.some((membership) => !membership.seesAllContent);

/**
 * The project is visible; with `involved`, the viewer also sees all of its content, or the row involves them: they created
 * it, it is assigned to them, or they are an approver of it.
 */
function ofProject(organizationId: Sql, id: Sql, viewer: Viewer, involved?: Sql): Sql {
  const all = involved && seesAllContent(viewer);
  const content = all && mayHavePartialProjects(viewer) ? sql`(${all} OR ${involved})` : all;
  const conditions = [visibleProjects(viewer), content];
  return sql`EXISTS (SELECT FROM projects p
    WHERE p.organization_id = ${organizationId} AND p.id = ${id} AND ${sql.all(conditions)})`;
}

/** A condition on rows of alias `row` that carry organization_id and project_id. */
export const inVisibleProject = (row: Sql, viewer: Viewer, involved?: Sql): Sql =>
  ofProject(sql`${row}.organization_id`, sql`${row}.project_id`, viewer, involved);

/** On project members as `q`: for everyone who sees the project. */
export const visibleProjectMembers = (viewer: Viewer): Sql => inVisibleProject(sql`q`, viewer);

/** On fields and tags as `c`: for everyone who sees the project. */
export const visibleDescriptors = (viewer: Viewer): Sql => inVisibleProject(sql`c`, viewer);

/** Whether the viewer may change content of the project of the row: a value to select. */
export const editsProjectOf = (row: Sql, viewer: Viewer): Sql => sql`EXISTS (
  SELECT FROM projects p WHERE p.organization_id = ${row}.organization_id AND p.id = ${row}.project_id
  AND ${projectRole(viewer)} IN ('ADMIN', 'EDITOR'))`;

/** On form templates as `t`: shared by e-mail with the viewer, who belongs to the organization. */
export const sharedForms = (viewer: Viewer): Sql => sql`(t.state = 'SHARED' AND ${inLiveProject(sql`t`)}
  AND t.organization_id = ANY(${organizationsOf(viewer)})
  AND EXISTS (SELECT FROM form_shares h WHERE h.organization_id = t.organization_id
    AND h.form_template_id = t.id AND h.email = ${viewer.email}))`;

/** On form templates as `t`: those of visible projects, and those shared with the viewer; by a public link, its one form. */
export const visibleFormTemplates = (viewer: Viewer): Sql =>
  viewer.link === undefined
    ? sql`(${inVisibleProject(sql`t`, viewer, sql`t.created_by_id = ${viewer.userId}`)} OR ${sharedForms(viewer)})`
    : sql`(t.is_public AND t.link_hash = ${hashSecret(viewer.link)} AND ${inLiveProject(sql`t`)})`;

/** Whether the viewer may fill in the form of alias `t`, which must be visible: a value to select. */
export const fillsForm = (viewer: Viewer): Sql =>
  sql`(t.is_public OR ${sharedForms(viewer)} OR ${editsProjectOf(sql`t`, viewer)})`;

/** On form submissions as `s`: the viewer's own, and for editors of the project those of all forms they see. */
export const visibleFormSubmissions = (viewer: Viewer): Sql => sql`(
  (s.submitted_by_id = ${viewer.userId} OR ${editsProjectOf(sql`s`, viewer)})
  AND EXISTS (SELECT FROM form_templates t WHERE t.organization_id = s.organization_id
    AND t.id = s.form_template_id AND ${visibleFormTemplates(viewer)}))`;

/** On fields as `c`: those of visible projects, and those of visible forms. */
export const visibleFields = (viewer: Viewer): Sql => sql`(${visibleDescriptors(viewer)} OR EXISTS (
  SELECT FROM form_fields b JOIN form_templates t ON t.organization_id = b.organization_id AND t.id = b.form_template_id
  WHERE b.organization_id = c.organization_id AND b.field_id = c.id AND ${visibleFormTemplates(viewer)}))`;

/** On folders as `f`: the folder, or one of its ancestors, is assigned to the viewer. */
const inAssigned = ({ email }: Viewer): Sql => sql`EXISTS (SELECT FROM unnest(f.id || f.ancestor_ids) x(id)
  JOIN folder_assignments a ON a.organization_id = f.organization_id AND a.folder_id = x.id AND a.email = ${email} ${NO_SEMI_JOIN})`;

/** The ids of all folders that lead to one that is assigned to the viewer. */
const leadingToAssigned = (viewer: Viewer): Sql => sql`SELECT unnest(t.ancestor_ids)
  FROM folder_assignments a JOIN folders t ON t.organization_id = a.organization_id AND t.id = a.folder_id
  WHERE a.organization_id = ANY(${organizationsOf(viewer)}) AND a.email = ${viewer.email}`;

/** On folders as `f`: in a project seen in part, the assigned folders, their descendants and their ancestors. */
export const visibleFolders = (viewer: Viewer): Sql =>
  inVisibleProject(sql`f`, viewer, involvedInFolder(viewer));

/** The same on folders as `f` that belong to this project. */
export const visibleFoldersOf = (viewer: Viewer, organizationId: Sql, projectId: Sql): Sql =>
  ofProject(organizationId, projectId, viewer, involvedInFolder(viewer));

const involvedInFolder = (viewer: Viewer): Sql =>
  sql`(f.created_by_id = ${viewer.userId} OR ${inAssigned(viewer)} OR f.id IN (${leadingToAssigned(viewer)}))`;

/** On documents as `d`, recycled ones included. */
export const visibleDocuments = (viewer: Viewer): Sql =>
  inVisibleProject(sql`d`, viewer, involvedInDocument(viewer));

/** The same on documents as `d` that belong to this project, which is looked up once for all of them. */
export const visibleDocumentsOf = (viewer: Viewer, organizationId: Sql, projectId: Sql): Sql =>
  ofProject(organizationId, projectId, viewer, involvedInDocument(viewer));

/** The same for documents of many projects: IS TRUE keeps the planner from joining all of their rows. */
export const visibleDocumentsOfMany = (viewer: Viewer): Sql => sql`${visibleDocuments(viewer)} IS TRUE`;

const involvedInDocument = (viewer: Viewer): Sql => sql`(d.created_by_id = ${viewer.userId}
  OR EXISTS (SELECT FROM document_assignments a WHERE a.organization_id = d.organization_id
    AND a.document_id = d.id AND a.email = ${viewer.email} ${NO_SEMI_JOIN})
  OR EXISTS (SELECT FROM folders f
    WHERE f.organization_id = d.organization_id AND f.id = d.folder_id AND ${inAssigned(viewer)} ${NO_SEMI_JOIN})
  OR ${isApprover(viewer, sql`r.organization_id = d.organization_id AND r.document_id = d.id`)})`;

/** On search templates as `s`: the viewer's own, if they still see the project or organization that is searched. */
export const visibleSearchTemplates = (viewer: Viewer): Sql => sql`(
  s.created_by_id = ${viewer.userId}
  AND s.organization_id = ANY(${organizationsOf(viewer)})
  AND (s.project_id IS NULL OR EXISTS (SELECT FROM projects p
    WHERE p.organization_id = s.organization_id AND p.id = s.project_id AND ${visibleProjects(viewer)})))`;

/** On tasks as `t`. */
export const visibleTasks = (viewer: Viewer): Sql => inVisibleProject(sql`t`, viewer, involvedInTask(viewer));

/** The same on tasks as `t` that belong to this project. */
export const visibleTasksOf = (viewer: Viewer, organizationId: Sql, projectId: Sql): Sql =>
  ofProject(organizationId, projectId, viewer, involvedInTask(viewer));

const involvedInTask = (
  viewer: Viewer,
): Sql => sql`(t.created_by_id = ${viewer.userId} OR t.assignee_email = ${viewer.email}
  OR ${isApprover(viewer, sql`r.organization_id = t.organization_id AND r.task_id = t.id`)})`;

/** The viewer is or was an approver of an item, or delegated that; `item` is the condition on its process runs as `r`. */
const isApprover = (viewer: Viewer, item: Sql): Sql => sql`EXISTS (SELECT FROM process_runs r
  JOIN approvals a ON a.organization_id = r.organization_id AND a.run_id = r.id
  JOIN approvers x ON x.organization_id = a.organization_id AND x.approval_id = a.id
  WHERE ${item} AND (x.user_id = ${viewer.userId} OR x.delegated_from_id = ${viewer.userId}) ${NO_SEMI_JOIN})`;

/** On processes as `c`: for everyone who sees the project. */
export const visibleProcesses = (viewer: Viewer): Sql => inVisibleProject(sql`c`, viewer);

/** On process runs as `r`: if their document or task is visible. */
export const visibleProcessRuns = (viewer: Viewer): Sql => sql`(
  EXISTS (SELECT FROM documents d WHERE d.organization_id = r.organization_id AND d.id = r.document_id
    AND ${visibleDocuments(viewer)})
  OR EXISTS (SELECT FROM tasks t WHERE t.organization_id = r.organization_id AND t.id = r.task_id
    AND ${visibleTasks(viewer)}))`;

/** On approvals as `a`: if their document or task is visible. */
export const visibleApprovals = (viewer: Viewer): Sql => sql`EXISTS (SELECT FROM process_runs r
  WHERE r.organization_id = a.organization_id AND r.id = a.run_id AND ${visibleProcessRuns(viewer)})`;

/** On signature form templates as `c`: for everyone who sees the project. */
export const visibleSignatureTemplates = (viewer: Viewer): Sql => inVisibleProject(sql`c`, viewer);

/** On signature forms and signature sessions as `g`: if their document is visible. */
export const visibleSignatures = (viewer: Viewer): Sql => sql`EXISTS (SELECT FROM documents d
  WHERE d.organization_id = g.organization_id AND d.id = g.document_id AND ${visibleDocuments(viewer)})`;

/** The member of alias `m` may change content of the project of alias `p`, and so be an approver there. */
export const isEditor: Sql = sql`(m.organization_id = p.organization_id
  AND EXISTS (SELECT FROM users u WHERE u.id = m.user_id AND u.disabled_at IS NULL)
  AND (m.role IN ('OWNER', 'ADMIN') OR (m.role = 'MEMBER' AND coalesce((SELECT pm.role <> 'VIEWER'
    FROM project_members pm WHERE pm.organization_id = p.organization_id AND pm.project_id = p.id
    AND pm.user_id = m.user_id), p.access = 'OPEN'))))`;
