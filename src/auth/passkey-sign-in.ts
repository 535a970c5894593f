import { inTransaction } from '../db/transaction.ts';
import { usePasskey } from '../domain/accounts/passkey.ts';
import { findPendingSignIn, usePendingSignIn } from '../domain/accounts/pending-sign-in.ts';
import { completeWithin } from './complete-sign-in.ts';
import { type PasskeyService, verifyAnswer } from './passkey.ts';
import { beginSession, type FirstFactor, type SessionService, type Visitor } from './session.ts';

/** `refused`: the answer is not valid, or was used already. */
export type PasskeySignIn = { secret: string } | { refused: true };

class Refused extends Error {}

/** The result of a transaction that is undone when it throws Refused. */
const unlessRefused = <Result>(work: Promise<Result>): Promise<Result | { refused: true }> =>
  work.catch((error) => {
    if (error instanceof Refused) return { refused: true };
    throw error;
  });

interface Answer extends Visitor {
  /** As the browser sends it, in JSON. */
  answer: string;
}

/** Signs in with a passkey alone, which has to verify the person. `browser`: the secret to which its challenge is bound. */
export async function signInWithPasskey(
  service: SessionService & PasskeyService,
  { browser, answer, ...visitor }: Answer & { browser: string },
): Promise<PasskeySignIn> {
  const use = { purpose: 'SIGN_IN', boundTo: browser } as const;
  const verified = await verifyAnswer(service, answer, use);
  if (!verified) return { refused: true };
  const { userId } = verified;
  return inTransaction(service.db, async (tx) => {
    if (!(await usePasskey(tx, verified, use))) return { refused: true };
    const completion = await completeWithin(tx, service, { userId, method: 'passkey', ...visitor });
    return 'secret' in completion ? completion : { refused: true };
  });
}

/** Completes a pending sign-in with a passkey of its user. */
export async function completeWithPasskey(
  service: SessionService & PasskeyService,
  { pending, answer, ...visitor }: Answer & { pending: string },
): Promise<PasskeySignIn> {
  const use = { purpose: 'SECOND_FACTOR', boundTo: pending } as const;
  const user = await findPendingSignIn(service.db, pending);
  const verified = user && (await verifyAnswer(service, answer, use));
  if (!verified || verified.userId !== user.userId) return { refused: true };
  const methods = [user.method as FirstFactor, 'passkey' as const];
  const session = { userId: user.userId, methods, ...visitor };
  return unlessRefused(
    inTransaction(service.db, async (tx) => {
      if (!(await usePasskey(tx, verified, use)) || !(await usePendingSignIn(tx, pending)))
        throw new Refused();
      return { secret: await beginSession(tx, service.limits, session) };
    }),
  );
}
