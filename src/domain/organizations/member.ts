import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Membership } from '../../generated/prisma/client.ts';
import { OrganizationRole } from '../../generated/prisma/enums.ts';
import { memberHasSecondFactor } from '../access/access-member-factor.ts';
import { fellowMemberIds, visibleMemberships } from '../access/access-person.ts';
import { rowsById } from '../access/project-listing.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { tables } from '../kernel/tables.ts';
import { organizationsWith, type Viewer } from '../kernel/viewer.ts';
import {
  hasConditions,
  inRoles,
  matchesPerson,
  type Person,
  type PersonFilter,
  personColumns,
  personSorts,
} from '../users/person.ts';

/** A membership in an organization, with the person. */
export type Member = Membership & Person;

interface MemberFilter extends PersonFilter {
  roles?: OrganizationRole[] | null;
  /** No member matches where the viewer does not see it. */
  hasSecondFactor?: boolean | null;
}

const ROLES = Object.values(OrganizationRole);

const columns = sql`m.*, ${personColumns(tables.users)}`;
const from = sql`${tables.memberships.from} JOIN ${tables.users.from} ON u.id = m.user_id`;

const matches = (viewer: Viewer, { roles, hasSecondFactor, ...person }: MemberFilter): Sql =>
  sql.all([
    roles && inRoles(tables.memberships, ROLES, roles),
    typeof hasSecondFactor === 'boolean' &&
      sql`${memberHasSecondFactor(viewer, tables.memberships)} = ${hasSecondFactor}`,
    matchesPerson(tables.memberships, tables.users, person),
  ]);

const members: Listing<Member, MemberFilter, 'NAME' | 'CREATED_AT' | 'ROLE'> = {
  name: 'membersOfOrganization',
  select: () => columns,
  from: tables.memberships.from,
  joins: sql`LEFT JOIN ${tables.users.from} ON u.id = m.user_id`,
  where: ({ viewer }, filter) =>
    sql`m.organization_id = k.id AND ${visibleMemberships(viewer, tables.memberships)} AND ${matches(viewer, filter)}`,
  sorts: personSorts(tables.memberships, ROLES),
};

/** The ids of members that match a filter. */
const idsOfMatches = (viewer: Viewer, filter: MemberFilter): Sql => sql`SELECT m.id FROM ${from}
  WHERE m.organization_id = k.id AND ${matches(viewer, filter)}`;

/** The members of an organization. A guest sees only members of the same projects, and a filter may match few: both are sparse. */
export const membersOfOrganization: typeof members = {
  ...members,
  sparse: ({ viewer }, filter) =>
    !hasConditions(filter) && organizationsWith(viewer, 'GUEST').length === 0
      ? undefined
      : {
          firstAttempt: {
            row: tables.memberships,
            indexCondition: () => sql`m.organization_id = k.id`,
            rowCondition: sql`${visibleMemberships(viewer, tables.memberships)} AND ${matches(viewer, filter)}`,
          },
          fallback: () => ({
            ...members,
            ...(hasConditions(filter)
              ? { name: 'membersFound', from: rowsById(tables.memberships, idsOfMatches(viewer, filter)) }
              : { name: 'membersKnown', from: rowsById(tables.memberships, fellowMemberIds(viewer)) }),
          }),
        },
};

/** Returns the members with these ids that the viewer may see, in any order. */
export const findMembers = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Member>(
    sql`SELECT ${columns} FROM ${from} WHERE m.id ${sql.any(ids)} AND ${visibleMemberships(ctx.viewer, tables.memberships)}`,
  );

/** Whether the accounts of these members have a second factor, of those of whom the viewer may know it. */
export const findMemberFactors = ({ db, viewer }: Context, ids: readonly string[]) =>
  db.query<{ id: string; hasSecondFactor: boolean | null }>(sql`
    SELECT m.id, ${memberHasSecondFactor(viewer, tables.memberships)} AS has_second_factor
    FROM ${tables.memberships.from} WHERE m.id ${sql.any(ids)} AND ${visibleMemberships(viewer, tables.memberships)}`);

/** Returns the viewer's own memberships in these organizations. */
export const findOwnMembers = ({ db, viewer }: Context, organizationIds: readonly string[]) =>
  db.query<Member>(sql`SELECT ${columns} FROM ${from} WHERE m.user_id = ${viewer.userId}
    AND m.organization_id = ANY(${organizationIds})`);

/** People named by their addresses, their accounts or their memberships. */
interface NamedMembers {
  emails?: readonly string[];
  userIds?: readonly string[];
  ids?: readonly string[];
}

/**
 * Returns the visible members that are named, by address only where that is verified or of a service account, their rows locked against removal and changes of role; with NO KEY UPDATE
 * also against becoming an approver.
 */
export const lockNamedMembers = (
  ctx: Context,
  tx: Reader,
  organizationId: string,
  { emails = [], userIds = [], ids = [] }: NamedMembers,
  lock: 'SHARE' | 'NO KEY UPDATE' = 'SHARE',
) =>
  tx.query<Member>(sql`SELECT ${columns} FROM ${from} WHERE m.organization_id = ${organizationId}
    AND m.id IN (SELECT unnest(${sql.texts(ids)})
      UNION SELECT x.id FROM memberships x WHERE x.organization_id = ${organizationId} AND x.user_id = ANY(${userIds})
      UNION SELECT x.id FROM users p JOIN memberships x ON x.user_id = p.id
        WHERE x.organization_id = ${organizationId} AND p.email = ANY(${emails})
        AND (p.email_verified_at IS NOT NULL OR p.service_client_id IS NOT NULL))
    AND ${visibleMemberships(ctx.viewer, tables.memberships)} ORDER BY m.id FOR ${sql.raw(lock)} OF m`);
