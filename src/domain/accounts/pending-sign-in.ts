import { databaseTime } from '../../db/clock.ts';
import type { Reader, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { PendingSignIn } from '../../generated/prisma/client.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { MINUTE } from '../../lib/time.ts';

/** How long the second factor may take. */
export const PENDING_LIFETIME = 10 * MINUTE;

/** Whose sign-in it is, and what was proved: `method`. */
export type PendingUser = Pick<PendingSignIn, 'userId' | 'method'>;

/** Begins a sign-in that a second factor has to complete, and returns its secret. */
export async function beginPendingSignIn(tx: Transaction, pending: PendingUser): Promise<string> {
  const secret = newSecret('dgi_');
  const expiresAt = await databaseTime(tx, PENDING_LIFETIME);
  await tx.prisma.pendingSignIn.create({ data: { ...pending, secretHash: hashSecret(secret), expiresAt } });
  return secret;
}

const live = (secret: string) =>
  sql`p.secret_hash = ${hashSecret(secret)} AND p.used_at IS NULL AND p.expires_at > now()`;

/** The user of a pending sign-in that can still be completed. */
export async function findPendingSignIn(reader: Reader, secret: string): Promise<PendingUser | undefined> {
  const [pending] = await reader.query<PendingUser>(sql`SELECT p.user_id, p.method FROM pending_sign_ins p
    JOIN users u ON u.id = p.user_id WHERE ${live(secret)} AND u.disabled_at IS NULL`);
  return pending;
}

/** Completes a pending sign-in, once: false if it has ended. */
export async function usePendingSignIn(tx: Transaction, secret: string): Promise<boolean> {
  const used = await tx.query(
    sql`UPDATE pending_sign_ins p SET used_at = now() WHERE ${live(secret)} RETURNING p.user_id`,
  );
  return used.length === 1;
}

/** Ends the pending sign-ins of an account. */
export const endPendingSignIns = (tx: Transaction, userId: string): Promise<unknown> =>
  tx.query(sql`UPDATE pending_sign_ins SET used_at = now() WHERE user_id = ${userId} AND used_at IS NULL`);
