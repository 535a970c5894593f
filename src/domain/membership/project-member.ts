import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { ProjectMember as ProjectMemberRow } from '../../generated/prisma/client.ts';
import { type OrganizationRole, ProjectRole } from '../../generated/prisma/enums.ts';
import { visibleProjectMembers } from '../access/access.ts';
import { rowsById } from '../access/project-listing.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { tables } from '../kernel/tables.ts';
import {
  hasConditions,
  inRoles,
  matchesPerson,
  type Person,
  type PersonFilter,
  personColumns,
  personSorts,
} from '../users/person.ts';

/** A project membership with the person, and their role and membership in the organization. */
export type ProjectMember = ProjectMemberRow &
  Person & { organizationRole: OrganizationRole; membershipId: string };

interface ProjectMemberFilter extends PersonFilter {
  roles?: ProjectRole[] | null;
}

const ROLES = Object.values(ProjectRole);

const columns = sql`q.*, ${personColumns(tables.users)}, m.role AS organization_role, m.id AS membership_id`;
const joins = sql`LEFT JOIN ${tables.users.from} ON u.id = q.user_id
  LEFT JOIN memberships m ON m.organization_id = q.organization_id AND m.user_id = q.user_id`;
const from = sql`${tables.projectMembers.from} ${joins}`;

const ofParent = sql`q.organization_id = k.organization_id AND q.project_id = k.id`;

const matches = ({ roles, ...person }: ProjectMemberFilter): Sql =>
  sql.all([
    roles && inRoles(tables.projectMembers, ROLES, roles),
    matchesPerson(tables.projectMembers, tables.users, person),
  ]);

const members: Listing<ProjectMember, ProjectMemberFilter, 'NAME' | 'CREATED_AT' | 'ROLE'> = {
  name: 'membersOfProject',
  select: () => columns,
  from: tables.projectMembers.from,
  joins,
  where: ({ viewer }, filter) =>
    sql`${ofParent} AND ${visibleProjectMembers(viewer, tables.projectMembers)} AND ${matches(filter)}`,
  sorts: personSorts(tables.projectMembers, ROLES),
};

/** The ids of members that match a filter: joined to their accounts, so that an address may be found first. */
const idsOfMatches = (filter: ProjectMemberFilter): Sql => sql`SELECT q.id FROM ${tables.projectMembers.from}
  JOIN ${tables.users.from} ON u.id = q.user_id WHERE ${ofParent} AND ${matches(filter)}`;

/** The people added to a project. A filter may match few of them. */
export const membersOfProject: typeof members = {
  ...members,
  sparse: ({ viewer }, filter) =>
    hasConditions(filter)
      ? {
          firstAttempt: {
            row: tables.projectMembers,
            indexCondition: () => ofParent,
            rowCondition: sql`${visibleProjectMembers(viewer, tables.projectMembers)} AND ${matches(filter)}`,
          },
          fallback: () => ({ ...members, from: rowsById(tables.projectMembers, idsOfMatches(filter)) }),
        }
      : undefined,
};

/** The viewer's own memberships in these projects, in any order. */
export const findOwnProjectMembers = ({ db, viewer }: Context, projectIds: readonly string[]) =>
  db.query<ProjectMember>(sql`SELECT ${columns} FROM ${from}
    WHERE q.project_id = ANY(${projectIds}) AND q.user_id = ${viewer.userId} AND ${visibleProjectMembers(viewer, tables.projectMembers)}`);

/** Returns the project members with these ids that the viewer may see, in any order. */
export const findProjectMembers = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<ProjectMember>(
    sql`SELECT ${columns} FROM ${from} WHERE q.id ${sql.any(ids)} AND ${visibleProjectMembers(ctx.viewer, tables.projectMembers)}`,
  );
