import { randomBytes } from 'node:crypto';
import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { hashSecret } from '../../lib/secret.ts';
import { base32 } from './base32.ts';
import { type FactorOwner, lockFactors, recordFactorChange } from './factor-change.ts';

const COUNT = 10;

/** 128 random bits in groups of characters: `abcde-fghij-…`. They need neither a salt nor a slow hash. */
const newCode = (): string =>
  base32(randomBytes(16))
    .toLowerCase()
    .replace(/.{5}(?=.{5})/g, '$&-');

/** As it is hashed: without what people type differently. Base32 has neither 0, 1 nor 8. */
const normalized = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('8', 'b');

const hashOf = (code: string) => hashSecret(normalized(code));

/** Replaces the recovery codes of an account by ten new ones, which are returned once. */
export async function newRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode);
  await tx.prisma.recoveryCode.deleteMany({ where: { userId } });
  await tx.prisma.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, secretHash: hashOf(code) })),
  });
  return codes;
}

/** The same at the owner's wish, who is notified by mail. */
export const renewRecoveryCodes = (db: Database, owner: FactorOwner): Promise<string[]> =>
  inTransaction(db, async (tx) => {
    await lockFactors(tx, owner.userId);
    await recordFactorChange(tx, { ...owner, kind: 'recoveryCodes.renewed' });
    return newRecoveryCodes(tx, owner.userId);
  });

/** Whether the text is an unused recovery code of the account, which is used up by this. The owner is notified by mail. */
export async function useRecoveryCode(tx: Transaction, owner: FactorOwner, text: string): Promise<boolean> {
  const used = await tx.query(sql`UPDATE recovery_codes SET used_at = now()
    WHERE secret_hash = ${hashOf(text)} AND user_id = ${owner.userId} AND used_at IS NULL RETURNING user_id`);
  if (used.length === 0) return false;
  const left = await tx.prisma.recoveryCode.count({ where: { userId: owner.userId, usedAt: null } });
  await recordFactorChange(tx, { ...owner, kind: 'recoveryCode.used', data: { left } });
  return true;
}
