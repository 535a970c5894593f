import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { OrganizationRole, type Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, notFound } from '../kernel/errors.ts';
import { email, parse, requireBatchSize } from '../kernel/input.ts';
import { findInvitations, type Invitation } from '../organizations/invitation.ts';
import { findMembers, type Member } from '../organizations/member.ts';
import { inOrderOf } from '../projects/project.ts';
import { requireDistinctEmails } from '../users/person.ts';
import { lockMembers, requireManager } from './member-guard.ts';

const creation = z.strictObject({
  organizationId: z.string(),
  members: z.array(z.strictObject({ email, role: z.enum(OrganizationRole) })),
});

/**
 * Offers people a place, all or nothing, in the order given. Takes the role OWNER or ADMIN, and OWNER to offer that.
 * Anyone can make an organization, so it must not tell who has an account: the answer is the same for every address,
 * and whoever it is decides. CONFLICT for those who are members, or invited, already.
 */
export function inviteMembers(ctx: Context, input: z.input<typeof creation>): Promise<Invitation[]> {
  const { organizationId, members } = parse(creation, input);
  requireNoApplication(ctx.viewer, 'invitations');
  requireBatchSize(members, ctx.limits.batchMax, 'members');
  requireDistinctEmails(members);
  return inTransaction(ctx.db, async (tx) => {
    const held = await lockMembers(ctx, tx, organizationId, []);
    requireManager(held, ...members.map(({ role }) => role));
    await requireOutside(tx, organizationId, members);
    const rows = members.map((each) => ({
      ...each,
      organizationId,
      id: newId('Invitation'),
      createdById: ctx.viewer.userId,
    }));
    const { count } = await tx.prisma.invitation.createMany({ data: rows, skipDuplicates: true });
    if (count < rows.length) throw conflict('Someone is invited already.', 'members');
    await tell(ctx, tx, rows, 'invitation.created', ({ email, role }) => ({ after: { email, role } }));
    const ids = rows.map(({ id }) => id);
    return inOrderOf(await findInvitations(ctx, ids, tx), rows);
  });
}

async function requireOutside(
  tx: Transaction,
  organizationId: string,
  members: readonly { email: string }[],
): Promise<void> {
  const emails = members.map(({ email }) => email);
  const [inside] = await tx.query<{ email: string }>(sql`
    SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = ${organizationId} AND u.email = ANY(${emails}) LIMIT 1`);
  if (inside) {
    const at = `members.${emails.indexOf(inside.email)}.email`;
    throw conflict(`${inside.email} is a member already.`, at);
  }
}

const withdrawal = z.strictObject({ organizationId: z.string(), invitationIds: z.array(z.string()) });

/** Takes invitations back, all or nothing; gives the ids. Takes the role OWNER or ADMIN, and OWNER for an owner's. */
export function withdrawInvitations(ctx: Context, input: z.input<typeof withdrawal>): Promise<string[]> {
  const { organizationId, invitationIds } = parse(withdrawal, input);
  requireNoApplication(ctx.viewer, 'invitations');
  requireBatchSize(invitationIds, ctx.limits.batchMax, 'invitationIds');
  const ids = [...new Set(invitationIds)];
  return inTransaction(ctx.db, async (tx) => {
    const held = await lockMembers(ctx, tx, organizationId, []);
    const found = (await findInvitations(ctx, ids, tx)).filter(
      (each) => each.organizationId === organizationId,
    );
    if (found.length < ids.length) throw notFound('Invitation', 'invitationIds');
    requireManager(held, ...found.map(({ role }) => role));
    await claim(tx, found);
    await tell(ctx, tx, found, 'invitation.withdrawn', ({ email, role }) => ({ before: { email, role } }));
    return ids;
  });
}

const answer = z.strictObject({ invitationId: z.string() });

/** Takes the place that is offered to the viewer. CONFLICT for members. */
export function acceptInvitation(ctx: Context, input: z.input<typeof answer>): Promise<Member> {
  const { invitationId } = parse(answer, input);
  requireNoApplication(ctx.viewer, 'invitations');
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId, role, createdById } = await takeOwn(ctx, tx, invitationId);
    const { userId, email } = ctx.viewer;
    const row = { organizationId, id: newId('Membership'), userId, role, createdById };
    const { count } = await tx.prisma.membership.createMany({ data: [row], skipDuplicates: true });
    if (count === 0) throw conflict('You are a member already.');
    const data = { after: { role, email }, invitationId };
    await recordEvents(ctx, tx, [{ organizationId, subjectId: userId, kind: 'member.added', data }]);
    const memberships = [...ctx.viewer.memberships, { organizationId, role }];
    const inside = { ...ctx, viewer: { ...ctx.viewer, memberships } };
    return (await findMembers(inside, [row.id], tx))[0] as Member;
  });
}

/** Turns down what is offered to the viewer; gives the id. */
export function declineInvitation(ctx: Context, input: z.input<typeof answer>): Promise<string> {
  const { invitationId } = parse(answer, input);
  requireNoApplication(ctx.viewer, 'invitations');
  return inTransaction(ctx.db, async (tx) => {
    const invitation = await takeOwn(ctx, tx, invitationId);
    await tell(ctx, tx, [invitation], 'invitation.declined', ({ email, role }) => ({
      before: { email, role },
    }));
    return invitationId;
  });
}

async function takeOwn(ctx: Context, tx: Transaction, id: string): Promise<Invitation> {
  const [invitation] = await findInvitations(ctx, [id], tx);
  if (!invitation) throw notFound('Invitation');
  if (invitation.email !== ctx.viewer.email) throw forbidden('The invitation is for someone else.');
  await claim(tx, [invitation]);
  return invitation;
}

/** An invitation is answered once: whoever deletes it has it. */
async function claim(tx: Transaction, invitations: readonly Invitation[]): Promise<void> {
  const ids = invitations.map(({ id }) => id);
  const { count } = await tx.prisma.invitation.deleteMany({ where: { id: { in: ids } } });
  if (count < ids.length) throw notFound('Invitation');
}

type Told = Pick<Invitation, 'organizationId' | 'id' | 'email' | 'role'>;

const tell = (
  ctx: Context,
  tx: Transaction,
  invitations: readonly Told[],
  kind: string,
  data: (each: Told) => Prisma.InputJsonObject,
) =>
  recordEvents(
    ctx,
    tx,
    invitations.map((each) => ({
      organizationId: each.organizationId,
      subjectId: each.id,
      kind,
      data: data(each),
    })),
  );

/**
 * Takes back what these people offered: it goes with the right to offer it, which `now`, their role from now on, may
 * still give. Answers whom each had invited, for the event.
 */
export async function withdrawInvitationsBy(
  tx: Transaction,
  organizationId: string,
  userIds: readonly string[],
  now: OrganizationRole | null,
): Promise<(userId: string) => string[]> {
  if (now === 'OWNER') return () => [];
  const rows = await tx.query<{ createdById: string; email: string }>(sql`
    DELETE FROM invitations WHERE organization_id = ${organizationId} AND created_by_id = ANY(${userIds})
    AND ${now === 'ADMIN' ? sql`role = 'OWNER'` : sql`true`} RETURNING created_by_id, email`);
  return (userId) => rows.filter((row) => row.createdById === userId).map(({ email }) => email);
}
