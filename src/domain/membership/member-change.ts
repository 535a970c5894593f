import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { OrganizationRole } from '../../generated/prisma/enums.ts';
import { isServiceAddress } from '../../lib/text/service-address.ts';
import { settleMembers } from '../groups/settle-members.ts';
import { type Actor, changes, recordEvents } from '../kernel/audit.ts';
import { idsOf, positionIn } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { isApplication } from '../kernel/viewer.ts';
import { revokeGrants } from '../oauth/grant-end.ts';
import { findMembers, type Member } from '../organizations/member.ts';
import { itemsOf, withdrawAssignments } from './assignment.ts';
import { declineForFormerApprovers } from './former-approver.ts';
import { withdrawInvitationsBy } from './invitation-change.ts';
import { lockMembers, requireManager, requireRemainingOwner } from './member-guard.ts';

const update = z.strictObject({
  memberId: z.string(),
  organizationId: z.string().nullish(),
  role: z.enum(OrganizationRole),
});

/**
 * Changes the role of a member. Requires OWNER or ADMIN, and OWNER to or from OWNER. A new guest becomes VIEWER in
 * their projects, for good where that is their own role, and stops being an approver. Throws NOT_FOUND, FORBIDDEN, CONFLICT for the last owner, and
 * BAD_USER_INPUT to make a service account an owner.
 */
export function updateMember(ctx: Context, input: z.input<typeof update>): Promise<Member> {
  const { memberId, organizationId: pathOrganizationId, role } = parse(update, input);
  return inTransaction(ctx.db, async (tx) => {
    const [member] = await findMembers(ctx, [memberId], tx);
    if (!member || (pathOrganizationId && pathOrganizationId !== member.organizationId))
      throw notFound('Member');
    const { organizationId } = member;
    const locked = await lockMembers(ctx, tx, organizationId, [memberId]);
    const [before] = locked.members as [Member];
    requireManager(locked, [before.role, role], () => 'role');
    if (role === 'OWNER' && isServiceAddress(before.email))
      throw badValue('role', 'a service account is never an owner');
    if (role !== 'OWNER') requireRemainingOwner(locked, () => 'role');
    await tx.prisma.membership.update({ where: { id: memberId }, data: { role } });
    const concernsGuest = [before.role, role].includes('GUEST');
    const projectRoles = concernsGuest ? await settleProjectRoles(ctx, tx, before, role) : undefined;
    const { userId: subjectId } = before;
    const withdrawn = await withdrawInvitationsBy(tx, organizationId, [subjectId], role);
    const declined = await declineForFormerApprovers(ctx, tx, { organizationId, userIds: [subjectId] });
    const data = {
      ...changes(before, { role }),
      ...projectRoles,
      withdrawnInvitations: withdrawn(subjectId),
    };
    await recordEvents(ctx, tx, [{ organizationId, subjectId, kind: 'member.updated', data }, ...declined]);
    return { ...before, role };
  });
}

/**
 * Settles the member's projects after a change to or from GUEST: own roles of a guest become VIEWER for good, those of groups count
 * again later. Returns the roles that changed, for the event.
 */
async function settleProjectRoles(
  ctx: Context,
  tx: Transaction,
  { organizationId, userId }: Member,
  role: OrganizationRole,
): Promise<Prisma.InputJsonObject | undefined> {
  const rows = await tx.prisma.projectMember.findMany({ where: { organizationId, userId } });
  const pairs = rows.map(({ projectId, ownRole }) =>
    role === 'GUEST' && ownRole ? { projectId, userId, own: 'VIEWER' as const } : { projectId, userId },
  );
  const settled = await settleMembers(ctx, tx, organizationId, pairs);
  const changed = settled.filter(({ before, after }) => before !== after);
  const side = (name: 'before' | 'after') =>
    changed.map((each) => ({ projectId: each.projectId, role: each[name] }));
  return changed.length > 0 ? { projectRoles: { before: side('before'), after: side('after') } } : undefined;
}

const removal = z.strictObject({ organizationId: z.string(), memberIds: z.array(z.string()) });

