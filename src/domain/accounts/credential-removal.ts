import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { revokeGrants } from '../oauth/grant-end.ts';
import { endPendingSignIns } from './pending-sign-in.ts';
import { endSignIns } from './sign-in-list.ts';

/** Removes every credential of an account: whoever set them up is not its owner. */
export async function removeCredentials(tx: Transaction, userId: string): Promise<void> {
  await tx.query(sql`UPDATE users SET password_hash = NULL WHERE id = ${userId}`);
  await tx.query(
    sql`UPDATE account_tokens SET used_at = now() WHERE user_id = ${userId} AND used_at IS NULL`,
  );
  await tx.query(
    sql`UPDATE api_keys SET revoked_at = now() WHERE user_id = ${userId} AND revoked_at IS NULL`,
  );
  await tx.prisma.authenticatorApp.deleteMany({ where: { userId } });
  await tx.prisma.externalIdentity.deleteMany({ where: { userId } });
  await tx.prisma.passkey.deleteMany({ where: { userId } });
  await tx.prisma.recoveryCode.deleteMany({ where: { userId } });
  await endPendingSignIns(tx, userId);
  await endSignIns(tx, userId, () => sql`true`);
  await revokeGrants(tx, (grants) => sql`${grants}.user_id = ${userId}`, 'password_changed');
}
