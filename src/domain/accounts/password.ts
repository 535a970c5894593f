import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { queueMails } from '../mails/queue-mail.ts';
import { revokeGrants } from '../oauth/grant-end.ts';
import { recordSecurityEvents } from '../users/security-event.ts';
import { endPendingSignIns } from './pending-sign-in.ts';
import { endSignIns } from './sign-in-list.ts';

/** How a password came to be changed: by its owner with the one before, with a mailed link, or on the command line. */
export type PasswordChange = 'password.changed' | 'password.reset' | 'password.setByAdministrator';

export interface NewPassword {
  userId: string;
  email: string;
  passwordHash: string;
  kind: PasswordChange;
  ipAddress: string | null;
  /** The sign-ins that go on. Without it, all end, and so do authorizations of applications. */
  kept?: (signIns: Rows<'sign_ins'>) => Sql;
}

/** Sets the password of an account, ends other sign-ins and links to a new password, and tells the owner by mail. */
export async function setPassword(
  tx: Transaction,
  { userId, email, passwordHash, kind, ipAddress, kept }: NewPassword,
): Promise<void> {
  await tx.prisma.user.update({ where: { id: userId }, data: { passwordHash } });
  await endSignIns(tx, userId, (signIns) => (kept ? sql`NOT (${kept(signIns)})` : sql`true`));
  await tx.query(
    sql`UPDATE account_tokens SET used_at = now() WHERE user_id = ${userId} AND used_at IS NULL`,
  );
  await endPendingSignIns(tx, userId);
  if (!kept) await revokeGrants(tx, (grants) => sql`${grants}.user_id = ${userId}`, 'password_changed');
  await recordSecurityEvents(tx, [{ userId, kind, ipAddress }]);
  await queueMails(tx, [
    {
      kind: 'PASSWORD_CHANGED',
      to: email,
      toUserId: userId,
      organizationId: null,
      data: { kind, ipAddress },
    },
  ]);
}
