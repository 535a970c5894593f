import { databaseTime } from '../../db/clock.ts';
import type { Database, Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { recordSecurityEvents } from '../users/security-event.ts';
import { displaceUnverified } from './email-owner.ts';
import { linkIdentity } from './external-identity.ts';
import { consumeSignUp } from './sign-up-link.ts';

/** Whether an address has an account, disabled ones included. One that never proved the address does not count. */
export const hasVerifiedAccount = async (reader: Reader, email: string): Promise<boolean> =>
  (
    await reader.query(
      sql`SELECT u.id FROM users u WHERE u.email = ${email} AND u.email_verified_at IS NOT NULL`,
    )
  ).length > 0;

export interface NewAccount {
  name: string;
  /** Null for a person who signs in with an identity provider alone. */
  passwordHash: string | null;
  ipAddress: string;
}

/**
 * Creates the account of a person who has proved to read the mails to the address, and returns its id. Undefined if the
 * address has an account by now.
 */
export async function createAccount(
  tx: Transaction,
  { email, ipAddress, ...account }: NewAccount & { email: string },
): Promise<string | undefined> {
  await displaceUnverified(tx, email);
  const id = newId('User');
  const data = [{ id, email, emailVerifiedAt: await databaseTime(tx), ...account }];
  const { count } = await tx.prisma.user.createMany({ data, skipDuplicates: true });
  if (count === 0) return undefined;
  await recordSecurityEvents(tx, [{ userId: id, kind: 'account.created', ipAddress }]);
  return id;
}

/** Creates the account of an invited person. Undefined also if the invitation has ended. */
export const createInvitedAccount = (
  db: Database,
  invitationId: string,
  account: NewAccount,
): Promise<string | undefined> =>
  inTransaction(db, async (tx) => {
    const [invitation] = await tx.query<{ email: string }>(
      sql`SELECT i.email FROM invitations i WHERE i.id = ${invitationId} AND i.expires_at > now() FOR SHARE`,
    );
    return invitation && createAccount(tx, { ...account, email: invitation.email });
  });

/** Creates the account of a person who has followed the link in the mail, which ends. Undefined also if it has ended. */
export const createAccountBySignUp = (
  db: Database,
  signUpId: string,
  account: NewAccount,
): Promise<string | undefined> =>
  inTransaction(db, async (tx) => {
    const signUp = await consumeSignUp(tx, signUpId);
    if (!signUp) return undefined;
    const { email, issuer, subject } = signUp;
    const userId = await createAccount(tx, { ...account, email });
    if (userId && issuer && subject)
      await linkIdentity(tx, { userId, issuer, subject, email, ipAddress: account.ipAddress });
    return userId;
  });
