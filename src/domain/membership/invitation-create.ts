import { z } from 'zod';
import { databaseTime } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { OrganizationRole } from '../../generated/prisma/enums.ts';
import { newId } from '../../lib/id.ts';
import { idsOf } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { email, parse, requireBatchSize } from '../kernel/input.ts';
import { findInvitations, type Invitation } from '../organizations/invitation.ts';
import { findMembers, type Member } from '../organizations/member.ts';
import { inOrderOf } from '../projects/project.ts';
import { requireDistinctEmails } from '../users/person.ts';
import { type InvitationSubject, recordInvitations } from './invitation-change.ts';
import { queueInvitationMails } from './invitation-mail.ts';
import { lockMembers, requireManager } from './member-guard.ts';

const newMember = z.strictObject({ email, role: z.enum(OrganizationRole) });

const creation = z.strictObject({
  organizationId: z.string(),
  members: z.array(newMember),
  keepExisting: z.boolean().nullish(),
});

type NewMember = z.output<typeof newMember>;

/** Who was invited, and with `keepExisting` who was there before; each list in the order of the input. */
export interface Invited {
  invitations: Invitation[];
  members: Member[];
}

interface Inviting {
  ctx: Context;
  tx: Transaction;
  organizationId: string;
}

/**
 * Invites people, all or nothing. Requires OWNER or ADMIN, and OWNER to invite an owner. The result is the same whether
 * or not an address has an account, so as not to reveal accounts. Replaces expired invitations. An application invites
 * neither owners nor admins, and its invitations end with its authorization. Members and people with
 * an open invitation are left as they are and returned with `keepExisting`; otherwise throws CONFLICT for them.
 */
export function inviteMembers(ctx: Context, input: z.input<typeof creation>): Promise<Invited> {
  const { organizationId, members, keepExisting } = parse(creation, input);
  requireBatchSize(members, ctx.limits.batchMax, 'members');
  requireDistinctEmails(members);
  return inTransaction(ctx.db, async (tx) => {
    const locked = await lockMembers(ctx, tx, organizationId, []);
    requireManager(
      locked,
      members.map(({ role }) => role),
      (index) => `members.${index}.role`,
    );
    const inviting = { ctx, tx, organizationId };
    await removeExpired(inviting, members);
    const existing = await findExisting(inviting, members, keepExisting ?? false);
    const present = new Set([...existing.members, ...existing.invitations].map((each) => each.email));
    const added = members.filter((each) => !present.has(each.email));
    const created = await createInvitations(inviting, added);
    return {
      members: inInputOrder(members, existing.members),
      invitations: inInputOrder(members, [...existing.invitations, ...created]),
    };
  });
}

function inInputOrder<Row extends { email: string }>(members: readonly NewMember[], rows: readonly Row[]) {
  const byEmail = new Map(rows.map((row) => [row.email, row]));
  return members.flatMap(({ email }) => byEmail.get(email) ?? []);
}

/** Deletes expired invitations of these people, who are invited anew. */
async function removeExpired({ ctx, tx, organizationId }: Inviting, members: readonly NewMember[]) {
  const expired = await tx.query<InvitationSubject>(sql`DELETE FROM invitations
    WHERE organization_id = ${organizationId} AND email = ANY(${members.map(({ email }) => email)})
    AND expires_at <= now() RETURNING organization_id, id, email, role::text AS role`);
  await recordInvitations(ctx, tx, expired, 'invitation.withdrawn', ({ email, role }) => ({
    before: { email, role },
    reason: 'expired',
  }));
}

/**
 * The members and the open invitations with these addresses. Throws CONFLICT for the first one unless they are kept. None
 * is added meanwhile, since whoever invites has locked the owners.
 */
async function findExisting(
  { ctx, tx, organizationId }: Inviting,
  members: readonly NewMember[],
  areKept: boolean,
): Promise<Invited> {
  const emails = members.map(({ email }) => email);
  const rows = await tx.query<{ id: string; email: string; isMember: boolean }>(sql`
    SELECT m.id, u.email, true AS is_member FROM memberships m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = ${organizationId} AND u.email = ANY(${emails})
    UNION ALL SELECT id, email, false FROM invitations
      WHERE organization_id = ${organizationId} AND email = ANY(${emails})`);
  const idsOfKind = (isMember: boolean) =>
    rows.filter((row) => row.isMember === isMember).map(({ id }) => id);
  const [first] = inInputOrder(members, rows);
  if (first && !areKept) {
    const text = first.isMember ? `${first.email} is a member already.` : 'Someone is invited already.';
    throw conflict(text, `members.${emails.indexOf(first.email)}.email`);
  }
  return {
    members: await findMembers(ctx, idsOfKind(true), tx),
    invitations: await findInvitations(ctx, idsOfKind(false), tx),
  };
}

async function createInvitations(
  { ctx, tx, organizationId }: Inviting,
  members: readonly NewMember[],
): Promise<Invitation[]> {
  if (members.length === 0) return [];
  const sentAt = await databaseTime(tx);
  const expiresAt = new Date(sentAt.getTime() + ctx.limits.invitation);
  const { userId: createdById, clientId = null } = ctx.viewer;
  const rows = members.map((each) => ({
    ...each,
    ...{ organizationId, id: newId('Invitation'), createdById, clientId, sentAt, expiresAt, resends: 0 },
  }));
  await tx.prisma.invitation.createMany({ data: rows });
  await queueInvitationMails(tx, rows);
  await recordInvitations(ctx, tx, rows, 'invitation.created', ({ email, role }) => ({
    after: { email, role },
  }));
  return inOrderOf(await findInvitations(ctx, idsOf(rows), tx), rows);
}
