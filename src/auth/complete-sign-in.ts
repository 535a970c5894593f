import type { Transaction } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { beginPendingSignIn } from '../domain/accounts/pending-sign-in.ts';
import { hasSecondFactor, secondFactorsOf } from '../domain/accounts/second-factors.ts';
import { beginSession, type FirstFactor, type SessionService, type Visitor } from './session.ts';

/** What a person has proved: `passkey` only if the passkey verified the person, which counts as two factors. */
export interface Proof extends Visitor {
  userId: string;
  method: FirstFactor;
}

/** `secret`: of a session. `pending`: of a sign-in that a second factor has to complete. */
export type Completion = { secret: string } | { pending: string };

/**
 * Finishes a sign-in, or leaves it pending if the account has a second factor. Every way to sign in to an existing
 * account ends here; the caller has checked that the account is not disabled.
 */
export const completeSignIn = (service: SessionService, proof: Proof): Promise<Completion> =>
  inTransaction(service.db, (tx) => completeWithin(tx, service, proof));

/** The same within a transaction. */
export async function completeWithin(
  tx: Transaction,
  { limits }: Pick<SessionService, 'limits'>,
  { userId, method, ...visitor }: Proof,
): Promise<Completion> {
  const isComplete = method === 'passkey' || !hasSecondFactor(await secondFactorsOf(tx, userId));
  if (isComplete)
    return { secret: await beginSession(tx, limits, { userId, methods: [method], ...visitor }) };
  return { pending: await beginPendingSignIn(tx, { userId, method }) };
}
