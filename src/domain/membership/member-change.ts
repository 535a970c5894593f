import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { OrganizationRole } from '../../generated/prisma/client.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { findMembers, type Member } from '../organizations/member.ts';
import { withdrawAssignments } from './assignment.ts';
import { declineForFormerApprovers } from './former-approver.ts';
import { withdrawInvitationsBy } from './invitation-change.ts';
import { lockMembers, requireManager, requireRemainingOwner } from './member-guard.ts';

const update = z.strictObject({
  memberId: z.string(),
  organizationId: z.string().nullish(),
  role: z.enum(OrganizationRole),
});

/**
 * Gives a member another role. Takes the role OWNER or ADMIN, and OWNER where an owner is made or is one no more.
 * CONFLICT for the last owner. Whoever becomes a guest is a VIEWER in their projects, also if they rise again; who may
 * not decide any more is asked no longer.
 */
export function updateMember(ctx: Context, input: z.input<typeof update>): Promise<Member> {
  const { memberId, organizationId: within, role } = parse(update, input);
  requireNoApplication(ctx.viewer, 'members');
  return inTransaction(ctx.db, async (tx) => {
    const [found] = await findMembers(ctx, [memberId], tx);
    if (!found || (within && within !== found.organizationId)) throw notFound('Member');
    const { organizationId } = found;
    const held = await lockMembers(ctx, tx, organizationId, [memberId]);
    const [before] = held.members as [Member];
    requireManager(held, before.role, role);
    if (role !== 'OWNER') requireRemainingOwner(held);
    await tx.prisma.membership.update({ where: { id: memberId }, data: { role } });
    if (role === 'GUEST') await capProjectRoles(tx, before);
    const { userId: subjectId } = before;
    const withdrawn = await withdrawInvitationsBy(tx, organizationId, [subjectId], role);
    const declined = await declineForFormerApprovers(ctx, tx, { organizationId, userIds: [subjectId] });
    const data = {
      before: { role: before.role },
      after: { role },
      withdrawnInvitations: withdrawn(subjectId),
    };
    await recordEvents(ctx, tx, [{ organizationId, subjectId, kind: 'member.updated', data }, ...declined]);
    return { ...before, role };
  });
}

const capProjectRoles = (tx: Transaction, { organizationId, userId }: Member) =>
  tx.prisma.projectMember.updateMany({ where: { organizationId, userId }, data: { role: 'VIEWER' } });

const removal = z.strictObject({ organizationId: z.string(), memberIds: z.array(z.string()) });

/**
 * Removes members from an organization, all or nothing, with their places in its projects, what is assigned to them
 * there, what they offered and what they were still asked to approve; gives the ids. Takes the role OWNER or ADMIN, and OWNER for an owner; anyone may leave.
 * CONFLICT for the last owner. What they made, and what they did, stays.
 */
export function removeMembers(ctx: Context, input: z.input<typeof removal>): Promise<string[]> {
  const { organizationId, memberIds } = parse(removal, input);
  requireNoApplication(ctx.viewer, 'members');
  requireBatchSize(memberIds, ctx.limits.batchMax, 'memberIds');
  const ids = [...new Set(memberIds)];
  return inTransaction(ctx.db, async (tx) => {
    const held = await lockMembers(ctx, tx, organizationId, ids);
    const others = held.members.filter(({ id }) => id !== held.viewerMember.id);
    if (others.length > 0) requireManager(held, ...others.map(({ role }) => role));
    requireRemainingOwner(held);
    const lost = await takeBack(ctx, tx, organizationId, held.members);
    await tx.prisma.membership.deleteMany({ where: { organizationId, id: { in: ids } } });
    const userIds = held.members.map(({ userId }) => userId);
    const declined = await declineForFormerApprovers(ctx, tx, { organizationId, userIds });
    await recordEvents(ctx, tx, [
      ...held.members.map((member) => ({
        organizationId,
        subjectId: member.userId,
        kind: 'member.removed',
        data: { before: { role: member.role, email: member.email }, ...lost(member) },
      })),
      ...declined,
    ]);
    return ids;
  });
}

/** What they hold beside the membership; their places in projects go with that itself. Answers what it was, for the event. */
async function takeBack(ctx: Context, tx: Transaction, organizationId: string, members: readonly Member[]) {
  const userIds = members.map(({ userId }) => userId);
  const emails = members.map(({ email }) => email);
  const unassigned = await withdrawAssignments(ctx, tx, { organizationId }, emails);
  const withdrawn = await withdrawInvitationsBy(tx, organizationId, userIds, null);
  const places = await tx.prisma.projectMember.findMany({
    where: { organizationId, userId: { in: userIds } },
    orderBy: { id: 'asc' },
  });
  return ({ userId, email }: Member) => ({
    projectIds: places.filter((place) => place.userId === userId).map(({ projectId }) => projectId),
    unassigned: { ...unassigned.get(email) },
    withdrawnInvitations: withdrawn(userId),
  });
}
