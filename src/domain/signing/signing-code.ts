import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { SECOND } from '../../lib/time.ts';
import { recordEvents } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { conflict, DomainError, forbidden } from '../kernel/errors.ts';
import { isAccessCode } from '../signatures/access-code.ts';
import { type Signing, signingEvent } from './signing.ts';

const LOCKED = 'Too many wrong access codes were given for this link. Ask the sender for a new one.';

/**
 * A try is taken before the code is looked at: by one update that counts, so that no number of requests at once, to
 * however many processes, gets more of them. Throws FORBIDDEN for a wrong code, RATE_LIMITED after too many of them
 * within a while, CONFLICT after too many in the life of the link.
 */
export async function requireAccessCode(ctx: Context, signing: Signing, accessCode: string): Promise<void> {
  await takeTry(ctx, signing);
  const right = await isAccessCode(accessCode, signing.codeHash ?? '');
  await inTransaction(ctx.db, async (tx) => {
    const kinds = right ? await accept(tx, signing) : await refuse(ctx, tx, signing);
    await recordEvents(
      ctx,
      tx,
      kinds.map((kind) => signingEvent(ctx, signing, kind)),
    );
  });
  if (!right) throw forbidden('The access code is wrong.');
}

/** Counts as a wrong code until it is known to be right. */
async function takeTry({ db, limits }: Context, { id }: Signing): Promise<void> {
  const since = sql`now() - make_interval(secs => ${limits.codeWindow / SECOND})`;
  const taken = await inTransaction(db, (tx) =>
    tx.query(sql`UPDATE signature_recipients SET
        code_tries = CASE WHEN code_tries_from > ${since} THEN code_tries + 1 ELSE 1 END,
        code_tries_from = CASE WHEN code_tries_from > ${since} THEN code_tries_from ELSE now() END,
        code_failures = code_failures + 1
      WHERE id = ${id} AND code_locked_at IS NULL AND code_failures < ${limits.codeFailures}
      AND (code_tries < ${limits.codeTries} OR code_tries_from IS NULL OR code_tries_from <= ${since})
      RETURNING id`),
  );
  if (taken.length > 0) return;
  const [locked] = await db.query(sql`SELECT r.id FROM signature_recipients r
    WHERE r.id = ${id} AND (r.code_locked_at IS NOT NULL OR r.code_failures >= ${limits.codeFailures})`);
  if (locked) throw conflict(LOCKED);
  throw new DomainError('RATE_LIMITED', 'Too many access codes were tried; try again later.', {
    retryAfter: Math.ceil(limits.codeWindow / SECOND),
  });
}

/** Takes this try back, and no other: whoever guesses beside the signer gains nothing by their success. */
async function accept(tx: Transaction, { id }: Signing): Promise<string[]> {
  await tx.query(sql`UPDATE signature_recipients SET code_tries = 0, code_tries_from = NULL, code_passed_at = now(),
    code_failures = greatest(code_failures - 1, 0), code_locked_at = NULL WHERE id = ${id} RETURNING id`);
  return ['document.signatureCodeAccepted'];
}

/** The failure that reaches the limit locks the link, and is the one to say so. */
async function refuse({ limits }: Context, tx: Transaction, { id }: Signing): Promise<string[]> {
  const locked = await tx.query(sql`UPDATE signature_recipients SET code_locked_at = now()
    WHERE id = ${id} AND code_locked_at IS NULL AND code_failures >= ${limits.codeFailures} RETURNING id`);
  return ['document.signatureCodeRefused', ...(locked.length > 0 ? ['document.signatureCodeLocked'] : [])];
}
