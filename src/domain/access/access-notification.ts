import { type Sql, sql } from '../../db/sql/sql.ts';
import type { OrganizationRole } from '../../generated/prisma/client.ts';
import { organizationsOf, type Viewer } from '../kernel/viewer.ts';
import { visibleDocuments, visibleFolders, visibleProjects, visibleTasks } from './access.ts';

/** Who may be told of an object, and who may read afterwards that they were. */

/** The viewer sees the document, folder, project or task with this id. */
const seesSubject = (viewer: Viewer, organizationId: Sql, id: Sql): Sql => sql`CASE left(${id}, 4)
  WHEN 'doc_' THEN EXISTS (SELECT FROM documents d
    WHERE d.organization_id = ${organizationId} AND d.id = ${id} AND ${visibleDocuments(viewer)})
  WHEN 'tsk_' THEN EXISTS (SELECT FROM tasks t
    WHERE t.organization_id = ${organizationId} AND t.id = ${id} AND ${visibleTasks(viewer)})
  WHEN 'fld_' THEN EXISTS (SELECT FROM folders f
    WHERE f.organization_id = ${organizationId} AND f.id = ${id} AND ${visibleFolders(viewer)})
  WHEN 'prj_' THEN EXISTS (SELECT FROM projects p
    WHERE p.organization_id = ${organizationId} AND p.id = ${id} AND ${visibleProjects(viewer)})
  ELSE false END`;

/** On notifications as `n`: the viewer's own, of what they still see, until the project or the organization is lost to them. */
export const visibleNotifications = (viewer: Viewer): Sql => sql`(n.user_id = ${viewer.userId}
  AND n.organization_id = ANY(${organizationsOf(viewer)})
  AND ${seesSubject(viewer, sql`n.organization_id`, sql`n.subject_id`)})`;

/** The members of an organization that have an account, as rows to check with `visibleToRecipient`. */
export const recipients = (
  organizationId: string,
): Sql => sql`(SELECT u.id, u.email, u.name, m.role::text AS role
  FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.organization_id = ${organizationId} AND u.disabled_at IS NULL) recipient`;

/** The member in the row `recipient` as a viewer with this role: the same rules decide for many people in one statement. */
const recipientAs = (organizationId: string, role: OrganizationRole): Viewer => ({
  userId: sql`recipient.id` as unknown as string,
  email: sql`recipient.email` as unknown as string,
  name: '',
  scopes: new Set(['read']),
  credentialId: '',
  memberships: [{ organizationId, role }],
});

/** On `recipient`: they see the document, folder, project or task with the id `id` now. */
export const visibleToRecipient = (organizationId: string, id: Sql): Sql => {
  const sees = (role: OrganizationRole) =>
    seesSubject(recipientAs(organizationId, role), sql`${organizationId}`, id);
  return sql`CASE recipient.role WHEN 'GUEST' THEN ${sees('GUEST')} WHEN 'MEMBER' THEN ${sees('MEMBER')} ELSE ${sees('ADMIN')} END`;
};
