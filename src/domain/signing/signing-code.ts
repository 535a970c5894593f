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
 * Checks the access code of a signing. One conditional update counts the attempt before the code is compared, so that
 * concurrent requests get no extra attempts. Throws FORBIDDEN for a wrong code, RATE_LIMITED after codeTries within
 * codeWindow, CONFLICT after codeFailures in the lifetime of the link.
 */
export async function requireAccessCode(ctx: Context, signing: Signing, accessCode: string): Promise<void> {
  await countAttempt(ctx, signing);
  const isCorrect = await isAccessCode(accessCode, signing.codeHash ?? '');
  await inTransaction(ctx.db, async (tx) => {
    const kinds = isCorrect ? await acceptCode(tx, signing) : await refuseCode(ctx, tx, signing);
    await recordEvents(
      ctx,
      tx,
      kinds.map((kind) => signingEvent(ctx, signing, kind)),
    );
  });
  if (!isCorrect) throw forbidden('The access code is wrong.');
}

/** Counts the attempt as a failure; acceptCode subtracts it again. */
async function countAttempt({ db, limits }: Context, { id }: Signing): Promise<void> {
  const since = sql`now() - make_interval(secs => ${limits.codeWindow / SECOND})`;
  const counted = await inTransaction(db, (tx) =>
    tx.query(sql`UPDATE signature_recipients SET
        code_tries = CASE WHEN code_tries_from > ${since} THEN code_tries + 1 ELSE 1 END,
        code_tries_from = CASE WHEN code_tries_from > ${since} THEN code_tries_from ELSE now() END,
        code_failures = code_failures + 1
      WHERE id = ${id} AND code_locked_at IS NULL AND code_failures < ${limits.codeFailures}
      AND (code_tries < ${limits.codeTries} OR code_tries_from IS NULL OR code_tries_from <= ${since})
      RETURNING id`),
  );
  if (counted.length > 0) return;
  const [locked] = await db.query(sql`SELECT r.id FROM signature_recipients r
    WHERE r.id = ${id} AND (r.code_locked_at IS NOT NULL OR r.code_failures >= ${limits.codeFailures})`);
  if (locked) throw conflict(LOCKED);
  throw new DomainError('RATE_LIMITED', 'Too many access codes were tried; try again later.', {
    retryAfter: Math.ceil(limits.codeWindow / SECOND),
  });
}

/** Subtracts this one failure only, so that concurrent guesses gain nothing. Returns the kinds of events. */
async function acceptCode(tx: Transaction, { id }: Signing): Promise<string[]> {
  await tx.query(sql`UPDATE signature_recipients SET code_tries = 0, code_tries_from = NULL, code_passed_at = now(),
    code_failures = greatest(code_failures - 1, 0), code_locked_at = NULL WHERE id = ${id} RETURNING id`);
  return ['document.signatureCodeAccepted'];
}

/** Locks the link on the failure that reaches the limit. Returns the kinds of events. */
async function refuseCode({ limits }: Context, tx: Transaction, { id }: Signing): Promise<string[]> {
  const locked = await tx.query(sql`UPDATE signature_recipients SET code_locked_at = now()
    WHERE id = ${id} AND code_locked_at IS NULL AND code_failures >= ${limits.codeFailures} RETURNING id`);
  return ['document.signatureCodeRefused', ...(locked.length > 0 ? ['document.signatureCodeLocked'] : [])];
}
