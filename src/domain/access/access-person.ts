import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { tables } from '../kernel/tables.ts';
import {
  guestOrganizations,
  limitedOrganizations,
  organizationsWith,
  type Viewer,
  verifiedEmail,
} from '../kernel/viewer.ts';
import { adminOrganizations, inVisibleProject, visibleProjects } from './access.ts';
import { reachedProjects } from './access-limit.ts';

/** Visibility of people: memberships, invitations, groups. */

/** On memberships: all of the organization; for a guest their own, and those of members of the same projects. */
export const visibleMemberships = (viewer: Viewer, m: Rows<'memberships'>): Sql => sql`(
  ${m}.organization_id = ANY(${organizationsWith(viewer, 'OWNER', 'ADMIN', 'MEMBER')})
  OR (${m}.organization_id = ANY(${guestOrganizations(viewer)}) AND (${m}.user_id = ${viewer.userId} OR EXISTS (
    SELECT FROM project_members mine JOIN project_members theirs
    ON theirs.organization_id = mine.organization_id AND theirs.project_id = mine.project_id
    WHERE mine.organization_id = ${m}.organization_id AND mine.user_id = ${viewer.userId}
    AND theirs.user_id = ${m}.user_id))) OR ${sharesReachedProject(viewer, m)})`;

/** On memberships: the person's own, and those of members of the projects to which the credential is limited. */
const sharesReachedProject = (viewer: Viewer, m: Rows<'memberships'>): Sql =>
  limitedOrganizations(viewer).length === 0
    ? sql`false`
    : sql`(${m}.organization_id = ANY(${limitedOrganizations(viewer)}) AND (${m}.user_id = ${viewer.userId} OR EXISTS (
    SELECT FROM ${tables.projects.from} JOIN project_members theirs ON theirs.organization_id = p.organization_id AND theirs.project_id = p.id
    WHERE p.organization_id = ${m}.organization_id AND theirs.user_id = ${m}.user_id AND ${visibleProjects(viewer, tables.projects)})))`;

/** Membership ids of the viewer and of the people in the same projects of the organization `k.id`, visible or not. */
export const fellowMemberIds = (viewer: Viewer): Sql => sql`SELECT m.id FROM (
    SELECT ${viewer.userId}::text UNION SELECT theirs.user_id FROM project_members mine JOIN project_members theirs
      ON theirs.organization_id = mine.organization_id AND theirs.project_id = mine.project_id
    WHERE mine.organization_id = k.id AND mine.user_id = ${viewer.userId}
    UNION SELECT theirs.user_id FROM project_members theirs
    WHERE theirs.organization_id = k.id AND theirs.project_id = ANY(${reachedProjects(viewer)})) u(id)
  JOIN ${tables.memberships.from} ON m.organization_id = k.id AND m.user_id = u.id`;

/** On invitations: those sent to the viewer, and those of organizations in which they are owner or admin. */
export const visibleInvitations = (viewer: Viewer, i: Rows<'invitations'>): Sql =>
  sql`(${i}.email = ${viewer.isLimited ? null : verifiedEmail(viewer)} OR ${i}.organization_id = ANY(${adminOrganizations(viewer)}))`;

/** On project invitations: for owners and admins of the organization, as the addresses in them. */
export const visibleProjectInvitations = (viewer: Viewer, pi: Rows<'project_invitations'>): Sql =>
  sql`(${pi}.organization_id = ANY(${adminOrganizations(viewer)}) AND ${inVisibleProject(pi, viewer)})`;

/** On users: the viewer, and everyone with a visible membership. */
export const visibleUsers = (
  viewer: Viewer,
  u: Rows<'users'>,
): Sql => sql`(${u}.id = ${viewer.userId} OR EXISTS (
  SELECT FROM ${tables.memberships.from} WHERE m.user_id = ${u}.id AND ${visibleMemberships(viewer, tables.memberships)}))`;

/** On groups: all of the organization; for a guest those that they are in. */
export const visibleGroups = (viewer: Viewer, gr: Rows<'groups'>): Sql => sql`(
  ${gr}.organization_id = ANY(${organizationsWith(viewer, 'OWNER', 'ADMIN', 'MEMBER')})
  OR (${gr}.organization_id = ANY(${guestOrganizations(viewer)}) AND EXISTS (SELECT FROM group_members gm
    WHERE gm.organization_id = ${gr}.organization_id AND gm.group_id = ${gr}.id AND gm.user_id = ${viewer.userId})))`;

/** On groups of projects: of a visible project, where the viewer sees the group. */
export const visibleProjectGroups = (viewer: Viewer, pg: Rows<'project_groups'>): Sql =>
  sql`(${inVisibleProject(pg, viewer)} AND EXISTS (SELECT FROM ${tables.groups.from}
    WHERE gr.organization_id = ${pg}.organization_id AND gr.id = ${pg}.group_id AND ${visibleGroups(viewer, tables.groups)}))`;
