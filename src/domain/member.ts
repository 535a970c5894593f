import type { Reader } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { type Membership, OrganizationRole } from '../generated/prisma/client.ts';
import { visibleMemberships } from './access.ts';
import type { Context } from './context.ts';
import type { Listing } from './listing.ts';
import { matchesPerson, type Person, type PersonFilter, personColumns, personSorts } from './person.ts';

/** A membership in an organization, with the person it is of. */
export type Member = Membership & Person;

export interface MemberFilter extends PersonFilter {
  roles?: OrganizationRole[] | null;
}

const columns = sql`m.*, ${personColumns}`;
const from = sql`memberships m JOIN users u ON u.id = m.user_id`;

export const membersOfOrganization: Listing<Member, MemberFilter, 'NAME' | 'CREATED_AT' | 'ROLE'> = {
  name: 'membersOfOrganization',
  select: () => columns,
  from,
  where: ({ viewer }, { roles, ...person }) => sql`m.organization_id = k.id AND ${visibleMemberships(viewer)}
    AND ${roles ? sql`m.role::text = ANY(${roles})` : sql`true`} AND ${matchesPerson(sql`m`, person)}`,
  sorts: personSorts(sql`m`, Object.values(OrganizationRole)),
};

/** Those of the ids that are visible, in no particular order. */
export const findMembers = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Member>(
    sql`SELECT ${columns} FROM ${from} WHERE m.id = ANY(${ids}) AND ${visibleMemberships(ctx.viewer)}`,
  );

/** The viewer's own membership in each of these organizations. */
export const findOwnMembers = ({ db, viewer }: Context, organizationIds: readonly string[]) =>
  db.query<Member>(sql`SELECT ${columns} FROM ${from} WHERE m.user_id = ${viewer.userId}
    AND m.organization_id = ANY(${organizationIds})`);

/**
 * The members with these addresses that are visible, each held: none leaves or changes role until the transaction ends;
 * with NO KEY UPDATE, none is asked to approve anything either.
 */
export const holdMembersByEmail = (
  ctx: Context,
  tx: Reader,
  organizationId: string,
  emails: readonly string[],
  lock: 'SHARE' | 'NO KEY UPDATE' = 'SHARE',
) =>
  tx.query<Member>(sql`SELECT ${columns} FROM ${from} WHERE m.organization_id = ${organizationId}
    AND u.email = ANY(${emails}) AND ${visibleMemberships(ctx.viewer)} ORDER BY m.id FOR ${sql.raw(lock)} OF m`);
