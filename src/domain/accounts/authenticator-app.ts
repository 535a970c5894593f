import { databaseTime } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Vault } from '../../lib/seal.ts';
import { type FactorOwner, lockFactors, recordFactorChange, requireNewProof } from './factor-change.ts';
import { newRecoveryCodes } from './recovery-code.ts';
import { dropUnneededRecoveryCodes, hasSecondFactor, secondFactorsOf } from './second-factors.ts';
import { matchingTotpStep } from './totp.ts';

/** A seed as it is sealed: base64url. */
const encode = (seed: Uint8Array): string => Buffer.from(seed).toString('base64url');
const decode = (text: string): Uint8Array => Buffer.from(text, 'base64url');

export interface NewAuthenticatorApp extends FactorOwner {
  seed: Uint8Array;
  /** The code that the app shows. */
  code: string;
  /** The sign-in in which it is added. */
  signInId: string;
}

/** `exists`: the account has an app already. `recoveryCodes`: null if the account had a second factor before. */
export type AppResult = { recoveryCodes: string[] | null } | { wrong: true } | { exists: true };

/** Adds an authenticator app once it shows the right code. With the first second factor there are recovery codes, returned once. */
export const addAuthenticatorApp = (
  db: Database,
  vault: Vault,
  { seed, code, signInId, ...owner }: NewAuthenticatorApp,
): Promise<AppResult> =>
  inTransaction(db, async (tx) => {
    const { userId } = owner;
    await lockFactors(tx, userId);
    const before = await secondFactorsOf(tx, userId);
    if (before.hasAuthenticatorApp) return { exists: true };
    const time = (await databaseTime(tx)).getTime();
    const step = matchingTotpStep(seed, { code, time, after: 0 });
    if (step === undefined) return { wrong: true };
    const data = { userId, seed: vault.seal(encode(seed), userId), lastStep: BigInt(step) };
    await tx.prisma.authenticatorApp.create({ data });
    await requireNewProof(tx, userId, (signIns) => sql`${signIns}.id = ${signInId}`);
    await recordFactorChange(tx, { ...owner, kind: 'authenticatorApp.added' });
    return { recoveryCodes: hasSecondFactor(before) ? null : await newRecoveryCodes(tx, userId) };
  });

/** Whether the code is right, and later than the last one: a code is used up by this. */
export async function useAuthenticatorCode(
  tx: Transaction,
  vault: Vault,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const app = await tx.prisma.authenticatorApp.findUnique({ where: { userId } });
  if (!app) return false;
  const time = (await databaseTime(tx)).getTime();
  const seed = decode(vault.open(app.seed, userId));
  const step = matchingTotpStep(seed, { code, time, after: Number(app.lastStep) });
  if (step === undefined) return false;
  const { count } = await tx.prisma.authenticatorApp.updateMany({
    where: { userId, seed: app.seed, lastStep: { lt: BigInt(step) } },
    data: { lastStep: BigInt(step) },
  });
  return count === 1;
}

/** Removes the app, and recovery codes that no other factor needs. False if there is none. */
export async function removeAuthenticatorApp(
  tx: Transaction,
  { signInId, ...owner }: FactorOwner & { signInId: string },
): Promise<boolean> {
  const { userId } = owner;
  await lockFactors(tx, userId);
  const { count } = await tx.prisma.authenticatorApp.deleteMany({ where: { userId } });
  if (count === 0) return false;
  await dropUnneededRecoveryCodes(tx, userId);
  await requireNewProof(tx, userId, (signIns) => sql`${signIns}.id = ${signInId}`);
  await recordFactorChange(tx, { ...owner, kind: 'authenticatorApp.removed' });
  return true;
}
