import type { Transaction } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { useAuthenticatorCode } from '../domain/accounts/authenticator-app.ts';
import { findPendingSignIn, usePendingSignIn } from '../domain/accounts/pending-sign-in.ts';
import { useRecoveryCode } from '../domain/accounts/recovery-code.ts';
import type { Vault } from '../lib/seal.ts';
import { networkOf } from './client-address.ts';
import { type Limit, refundAll, takeFromAll } from './counted-limits.ts';
import type { PasskeyService } from './passkey.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { beginSession, type FirstFactor, type SessionService, type Visitor } from './session.ts';

export interface SecondFactorService extends SessionService, PasskeyService {
  vault: Vault;
  /** Of five minutes: it counts wrong codes of an account, and wrong second factors of a network. */
  codeRateLimiter: RateLimiter;
  /** Of a day: it counts wrong codes of an account. */
  dailyCodeRateLimiter: RateLimiter;
}

/** Wrong codes of an account within five minutes. They are counted after its password was right, so no stranger uses them up. */
const MAX_WRONG = 5;

/** The same within a day: as three of a million codes are valid at a time, the chance is 0.03 % a day. */
const MAX_WRONG_DAILY = 100;

/** Wrong second factors of a network within five minutes, for all accounts whose passwords are known there. */
const MAX_WRONG_OF_NETWORK = 30;

type Limiters = Pick<SecondFactorService, 'codeRateLimiter' | 'dailyCodeRateLimiter'>;

const limitsOf = (
  { codeRateLimiter, dailyCodeRateLimiter }: Limiters,
  userId: string,
  address: string,
): Limit[] => [
  ...networkLimits(codeRateLimiter, address),
  [codeRateLimiter, `code ${userId}`, MAX_WRONG],
  [dailyCodeRateLimiter, `code ${userId}`, MAX_WRONG_DAILY],
];

const networkLimits = (limiter: RateLimiter, address: string): Limit[] => [
  [limiter, `network ${networkOf(address)}`, MAX_WRONG_OF_NETWORK],
];

/** Runs an attempt with a passkey, which counts for the network unless `isRight`. Returns the ms to wait instead beyond the limit. */
export async function countForNetwork<Result>(
  { codeRateLimiter }: Pick<SecondFactorService, 'codeRateLimiter'>,
  address: string,
  attempt: () => Promise<Result>,
  isRight: (result: Result) => boolean,
): Promise<Result | { wait: number }> {
  const limits = networkLimits(codeRateLimiter, address);
  const wait = await takeFromAll(limits);
  if (wait > 0) return { wait };
  const result = await attempt();
  if (isRight(result)) await refundAll(limits);
  return result;
}

/** A code as it was typed. */
export interface TypedCode {
  kind: 'code' | 'recoveryCode';
  text: string;
}

/** `wait` is in ms. */
export type CodeFailure = { wrong: true } | { wait: number };

/**
 * Runs `next` in the transaction in which the code is used up. Wrong codes are counted. `next` returns undefined if its
 * own condition has ended: then the code stays usable.
 */
export async function withCode<Result>(
  { db, vault, ...limiters }: Pick<SecondFactorService, 'db' | 'vault'> & Limiters,
  { userId, address, ...code }: TypedCode & { userId: string; address: string },
  next: (tx: Transaction) => Promise<Result>,
): Promise<Result | CodeFailure> {
  const limits = limitsOf(limiters, userId, address);
  const wait = await takeFromAll(limits);
  if (wait > 0) return { wait };
  const result = await inTransaction(db, async (tx) => {
    if (!(await isRight(tx, vault, { userId, address, ...code }))) return undefined;
    return { done: await next(tx) };
  });
  if (!result) return { wrong: true };
  await refundAll(limits);
  return result.done;
}

const isRight = (
  tx: Transaction,
  vault: Vault,
  { kind, text, userId, address }: TypedCode & { userId: string; address: string },
): Promise<boolean> =>
  kind === 'code'
    ? useAuthenticatorCode(tx, vault, { userId, code: text.replace(/\s/g, '') })
    : useRecoveryCode(tx, { userId, ipAddress: address }, text);

export type PendingResult = { secret: string } | { ended: true } | CodeFailure;

class PendingEnded extends Error {}

/** Completes a pending sign-in with a code. `ended`: it was completed, or has expired; the code stays usable. */
export async function completeWithCode(
  service: SecondFactorService,
  { pending, kind, text, ...visitor }: TypedCode & Visitor & { pending: string },
): Promise<PendingResult> {
  const user = await findPendingSignIn(service.db, pending);
  if (!user) return { ended: true };
  const { userId } = user;
  const methods = [user.method as FirstFactor, kind];
  const attempt = { kind, text, userId, address: visitor.address };
  try {
    return await withCode(service, attempt, async (tx) => {
      // Thrown, so that the code is not used up.
      if (!(await usePendingSignIn(tx, pending))) throw new PendingEnded();
      return { secret: await beginSession(tx, service.limits, { userId, methods, ...visitor }) };
    });
  } catch (error) {
    if (error instanceof PendingEnded) return { ended: true };
    throw error;
  }
}
