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
    /** How long a sign-in lasts, in milliseconds. */
    signIn: number;
    /** Tries at one account from one network, from one network at all accounts, at one account from everywhere. */
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

/** `wrong` tells nobody what was wrong; `wait` is in milliseconds. */
export type SignInResult = { secret: string } | { wrong: true } | { wait: number };

interface Account {
  id: string;
  passwordHash: string | null;
  addresses: string[];
}

/** Signs a browser in. Tries are taken before the password is looked at, and given back when it was right. */
export async function signIn(service: SignInService, attempt: SignInAttempt): Promise<SignInResult> {
  const { limits, rateLimiter: tries } = service;
  const network = networkOf(attempt.address);
  const networkLimits: RateLimitKey[] = [
    [`address ${network}`, limits.signInTriesAddress],
    [`both ${network} ${attempt.email}`, limits.signInTries],
  ];
  const networkWait = await takeFromAll(tries, networkLimits);
  if (networkWait > 0) return { wait: networkWait };
  const account = await findAccount(service.db, attempt.email);
  // Strangers' failures use up an account's tries, but never those of a network from which its owner has signed in.
  const isKnownNetwork = account?.addresses.some((address) => networkOf(address) === network) ?? false;
  const accountLimits: RateLimitKey[] = isKnownNetwork
    ? []
    : [[`account ${attempt.email}`, limits.signInTriesAccount]];
  const wait = await takeFromAll(tries, accountLimits);
  if (wait > 0) {
    await refundAll(tries, networkLimits);
    return { wait };
  }
  const isCorrect = await verifyPassword(attempt.password, account?.passwordHash ?? null);
  if (!isCorrect || !account) return { wrong: true };
  await refundAll(tries, [...networkLimits, ...accountLimits]);
  return { secret: await createSession(service, account.id, attempt) };
}

type RateLimitKey = readonly [key: string, most: number];

/** Takes one of each, or none: what is refused uses nothing up. 0, or how long to wait. */
async function takeFromAll(tries: RateLimiter, caps: readonly RateLimitKey[]): Promise<number> {
  for (const [index, cap] of caps.entries()) {
    const wait = await tries.take(...cap);
    if (wait === 0) continue;
    await refundAll(tries, caps.slice(0, index));
    return wait;
  }
  return 0;
}

async function refundAll(tries: RateLimiter, caps: readonly RateLimitKey[]): Promise<void> {
  for (const cap of caps) await tries.refund(...cap);
}

/** One statement, whether or not there is such an account; one that is switched off is none. */
async function findAccount(db: Database, email: string): Promise<Account | undefined> {
  const [account] = await db.query<Account>(sql`
    SELECT u.id, u.password_hash, ARRAY(
      SELECT DISTINCT s.ip_address FROM sign_ins s WHERE s.user_id = u.id AND s.created_at > ${nowPlus(-SIGN_IN_RETENTION)}
    ) AS addresses
    FROM users u WHERE u.email = ${email} AND u.disabled_at IS NULL`);
  return account;
}

/** Returns the secret for the cookie: a new one each time, so that none can be planted beforehand. */
async function createSession(
  { db, limits }: SignInService,
  userId: string,
  { address, userAgent }: SignInAttempt,
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

/** Ends a sign-in: the cookie's secret is worth nothing from now on. What is not live is left alone. */
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

/** A live browser sign-in: who it is, and the cookie's secret, which its forms are bound to. */
export interface Session {
  viewer: Viewer;
  secret: string;
}

/** The sign-in behind a request's cookie. Whether the cookie may count is for the caller to ask `senderOf`. */
export async function sessionOfRequest(
  db: Database,
  cookie: SessionCookie,
  headers: Headers,
): Promise<Session | undefined> {
  const secret = cookie.read(headers);
  const viewer = secret ? await viewerOfSignIn(db, secret) : undefined;
  return secret && viewer ? { viewer, secret } : undefined;
}
