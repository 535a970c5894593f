import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ProjectMember as ProjectMemberRow } from '../../generated/prisma/client.ts';
import { type OrganizationRole, ProjectRole } from '../../generated/prisma/enums.ts';
import { visibleProjectMembers } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { tables } from '../kernel/tables.ts';
import {
  matchesPerson,
  type Person,
  type PersonFilter,
  personColumns,
  personSorts,
} from '../users/person.ts';

/** A project membership with the person, and their role and membership in the organization. */
export type ProjectMember = ProjectMemberRow &
  Person & { organizationRole: OrganizationRole; membershipId: string };

export interface ProjectMemberFilter extends PersonFilter {
  roles?: ProjectRole[] | null;
}

const columns = sql`q.*, ${personColumns(tables.users)}, m.role AS organization_role, m.id AS membership_id`;
const from = sql`${tables.projectMembers.from} JOIN ${tables.users.from} ON u.id = q.user_id
  JOIN memberships m ON m.organization_id = q.organization_id AND m.user_id = q.user_id`;

/** The people added to a project. */
export const membersOfProject: Listing<ProjectMember, ProjectMemberFilter, 'NAME' | 'CREATED_AT' | 'ROLE'> = {
  name: 'membersOfProject',
  select: () => columns,
  from,
  where: ({ viewer }, { roles, ...person }) =>
    sql`q.organization_id = k.organization_id AND q.project_id = k.id AND ${visibleProjectMembers(viewer, tables.projectMembers)}
      AND ${roles ? sql`q.role::text = ANY(${roles})` : sql`true`} AND ${matchesPerson(tables.projectMembers, tables.users, person)}`,
  sorts: personSorts(tables.projectMembers, Object.values(ProjectRole)),
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
