import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createAccount } from './account-creation.ts';
import { linkIdentity, useIdentity } from './external-identity.ts';
import type { ProviderSubject } from './sign-up-link.ts';

export interface ProviderPerson extends ProviderSubject {
  email: string | undefined;
  name: string;
  /** The provider vouches for the address, and the operator trusts it with that. */
  isProved: boolean;
  /** Who gets an account. */
  creates: 'invited' | 'open' | 'off';
  ipAddress: string;
}

/** `ask`: the address proves nothing, so the person says which account is theirs. */
export type IdentityAccount = { userId: string } | { refused: 'disabled' | 'notInvited' | 'ask' };

/**
 * The account of a person at an identity provider: the one of the identity; with a proved address the one of the address,
 * which is connected, or a new one.
 */
export const accountOfIdentity = (db: Database, person: ProviderPerson): Promise<IdentityAccount> =>
  inTransaction(db, async (tx) => {
    const { email, isProved } = person;
    const own = await useIdentity(tx, person, email ?? null);
    if (own) return own.isDisabled ? { refused: 'disabled' } : { userId: own.userId };
    if (!email || !isProved) return { refused: 'ask' };
    const account = await ownerOf(tx, email);
    if (account?.isDisabled) return { refused: 'disabled' };
    if (!account && !(await mayCreate(tx, person.creates, email))) return { refused: 'notInvited' };
    const { name, ipAddress, issuer, subject } = person;
    // The second look-up finds the account that another request created at this moment.
    const userId =
      account?.userId ??
      (await createAccount(tx, { email, name, passwordHash: null, ipAddress })) ??
      (await ownerOf(tx, email))?.userId;
    if (!userId) return { refused: 'ask' };
    await linkIdentity(tx, { userId, issuer, subject, email, ipAddress });
    return { userId };
  });

async function ownerOf(
  tx: Transaction,
  email: string,
): Promise<{ userId: string; isDisabled: boolean } | undefined> {
  const [owner] = await tx.query<{ userId: string; isDisabled: boolean }>(
    sql`SELECT u.id AS user_id, u.disabled_at IS NOT NULL AS is_disabled FROM users u
      WHERE u.email = ${email} AND u.email_verified_at IS NOT NULL FOR NO KEY UPDATE`,
  );
  return owner;
}

/** Whether a person with this address, who has no account, gets one. */
export async function mayCreate(
  tx: Pick<Transaction, 'query'>,
  creates: ProviderPerson['creates'],
  email: string,
): Promise<boolean> {
  if (creates !== 'invited') return creates === 'open';
  const invited = await tx.query(
    sql`SELECT i.id FROM invitations i WHERE i.email = ${email} AND i.expires_at > now() LIMIT 1`,
  );
  return invited.length > 0;
}
