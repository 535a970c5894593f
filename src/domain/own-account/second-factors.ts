import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { removeAuthenticatorApp } from '../accounts/authenticator-app.ts';
import { passkeyName, removePasskey, renamePasskey } from '../accounts/passkey.ts';
import { renewRecoveryCodes as renewCodes } from '../accounts/recovery-code.ts';
import { hasSecondFactor, secondFactorsOf } from '../accounts/second-factors.ts';
import { positionIn } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict, notFound } from '../kernel/errors.ts';
import { parse, requireBatchLimit } from '../kernel/input.ts';
import { freshSessionOf, type OwnSession, ownSessionOf } from './own-session.ts';

const renaming = z.strictObject({ passkeyId: z.string(), name: passkeyName });

/** Renames a passkey of the viewer. Throws NOT_FOUND for others, FORBIDDEN unless in a browser session. */
export async function renameOwnPasskey(ctx: Context, input: z.input<typeof renaming>): Promise<void> {
  const { db, viewer } = ownSessionOf(ctx);
  const { passkeyId: id, name } = parse(renaming, input);
  if (!(await renamePasskey(db, viewer.userId, { id, name }))) throw notFound('Passkey', 'passkeyId');
}

const removal = z.strictObject({
  passkeyIds: z.array(z.string()).nullish(),
  authenticatorApp: z.boolean().nullish(),
});

/**
 * Removes second factors of the viewer, all or none. Throws NOT_FOUND for those that they do not have, CONFLICT for the last
 * passkey of an account without a password, FORBIDDEN unless in a browser session with a proof within ten minutes.
 */
export async function removeSecondFactors(ctx: Context, input: z.input<typeof removal>): Promise<void> {
  const session = await freshSessionOf(ctx);
  const { passkeyIds, authenticatorApp } = parse(removal, input);
  const ids = passkeyIds ?? [];
  requireBatchLimit(ids, ctx.limits.batchMax, 'passkeyIds');
  if (ids.length === 0 && !authenticatorApp) throw badValue('passkeyIds', 'must not be empty');
  await inTransaction(session.db, async (tx) => {
    const owner = ownerOf(session);
    if (authenticatorApp && !(await removeAuthenticatorApp(tx, owner)))
      throw notFound('Authenticator app', 'authenticatorApp');
    for (const id of new Set(ids)) await removeOne(tx, owner, { id, at: positionIn('passkeyIds', ids)(id) });
  });
}

const ownerOf = ({ viewer: { userId, credentialId: signInId }, ipAddress }: OwnSession) => ({
  userId,
  signInId,
  ipAddress,
});

async function removeOne(
  tx: Transaction,
  owner: ReturnType<typeof ownerOf>,
  { id, at }: { id: string; at: string },
): Promise<void> {
  const result = await removePasskey(tx, { ...owner, id });
  if (result === 'missing') throw notFound('Passkey', at);
  if (result === 'needed')
    throw conflict('Your account has no password, and needs this passkey. Add another one first.');
}

const renewal = z.strictObject({ recoveryCodesLeft: z.int().nullish() });

/**
 * Replaces the recovery codes of the viewer; each is returned once. Throws CONFLICT without a second factor, and if another number
 * is left than the caller expects; FORBIDDEN unless in a browser session with a proof within ten minutes.
 */
export async function renewOwnRecoveryCodes(ctx: Context, input: z.input<typeof renewal>): Promise<string[]> {
  const { db, viewer, ipAddress } = await freshSessionOf(ctx);
  const { recoveryCodesLeft } = parse(renewal, input);
  const factors = await secondFactorsOf(db, viewer.userId);
  if (!hasSecondFactor(factors)) throw conflict('There are recovery codes beside a second factor only.');
  if (typeof recoveryCodesLeft === 'number' && recoveryCodesLeft !== factors.recoveryCodes)
    throw conflict(`${factors.recoveryCodes} recovery codes are left.`);
  return renewCodes(db, { userId: viewer.userId, ipAddress });
}
