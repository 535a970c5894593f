import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { OrganizationRole } from '../../generated/prisma/client.ts';
import { mayRead, type Scope } from '../kernel/scope.ts';
import { tables } from '../kernel/tables.ts';
import { organizationsOf, type Viewer } from '../kernel/viewer.ts';
import { NO_SEMI_JOIN, visibleDocuments, visibleFolders, visibleProjects, visibleTasks } from './access.ts';
import { visibleEvents } from './access-event.ts';

/** Who may be notified of an object, and who may read the notification afterwards. */

/** The subjects of notifications: the prefix of their ids, what it takes to read them, and their rule. */
const SUBJECTS: readonly (readonly [prefix: string, Scope, Rows<string>, (viewer: Viewer) => Sql])[] = [
  subject('doc_', 'documents:read', tables.documents, visibleDocuments),
  subject('tsk_', 'tasks:read', tables.tasks, visibleTasks),
  subject('fld_', 'documents:read', tables.folders, visibleFolders),
  subject('prj_', 'organizations:read', tables.projects, visibleProjects),
];

/** A condition on rows of the table, as one for its rows under the table's alias. */
function subject<Table extends string>(
  prefix: string,
  scope: Scope,
  rows: Rows<Table>,
  visible: (viewer: Viewer, rows: Rows<Table>) => Sql,
) {
  return [prefix, scope, rows, (viewer: Viewer) => visible(viewer, rows)] as const;
}

/** The viewer sees the document, folder, project or task with this id, and their credential may read it. */
function seesSubject(viewer: Viewer, organizationId: Sql, id: Sql): Sql {
  const cases = SUBJECTS.filter(([, scope]) => mayRead(viewer.scopes, scope)).map(
    ([prefix, , rows, visible]) => sql`WHEN ${prefix} THEN EXISTS (SELECT FROM ${rows.from}
    WHERE ${rows}.organization_id = ${organizationId} AND ${rows}.id = ${id} AND ${visible(viewer)})`,
  );
  return cases.length > 0 ? sql`CASE left(${id}, 4) ${sql.join(cases, ' ')} ELSE false END` : sql`false`;
}

/**
 * On notifications: the viewer's own, while they see both the subject and the event. For what is followed these differ:
 * the event may be about a document of which the viewer has lost sight, in a project that they still see.
 */
export const visibleNotifications = (
  viewer: Viewer,
  n: Rows<'notifications'>,
): Sql => sql`(${n}.user_id = ${viewer.userId}
  AND ${n}.organization_id = ANY(${organizationsOf(viewer)})
  AND ${seesSubject(viewer, sql`${n}.organization_id`, sql`${n}.subject_id`)}
  AND EXISTS (SELECT FROM ${tables.events.from} WHERE e.organization_id = ${n}.organization_id AND e.id = ${n}.event_id
    AND ${visibleEvents(viewer, tables.events)} ${NO_SEMI_JOIN}))`;

/** The people in an organization that have an account, no service accounts, as rows to check with `visibleToRecipient`. */
export const recipients = (
  organizationId: string,
): Sql => sql`(SELECT u.id, u.email, u.name, m.role::text AS role
  FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.organization_id = ${organizationId} AND u.disabled_at IS NULL AND u.service_client_id IS NULL) recipient`;

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
export const visibleToRecipient = (organizationId: string, id: Sql): Sql =>
  byRole((role) => seesSubject(recipientAs(organizationId, role), sql`${organizationId}`, id));

/** On `recipient` and events: they see the event now. */
export const eventVisibleToRecipient = (organizationId: string, e: Rows<'events'>): Sql =>
  byRole((role) => visibleEvents(recipientAs(organizationId, role), e));

const byRole = (sees: (role: OrganizationRole) => Sql): Sql =>
  sql`CASE recipient.role WHEN 'GUEST' THEN ${sees('GUEST')} WHEN 'MEMBER' THEN ${sees('MEMBER')} ELSE ${sees('ADMIN')} END`;
