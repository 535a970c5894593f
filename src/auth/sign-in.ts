import { databaseTime, nowPlus } from '../db/clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { sql } from '../db/sql/sql.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Viewer } from '../domain/kernel/viewer.ts';
import { SIGN_IN_RETENTION } from '../domain/oauth/token-sweep.ts';
import { newId } from '../lib/id.ts';
import { hashSecret, newSecret } from '../lib/secret.ts';
import { viewerOfSignIn } from './bearer.ts';
import { networkOf } from './client-address.ts';
import { verifyPassword } from './password.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { SessionCookie } from './session-cookie.ts';

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

export interface SignInAttempt {
  email: string;
  password: string;
  address: string;
  userAgent: string;
}

/** `wrong` does not say which of e-mail address and password is wrong; `wait` is in ms. */
export type SignInResult = { secret: string } | { wrong: true } | { wait: number };

interface Account {
  id: string;
  passwordHash: string | null;
  addresses: string[];
}

/** Signs a browser in. Attempts are counted before the password is checked, and refunded if it is correct. */
export async function signIn(service: SignInService, attempt: SignInAttempt): Promise<SignInResult> {
  const { limits, rateLimiter } = service;
  const network = networkOf(attempt.address);
  const networkLimits: RateLimitKey[] = [
    [`address ${network}`, limits.signInTriesAddress],
    [`both ${network} ${attempt.email}`, limits.signInTries],
  ];
  const networkWait = await takeFromAll(rateLimiter, networkLimits);
  if (networkWait > 0) return { wait: networkWait };
  const account = await findAccount(service.db, attempt.email);
  // Failures from elsewhere exhaust an account's limit, but not for networks from which its owner has signed in.
  const isKnownNetwork = account?.addresses.some((address) => networkOf(address) === network) ?? false;
  const accountLimits: RateLimitKey[] = isKnownNetwork
    ? []
    : [[`account ${attempt.email}`, limits.signInTriesAccount]];
  const wait = await takeFromAll(rateLimiter, accountLimits);
  if (wait > 0) {
    await refundAll(rateLimiter, networkLimits);
    return { wait };
  }
  const isCorrect = await verifyPassword(attempt.password, account?.passwordHash ?? null);
  if (!isCorrect || !account) return { wrong: true };
  await refundAll(rateLimiter, [...networkLimits, ...accountLimits]);
  return { secret: await createSession(service, account.id, attempt) };
}

type RateLimitKey = readonly [key: string, limit: number];

/** Counts against all limits or, if one is exceeded, none. Returns 0, or the ms to wait. */
async function takeFromAll(rateLimiter: RateLimiter, keys: readonly RateLimitKey[]): Promise<number> {
  for (const [index, key] of keys.entries()) {
    const wait = await rateLimiter.take(...key);
    if (wait === 0) continue;
    await refundAll(rateLimiter, keys.slice(0, index));
    return wait;
  }
  return 0;
}

async function refundAll(rateLimiter: RateLimiter, keys: readonly RateLimitKey[]): Promise<void> {
  for (const key of keys) await rateLimiter.refund(...key);
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

/** Begins a session and returns the secret for its cookie: a new one each time, against session fixation. */
export async function createSession(
  { db, limits }: Pick<SignInService, 'db'> & { limits: Pick<SignInService['limits'], 'signIn'> },
  userId: string,
  { address, userAgent }: Pick<SignInAttempt, 'address' | 'userAgent'>,
): Promise<string> {
  const secret = newSecret('dgs_');
  await inTransaction(db, async (tx) => {
    await tx.prisma.signIn.create({
      data: {
        id: newId('SignIn'),
        userId,
        secretHash: hashSecret(secret),
        userAgent: userAgent.slice(0, 500),
        ipAddress: address,
        expiresAt: await databaseTime(tx, limits.signIn),
      },
    });
    await recordEvent(tx, userId, 'signIn.begun', address);
  });
  return secret;
}

/** Ends the session with this secret, if it is live. */
export const signOut = (db: Database, secret: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    const ended = await tx.query<{ userId: string; ipAddress: string }>(sql`
      UPDATE sign_ins SET expires_at = now() WHERE secret_hash = ${hashSecret(secret)} AND expires_at > now()
      RETURNING user_id, ip_address`);
    for (const { userId, ipAddress } of ended) await recordEvent(tx, userId, 'signIn.ended', ipAddress);
  });

const recordEvent = (tx: Transaction, userId: string, kind: string, ipAddress: string) =>
  tx.prisma.securityEvent.create({
    data: { id: newId('SecurityEvent'), userId, kind, data: {}, ipAddress },
  });

/** A live browser session: its viewer, and the cookie's secret, to which its forms are bound. */
export interface Session {
  viewer: Viewer;
  secret: string;
}

/** The session of a request's cookie. Whether the cookie may authenticate the request is the caller's decision (`senderOf`). */
export async function sessionOfRequest(
  db: Database,
  cookie: SessionCookie,
  headers: Headers,
): Promise<Session | undefined> {
  const secret = cookie.read(headers);
  const viewer = secret ? await viewerOfSignIn(db, secret) : undefined;
  return secret && viewer ? { viewer, secret } : undefined;
}
