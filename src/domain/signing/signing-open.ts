import { databaseTime } from '../../db/clock.ts';
import { HOUR } from '../../lib/time.ts';
import type { Context } from '../kernel/context.ts';
import { forbidden } from '../kernel/errors.ts';
import { requireSigning, type Signing, type SigningKey } from './signing.ts';
import { requireAccessCode } from './signing-code.ts';
import { isValidPass } from './signing-pass.ts';

/** A signing as its signer sees it: with `locked`, nothing of the document before the access code is given. */
export type OpenedSigning = Signing & { locked: boolean };

/** What opens a signing that asks for an access code: the code, or a pass that came of giving it. */
export interface SigningProof {
  accessCode?: string | null;
  pass?: string | null;
}

/** Throws as requireAccessCode does for a code that is not the right one. Without one, what asks for it stays locked. */
export async function openSigning(
  ctx: Context,
  { accessCode, pass, ...place }: SigningKey & SigningProof,
): Promise<OpenedSigning> {
  const signing = await requireSigning(ctx, place);
  if (signing.codeHash === null || isValidPass(ctx, signing.id, pass)) return { ...signing, locked: false };
  if (!accessCode) return { ...signing, locked: true };
  await requireAccessCode(ctx, signing, accessCode);
  return { ...signing, locked: false };
}

/** How long a code that was given opens the signing to the signature itself, which some clients send without it. */
const CODE_COUNTS = HOUR;

export async function requireUnlocked(
  ctx: Context,
  signing: Signing,
  { accessCode, pass }: SigningProof,
): Promise<void> {
  if (signing.codeHash === null || isValidPass(ctx, signing.id, pass)) return;
  if (accessCode) return requireAccessCode(ctx, signing, accessCode);
  if (!signing.codePassedAt || signing.codePassedAt < (await databaseTime(ctx.db, -CODE_COUNTS)))
    throw forbidden('This takes the access code.');
}
