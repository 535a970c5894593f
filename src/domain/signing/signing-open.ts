import { databaseTime } from '../../db/clock.ts';
import { HOUR } from '../../lib/time.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden } from '../kernel/errors.ts';
import { requireSigning, type Signing, type SigningKey } from './signing.ts';
import { requireAccessCode } from './signing-code.ts';
import { isValidPass } from './signing-pass.ts';

/** A signing as shown to its signer. locked: the access code is missing, and nothing of the document may be shown. */
export type OpenedSigning = Signing & { locked: boolean };

/** Unlocks a signing with an access code: the code, or a pass issued after a correct code. */
export interface SigningProof {
  accessCode?: string | null;
  pass?: string | null;
}

/**
 * Returns the signing, locked if it requires a code and neither code nor pass is given. Throws as requireSigning and
 * requireAccessCode.
 */
export async function openSigning(
  ctx: Context,
  { accessCode, pass, ...key }: SigningKey & SigningProof,
): Promise<OpenedSigning> {
  const signing = await requireSigning(ctx, key);
  if (signing.codeHash === null || isValidPass(ctx, signing.id, pass)) return { ...signing, locked: false };
  if (!accessCode) return { ...signing, locked: true };
  await requireAccessCode(ctx, signing, accessCode);
  return { ...signing, locked: false };
}

/**
 * Milliseconds after a correct code in which the signature itself, which some clients send without the code, is
 * accepted.
 */
const CODE_LIFETIME = HOUR;

/** Throws FORBIDDEN unless the signing requires no code, or there is the code, a pass or a recent correct code. */
export async function requireUnlocked(
  ctx: Context,
  signing: Signing,
  { accessCode, pass }: SigningProof,
): Promise<void> {
  if (signing.codeHash === null || isValidPass(ctx, signing.id, pass)) return;
  if (accessCode) return requireAccessCode(ctx, signing, accessCode);
  if (!signing.codePassedAt || signing.codePassedAt < (await databaseTime(ctx.db, -CODE_LIFETIME)))
    throw forbidden('This takes the access code.');
}
