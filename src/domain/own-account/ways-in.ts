import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { unlinkIdentity } from '../accounts/external-identity.ts';
import { endSignIns, signInsOf } from '../accounts/sign-in-list.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { freshSessionOf, ownSessionOf } from './own-session.ts';

const ending = z.strictObject({ signInIds: z.array(z.string()).nullish() });

/**
 * Ends sign-ins of the viewer, all or none; without ids, all but the one of this request. Returns how many have ended. Throws
 * NOT_FOUND for ids of others and of sign-ins that have ended, FORBIDDEN unless in a browser session.
 */
export async function endOwnSignIns(ctx: Context, input: z.input<typeof ending>): Promise<number> {
  const { db, viewer } = ownSessionOf(ctx);
  const { userId, credentialId } = viewer;
  const { signInIds } = parse(ending, input);
  if (!signInIds)
    return inTransaction(db, (tx) =>
      endSignIns(tx, userId, (signIns) => sql`${signIns}.id <> ${credentialId}`),
    );
  requireBatchSize(signInIds, ctx.limits.batchMax, 'signInIds');
  const ids = [...new Set(signInIds)];
  return inTransaction(db, async (tx) => {
    requireFound('Sign-in', ids, await signInsOf(tx, userId), positionIn('signInIds', signInIds));
    return endSignIns(tx, userId, (signIns) => sql`${signIns}.id ${sql.any(ids)}`);
  });
}

const unlinking = z.strictObject({ identityIds: z.array(z.string()) });

/**
 * Disconnects identities of the viewer, all or none. Throws NOT_FOUND for others, CONFLICT for the only way to sign in, FORBIDDEN
 * unless in a browser session with a proof within ten minutes.
 */
export async function unlinkIdentities(ctx: Context, input: z.input<typeof unlinking>): Promise<void> {
  const { db, viewer, ipAddress } = await freshSessionOf(ctx);
  const { identityIds } = parse(unlinking, input);
  requireBatchSize(identityIds, ctx.limits.batchMax, 'identityIds');
  await inTransaction(db, async (tx) => {
    for (const id of new Set(identityIds)) {
      const result = await unlinkIdentity(tx, { id, userId: viewer.userId, ipAddress });
      if (result === 'missing') throw notFound('Identity', positionIn('identityIds', identityIds)(id));
      if (result === 'lastWayIn') throw conflict('It is your only way to sign in. Set a password first.');
    }
  });
}
