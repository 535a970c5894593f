import { z } from 'zod';
import { databaseTime } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { OrganizationRole, Prisma } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { recordEvents } from '../kernel/audit.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, forbidden, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { tables } from '../kernel/tables.ts';
import { verifiedEmail } from '../kernel/viewer.ts';
import { findInvitations, type Invitation, inviter } from '../organizations/invitation.ts';
import { findMembers, type Member } from '../organizations/member.ts';
import { lockMembers, requireManager } from './member-guard.ts';
import { joinProjects, projectsOfInvitation } from './project-invitation-change.ts';

const withdrawal = z.strictObject({ organizationId: z.string(), invitationIds: z.array(z.string()) });

/** Withdraws invitations, expired ones too, all or nothing, and returns their ids. Requires OWNER or ADMIN, and OWNER for an owner's. */
export function withdrawInvitations(ctx: Context, input: z.input<typeof withdrawal>): Promise<string[]> {
  const { organizationId, invitationIds } = parse(withdrawal, input);
  requireBatchSize(invitationIds, ctx.limits.batchMax, 'invitationIds');
  const ids = [...new Set(invitationIds)];
  return inTransaction(ctx.db, async (tx) => {
    const locked = await lockMembers(ctx, tx, organizationId, []);
    const invitations = (await findInvitations(ctx, ids, tx)).filter(
      (each) => each.organizationId === organizationId,
    );
    const pathOf = positionIn('invitationIds', invitationIds);
    requireFound('Invitation', ids, invitations, pathOf);
    requireManager(
      locked,
      invitations.map(({ role }) => role),
      (index) => pathOf(invitations[index]?.id as string),
    );
    await deleteInvitations(tx, invitations);
    await recordInvitations(ctx, tx, invitations, 'invitation.withdrawn', ({ email, role }) => ({
      before: { email, role },
    }));
    return ids;
  });
}

const answer = z.strictObject({ invitationId: z.string() });

/**
 * Accepts an invitation as the viewer, who joins the projects that come with it. Throws NOT_FOUND, FORBIDDEN for somebody else's,
 * CONFLICT for an expired one and for a member.
 */
export function acceptInvitation(ctx: Context, input: z.input<typeof answer>): Promise<Member> {
  const { invitationId } = parse(answer, input);
  requireNoApplication(ctx.viewer, 'invitations');
  return inTransaction(ctx.db, async (tx) => {
    const invitation = await requireOwnInvitation(ctx, tx, invitationId);
    if (invitation.isExpired)
      throw conflict(
        'The invitation has expired. Ask the person who sent it to send it again.',
        'invitationId',
      );
    const projects = await projectsOfInvitation(tx, invitation);
    await deleteInvitations(tx, [invitation]);
    const { organizationId, role, createdById } = invitation;
    const { userId, email } = ctx.viewer;
    const createdAt = await databaseTime(tx);
    const row = { organizationId, id: newId('Membership'), userId, role, createdById, createdAt };
    const { count } = await tx.prisma.membership.createMany({ data: [row], skipDuplicates: true });
    if (count === 0) throw conflict('You are a member already.', 'invitationId');
    const data = { after: { role, email }, invitationId };
    const joined = await joinProjects(ctx, tx, invitation, projects);
    const event = { organizationId, subjectId: userId, kind: 'member.added', data };
    await recordEvents(ctx, tx, [event, ...joined]);
    const memberships = [...ctx.viewer.memberships, { organizationId, role }];
    const memberCtx = { ...ctx, viewer: { ...ctx.viewer, memberships } };
    return (await findMembers(memberCtx, [row.id], tx))[0] as Member;
  });
}

/** Declines an invitation as the viewer and returns its id. Throws NOT_FOUND, FORBIDDEN for somebody else's. */
export function declineInvitation(ctx: Context, input: z.input<typeof answer>): Promise<string> {
  const { invitationId } = parse(answer, input);
  requireNoApplication(ctx.viewer, 'invitations');
  return inTransaction(ctx.db, async (tx) => {
    const invitation = await requireOwnInvitation(ctx, tx, invitationId);
    await deleteInvitations(tx, [invitation]);
    await recordInvitations(ctx, tx, [invitation], 'invitation.declined', ({ email, role }) => ({
      before: { email, role },
    }));
    return invitationId;
  });
}

async function requireOwnInvitation(ctx: Context, tx: Transaction, id: string): Promise<Invitation> {
  const [invitation] = await findInvitations(ctx, [id], tx);
  if (!invitation) throw notFound('Invitation', 'invitationId');
  if (invitation.email !== verifiedEmail(ctx.viewer))
    throw forbidden('The invitation is for someone else.', 'invitationId');
  return invitation;
}

/** Deletes invitations: of concurrent answers, the one that deletes the row wins. Throws NOT_FOUND for the others. */
async function deleteInvitations(tx: Transaction, invitations: readonly Invitation[]): Promise<void> {
  const ids = invitations.map(({ id }) => id);
  const { count } = await tx.prisma.invitation.deleteMany({ where: { id: { in: ids } } });
  if (count < ids.length) throw notFound('Invitation');
}

export type InvitationSubject = Pick<Invitation, 'organizationId' | 'id' | 'email' | 'role'>;

/** Records an event about each invitation. */
export const recordInvitations = (
  ctx: Context,
  tx: Transaction,
  invitations: readonly InvitationSubject[],
  kind: string,
  data: (each: InvitationSubject) => Prisma.InputJsonObject,
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
 * Withdraws the invitations that these people sent last, and whom they put into projects with other invitations, where their new role
 * (null: none) no longer allows it. Returns a function that
 * returns the addresses each had invited, for the event.
 */
export async function withdrawInvitationsBy(
  tx: Transaction,
  organizationId: string,
  userIds: readonly string[],
  role: OrganizationRole | null,
): Promise<(userId: string) => string[]> {
  if (role === 'OWNER') return () => [];
  const rows = await tx.query<{ invitedById: string; email: string }>(sql`
    DELETE FROM ${tables.invitations.from} WHERE i.organization_id = ${organizationId} AND ${inviter(tables.invitations)} = ANY(${userIds})
    AND ${role === 'ADMIN' ? sql`i.role = 'OWNER'` : sql`true`} RETURNING ${inviter(tables.invitations)} AS invited_by_id, i.email`);
  if (role !== 'ADMIN')
    await tx.query(sql`DELETE FROM project_invitations WHERE organization_id = ${organizationId}
      AND created_by_id = ANY(${userIds})`);
  return (userId) => rows.filter((row) => row.invitedById === userId).map(({ email }) => email);
}
