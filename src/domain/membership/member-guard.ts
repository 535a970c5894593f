import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { OrganizationRole } from '../../generated/prisma/client.ts';
import { visibleMemberships, visibleOrganizations } from '../access/access.ts';
import { isManager } from '../access/role.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, notFound } from '../kernel/errors.ts';
import type { Member } from '../organizations/member.ts';
import { inOrderOf } from '../projects/project.ts';
import { personColumns } from '../users/person.ts';

type Found = Member & { visible: boolean; disabledAt: Date | null };

/** The viewer's own membership, and those that were asked for, in that order. */
export interface LockedMembers {
  viewerMember: Member;
  members: Member[];
  /** Those who can act as owner: an account that is disabled keeps no organization alive. */
  owners: Member[];
}

/**
 * Reads the viewer's membership, the owners' and those named as they are now, and holds them until the transaction
 * ends: of two owners who unseat each other the second finds what the first left, and whoever has just lost a role
 * cannot use it. Throws NOT_FOUND where one is not there, not visible, or in another organization.
 */
export async function lockMembers(
  { viewer }: Context,
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<LockedMembers> {
  const rows = await tx.query<Found>(sql`
    SELECT m.*, ${personColumns}, u.disabled_at, ${visibleMemberships(viewer)} AS visible
    FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId}
    AND EXISTS (SELECT FROM organizations o WHERE o.id = m.organization_id AND ${visibleOrganizations(viewer)})
    AND (m.role = 'OWNER' OR m.user_id = ${viewer.userId} OR m.id = ANY(${ids}))
    ORDER BY m.id FOR UPDATE OF m`);
  const me = rows.find(({ userId }) => userId === viewer.userId);
  if (!me) throw notFound('Organization');
  const wanted = ids.map((id) => ({ id }));
  const named = inOrderOf(
    rows.filter(({ visible }) => visible),
    wanted,
  );
  if (named.length < ids.length) throw notFound('Member');
  return {
    viewerMember: me,
    members: named,
    owners: rows.filter(({ role, disabledAt }) => role === 'OWNER' && !disabledAt),
  };
}

/** Throws FORBIDDEN unless the viewer manages the organization; what concerns an owner takes an owner. */
export function requireManager({ viewerMember: me }: LockedMembers, ...concerned: OrganizationRole[]): void {
  if (!isManager(me.role)) throw forbidden('This takes the role OWNER or ADMIN in the organization.');
  if (me.role !== 'OWNER' && concerned.includes('OWNER'))
    throw forbidden('Only an owner makes, changes or removes an owner.');
}

/** Throws CONFLICT when nobody is left to be an owner after those named are none any more. */
export function requireRemainingOwner({ members: named, owners }: LockedMembers): void {
  const gone = new Set(named.map(({ id }) => id));
  if (owners.length > 0 && owners.every(({ id }) => gone.has(id)))
    throw conflict('An organization keeps at least one owner.');
}
