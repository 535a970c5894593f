import { databaseTime } from '../../db/clock.ts';
import type { Database, Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { User } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { HOUR } from '../../lib/time.ts';
import { queueMails } from '../mails/queue-mail.ts';
import { removeCredentials } from './credential-removal.ts';
import { setPassword } from './password.ts';

type Owner = Pick<User, 'id' | 'email' | 'name'> & { isVerified: boolean };

const ownerColumns = sql`u.id, u.email, u.name, u.email_verified_at IS NOT NULL AS is_verified`;

/**
 * Queues a mail with a link to a new password. The address is looked up when the mail is written: here, an unknown address
 * takes the same time.
 */
export const requestPasswordReset = (db: Database, email: string): Promise<void> =>
  inTransaction(db, (tx) => queueMails(tx, [{ kind: 'PASSWORD_RESET', to: email, organizationId: null }]));

/** A new link for the account with this address, for an hour; undefined without an account that can sign in. */
export async function newResetSecret(
  db: Database,
  email: string,
): Promise<{ secret: string; name: string; issuer: string | null } | undefined> {
  const [owner] = await db.query<Owner>(
    sql`SELECT ${ownerColumns} FROM users u WHERE u.email = ${email} AND u.disabled_at IS NULL AND u.service_client_id IS NULL`,
  );
  if (!owner) return undefined;
  const secret = newSecret('dgl_');
  const expiresAt = await databaseTime(db, HOUR);
  await db.prisma.accountToken.create({
    data: { id: newId('AccountToken'), userId: owner.id, secretHash: hashSecret(secret), expiresAt },
  });
  return { secret, name: owner.name, issuer: await soleIssuerOf(db, owner.id) };
}

/** The identity provider with which the owner of an account without a password signs in. */
async function soleIssuerOf(reader: Reader, userId: string): Promise<string | null> {
  const [identity] = await reader.query<{ issuer: string }>(sql`SELECT x.issuer FROM external_identities x
    JOIN users u ON u.id = x.user_id WHERE u.id = ${userId} AND u.password_hash IS NULL ORDER BY x.id LIMIT 1`);
  return identity?.issuer ?? null;
}

/** The owner of a link that can still be used. */
export async function ownerOfResetLink(reader: Reader, secret: string): Promise<Owner | undefined> {
  const [owner] = await reader.query<Owner>(sql`SELECT ${ownerColumns}
    FROM account_tokens t JOIN users u ON u.id = t.user_id
    WHERE t.secret_hash = ${hashSecret(secret)} AND t.used_at IS NULL AND t.expires_at > now() AND u.disabled_at IS NULL`);
  return owner;
}

/**
 * Sets the password by a link, which ends with it, as do all others of the account. An
 * account that never proved its address loses all other credentials: somebody else may have set them up. False for a link that has ended.
 */
export const resetPassword = (
  db: Database,
  { secret, ...change }: { secret: string; passwordHash: string; ipAddress: string | null },
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const owner = await ownerOfResetLink(tx, secret);
    if (!owner) return false;
    // Two links of one account that are used at once take turns.
    await tx.query(sql`SELECT u.id FROM users u WHERE u.id = ${owner.id} FOR UPDATE`);
    const used = await tx.query(sql`UPDATE account_tokens SET used_at = now()
      WHERE secret_hash = ${hashSecret(secret)} AND used_at IS NULL AND expires_at > now() RETURNING id`);
    if (used.length === 0) return false;
    if (!owner.isVerified) await removeCredentials(tx, owner.id);
    await setPassword(tx, { ...change, userId: owner.id, email: owner.email, kind: 'password.reset' });
    // The link was mailed, so it proves the address.
    await tx.query(
      sql`UPDATE users SET email_verified_at = coalesce(email_verified_at, now()) WHERE id = ${owner.id}`,
    );
    return true;
  });