/**
 * Removes members from an organization, all or nothing, with their project memberships, assignments, invitations and
 * pending approvals, and returns their ids. What they created stays. Requires OWNER or ADMIN, and OWNER for an owner;
 * everyone may leave, except through an application. Throws NOT_FOUND, FORBIDDEN, CONFLICT for the last owner.
 */
export function removeMembers(ctx: Context, input: z.input<typeof removal>): Promise<string[]> {
  const { organizationId, memberIds } = parse(removal, input);
  requireBatchSize(memberIds, ctx.limits.batchMax, 'memberIds');
  const ids = [...new Set(memberIds)];
  return inTransaction(ctx.db, async (tx) => {
    const pathOf = positionIn('memberIds', memberIds);
    const locked = await lockMembers(ctx, tx, organizationId, ids, pathOf);
    const others = isApplication(ctx.viewer)
      ? locked.members
      : locked.members.filter(({ id }) => id !== locked.viewerMember.id);
    if (others.length > 0)
      requireManager(
        locked,
        others.map(({ role }) => role),
        (index) => pathOf(others[index]?.id as string),
      );
    requireRemainingOwner(locked, pathOf);
    await endMemberships(ctx, tx, { organizationId, members: locked.members });
    return ids;
  });
}

interface Ending {
  organizationId: string;
  /** Locked. */
  members: readonly Member[];
  /** Who ends them, by default the viewer. */
  actor?: Actor;
  /** What the event says of who left. */
  before?: (member: Member) => Prisma.InputJsonObject;
}

/** Ends memberships, with all that `removeMembers` says. Records the events, so it is called last in a transaction. */
export async function endMemberships(
  ctx: Context,
  tx: Transaction,
  { organizationId, members, actor = ctx, before = ({ role, email }) => ({ role, email }) }: Ending,
): Promise<void> {
  const withdrawnFrom = await withdrawRights(ctx, tx, organizationId, members);
  await tx.prisma.membership.deleteMany({ where: { organizationId, id: { in: idsOf(members) } } });
  const userIds = members.map(({ userId }) => userId);
  const declined = await declineForFormerApprovers(ctx, tx, { organizationId, userIds });
  await endServiceAccounts(tx, members);
  await recordEvents(actor, tx, [
    ...members.map((member) => {
      const { touched, ...withdrawn } = withdrawnFrom(member);
      return {
        organizationId,
        subjectId: member.userId,
        touched,
        kind: isServiceAddress(member.email) ? 'serviceAccount.deleted' : 'member.removed',
        data: { before: before(member), ...withdrawn },
      };
    }),
    ...declined,
  ]);
}

/**
 * Ends the accounts of members that are service accounts, with their tokens. The lock on the account orders this and the issue of a
 * token: what was issued before is revoked here, and nothing is issued afterwards.
 */
async function endServiceAccounts(tx: Transaction, members: readonly Member[]): Promise<void> {
  const ids = members.filter(({ email }) => isServiceAddress(email)).map(({ userId }) => userId);
  if (ids.length === 0) return;
  await tx.query(sql`UPDATE users SET disabled_at = now() WHERE id = ANY(${ids}) AND disabled_at IS NULL`);
  await revokeGrants(tx, (grants) => sql`${grants}.user_id = ANY(${ids})`, 'revoked_by_organization');
}

/**
 * Withdraws assignments and invitations; project memberships are deleted with the membership. Returns a function that
 * returns what each member had, for the event.
 */
async function withdrawRights(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  members: readonly Member[],
) {
  const userIds = members.map(({ userId }) => userId);
  const emails = members.map(({ email }) => email);
  const unassigned = await withdrawAssignments(ctx, tx, { organizationId }, emails);
  const withdrawn = await withdrawInvitationsBy(tx, organizationId, userIds, null);
  const projectMembers = await tx.prisma.projectMember.findMany({
    where: { organizationId, userId: { in: userIds } },
    orderBy: { id: 'asc' },
  });
  return ({ userId, email }: Member) => ({
    projectIds: projectMembers.filter((each) => each.userId === userId).map(({ projectId }) => projectId),
    unassigned: { ...unassigned({ email }) },
    touched: itemsOf(unassigned({ email })),
    withdrawnInvitations: withdrawn(userId),
  });
}
