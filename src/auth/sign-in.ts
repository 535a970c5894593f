import { nowPlus } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { sql } from '../db/sql/sql.ts';
import { SIGN_IN_RETENTION } from '../domain/oauth/token-sweep.ts';
import { networkOf } from './client-address.ts';
import { type Completion, completeSignIn } from './complete-sign-in.ts';
import { type Limit, refundAll, takeFromAll } from './counted-limits.ts';
import { verifyPassword } from './password.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Visitor } from './session.ts';

export interface SignInService {
  db: Database;
  rateLimiter: RateLimiter;
  limits: {
    /** Lifetime of a session in ms. */
    signIn: number;
    /** Attempts for one account from one network, from one network for all accounts, for one account from all networks. */
    signInTries: number;
    signInTriesAddress: number;
    signInTriesAccount: number;
  };
}

export interface SignInAttempt extends Visitor {
  email: string;
  password: string;
}

/** `wrong` does not say which of e-mail address and password is wrong; `wait` is in ms. */
export type SignInResult = Completion | { wrong: true } | { wait: number };

interface Account {
  id: string;
  passwordHash: string | null;
  addresses: string[];
}

/** Signs a browser in, or leaves that to a second factor. Attempts are counted before the password is checked, and refunded if it is correct. */
export async function signIn(service: SignInService, attempt: SignInAttempt): Promise<SignInResult> {
  const { limits, rateLimiter } = service;
  const network = networkOf(attempt.address);
  const networkLimits: Limit[] = [
    [rateLimiter, `address ${network}`, limits.signInTriesAddress],
    [rateLimiter, `both ${network} ${attempt.email}`, limits.signInTries],
  ];
  const networkWait = await takeFromAll(networkLimits);
  if (networkWait > 0) return { wait: networkWait };
  const account = await findAccount(service.db, attempt.email);
  // Failures from elsewhere exhaust an account's limit, but not for networks from which its owner has signed in.
  const isKnownNetwork = account?.addresses.some((address) => networkOf(address) === network) ?? false;
  const accountLimits: Limit[] = isKnownNetwork
    ? []
    : [[rateLimiter, `account ${attempt.email}`, limits.signInTriesAccount]];
  const wait = await takeFromAll(accountLimits);
  if (wait > 0) {
    await refundAll(networkLimits);
    return { wait };
  }
  const isCorrect = await verifyPassword(attempt.password, account?.passwordHash ?? null);
  if (!isCorrect || !account) return { wrong: true };
  await refundAll([...networkLimits, ...accountLimits]);
  const { email: _, password: __, ...visitor } = attempt;
  return completeSignIn(service, { userId: account.id, method: 'password', ...visitor });
}

/** One statement, whether or not the account exists; a disabled account counts as none. */
async function findAccount(db: Database, email: string): Promise<Account | undefined> {
  const [account] = await db.query<Account>(sql`
    SELECT u.id, u.password_hash, ARRAY(
      SELECT DISTINCT s.ip_address FROM sign_ins s WHERE s.user_id = u.id AND s.created_at > ${nowPlus(-SIGN_IN_RETENTION)}
    ) AS addresses
    FROM users u WHERE u.email = ${email} AND u.disabled_at IS NULL`);
  return account;
}
