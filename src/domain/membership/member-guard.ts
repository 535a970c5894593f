import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { OrganizationRole } from '../../generated/prisma/enums.ts';
import { visibleOrganizations } from '../access/access.ts';
import { requireManagedByApplications } from '../access/access-application.ts';
import { visibleMemberships } from '../access/access-person.ts';
import { isManager } from '../access/role.ts';
import { MANAGERS, OWNERS } from '../kernel/access-rule.ts';
import { type PathOf, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, notFound } from '../kernel/errors.ts';
import { tables } from '../kernel/tables.ts';
import { limitedOrganizations, type Viewer } from '../kernel/viewer.ts';
import type { Member } from '../organizations/member.ts';
import { inOrderOf } from '../projects/project.ts';
import { inRoles, personColumns } from '../users/person.ts';
import { lockAuthorization } from './authorization-lock.ts';

const ROLES = Object.values(OrganizationRole);

type MemberRow = Member & { visible: boolean; disabledAt: Date | null };

/** Memberships with their rows locked until the transaction ends. */
export interface LockedMembers {
  viewer: Viewer;
  viewerMember: Member;
  /** What the credential may do in the organization itself: nothing more than a guest where it is limited to projects. */
  viewerRole: OrganizationRole;
  /** Those of the ids, in their order. */
  members: Member[];
  /** The owners whose accounts are not disabled. */
  owners: Member[];
}

/**
 * Locks and reads the memberships of the viewer, of all owners and with these ids, so that two owners cannot remove
 * each other and a role just lost cannot be used; and the authorization of an application. Throws NOT_FOUND if one is
 * missing, not visible or in another organization.
 */
export async function lockMembers(
  { viewer }: Context,
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
  pathOf: PathOf = () => 'memberId',
): Promise<LockedMembers> {
  await lockAuthorization(viewer, tx, organizationId);
  const rows = await tx.query<MemberRow>(sql`
    SELECT m.*, ${personColumns(tables.users)}, u.disabled_at, ${visibleMemberships(viewer, tables.memberships)} AS visible
    FROM ${tables.memberships.from} JOIN ${tables.users.from} ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId}
    AND EXISTS (SELECT FROM ${tables.organizations.from} WHERE o.id = m.organization_id AND ${visibleOrganizations(viewer, tables.organizations)})
    AND m.id = ANY(ARRAY(SELECT unnest(${sql.texts(ids)})
      UNION SELECT m.id FROM ${tables.memberships.from} WHERE m.organization_id = ${organizationId} AND m.user_id = ${viewer.userId}
      UNION SELECT m.id FROM ${tables.memberships.from}
        WHERE m.organization_id = ${organizationId} AND ${inRoles(tables.memberships, ROLES, ['OWNER'])}))
    AND (m.role = 'OWNER' OR m.user_id = ${viewer.userId} OR m.id ${sql.any(ids)})
    ORDER BY m.id FOR UPDATE OF m`);
  const viewerMember = rows.find(({ userId }) => userId === viewer.userId);
  if (!viewerMember) throw notFound('Organization');
  const members = inOrderOf(
    rows.filter(({ visible }) => visible),
    ids.map((id) => ({ id })),
  );
  requireFound('Member', ids, members, pathOf);
  const isLimited = limitedOrganizations(viewer).includes(organizationId);
  return {
    ...{ viewer, viewerMember, members },
    viewerRole: isLimited ? 'GUEST' : viewerMember.role,
    owners: rows.filter(({ role, disabledAt }) => role === 'OWNER' && !disabledAt),
  };
}

/**
 * Throws FORBIDDEN unless the viewer is OWNER or ADMIN, and OWNER if that role is among `concerned`, with its path; to an application also
 * for ADMIN.
 */
export function requireManager(
  { viewer, viewerRole }: LockedMembers,
  concerned: readonly OrganizationRole[],
  pathAt: (index: number) => string,
): void {
  if (!isManager(viewerRole))
    throw forbidden('This takes the role OWNER or ADMIN in the organization.', undefined, MANAGERS);
  const owner = viewerRole === 'OWNER' ? -1 : concerned.indexOf('OWNER');
  if (owner >= 0)
    throw forbidden('Only an owner can appoint, change or remove an owner.', pathAt(owner), OWNERS);
  requireManagedByApplications(
    viewer,
    concerned.map((role) => ({ role })),
    pathAt,
  );
}

/** Throws CONFLICT if no owner would remain without `members`. */
export function requireRemainingOwner({ members, owners }: LockedMembers, pathOf: PathOf): void {
  const removed = new Set(members.map(({ id }) => id));
  if (owners.length > 0 && owners.every(({ id }) => removed.has(id)))
    throw conflict('An organization keeps at least one owner.', pathOf(owners[0]?.id as string));
}
