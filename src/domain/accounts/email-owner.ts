import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { type Actor, recordEvents } from '../kernel/audit.ts';
import { moveAssignments } from '../membership/assignment-move.ts';
import { removeCredentials } from './credential-removal.ts';

/** Another account has the address. */
export class AddressTaken extends Error {}

export interface NewEmail {
  userId: string;
  from: string;
  to: string;
}

/**
 * Gives an account an address that its owner has proved to read. What was assigned to it in its organizations follows;
 * invitations and signature requests stay with the address to which they were sent. Throws AddressTaken.
 */
export async function setEmail(actor: Actor, tx: Transaction, { userId, from, to }: NewEmail): Promise<void> {
  await displaceUnverified(tx, to, userId);
  const updated = await tx
    .query(
      sql`UPDATE users SET email = ${to}, email_verified_at = now() WHERE id = ${userId}
        AND NOT EXISTS (SELECT FROM users o WHERE o.email = ${to} AND o.id <> ${userId}) RETURNING id`,
    )
    .catch((error) => {
      throw isUniqueViolation(error) ? new AddressTaken() : error;
    });
  if (updated.length === 0) throw new AddressTaken();
  await tx.query(
    sql`UPDATE account_tokens SET used_at = now() WHERE user_id = ${userId} AND used_at IS NULL`,
  );
  if (from === to) return;
  await tx.query(sql`UPDATE mails SET to_email = ${to}
    WHERE to_user_id = ${userId} AND kind = 'NOTIFICATION' AND state = 'WAITING' AND to_email = ${from}`);
  const memberships = await tx.prisma.membership.findMany({ where: { userId } });
  const organizationIds = memberships.map(({ organizationId }) => organizationId);
  await moveAssignments(tx, organizationIds, from, to);
  await recordEvents(
    actor,
    tx,
    organizationIds.map((organizationId) => ({
      organizationId,
      subjectId: userId,
      kind: 'member.updated',
      data: { before: { email: from }, after: { email: to } },
    })),
  );
}

/**
 * Takes an address from an account that never proved it, for who has: whoever registered it may have been somebody else, so
 * it loses every way to sign in too.
 */
export async function displaceUnverified(tx: Transaction, email: string, exceptUserId = ''): Promise<void> {
  const displaced = await tx.query<{ id: string }>(sql`UPDATE users SET email = id || '@unverified.invalid'
    WHERE email = ${email} AND email_verified_at IS NULL AND service_client_id IS NULL AND id <> ${exceptUserId} RETURNING id`);
  for (const { id } of displaced) await removeCredentials(tx, id);
}

/** SQLSTATE of a unique violation. */
const isUniqueViolation = (error: unknown): boolean => (error as { code?: unknown }).code === '23505';
