import { databaseTime } from '../db/clock.ts';
import type { Database, Transaction } from '../db/database.ts';
import { sql } from '../db/sql/sql.ts';
import { inTransaction } from '../db/transaction.ts';
import { tellOfNewDevice } from '../domain/accounts/new-device.ts';
import type { Viewer } from '../domain/kernel/viewer.ts';
import { recordSecurityEvents } from '../domain/users/security-event.ts';
import { newId } from '../lib/id.ts';
import { hashSecret, newSecret } from '../lib/secret.ts';
import { viewerOfSignIn } from './bearer.ts';
import type { SessionCookie } from './session-cookie.ts';

export interface SessionService {
  db: Database;
  /** `signIn`: the lifetime of a session in ms. */
  limits: { signIn: number };
}

/** The browser of a person. */
export interface Visitor {
  address: string;
  userAgent: string;
  /** Secret that the browser keeps for a year, by which it is recognised. */
  device?: string;
}

/** How a person proved who they are. */
export type FirstFactor = 'password' | 'oidc' | 'passkey';
type SecondFactor = 'code' | 'recoveryCode' | 'passkey';

export interface NewSession extends Visitor {
  userId: string;
  methods: readonly (FirstFactor | SecondFactor)[];
}

/** Begins a session and returns the secret for its cookie: a new one each time, against session fixation. */
export async function beginSession(
  tx: Transaction,
  { signIn }: SessionService['limits'],
  { userId, methods, address, userAgent, device }: NewSession,
): Promise<string> {
  const secret = newSecret('dgs_');
  await tellOfNewDevice(tx, { userId, device, ipAddress: address, userAgent });
  await tx.prisma.signIn.create({
    data: {
      id: newId('SignIn'),
      userId,
      secretHash: hashSecret(secret),
      methods: [...methods],
      userAgent: userAgent.slice(0, 500),
      ipAddress: address,
      deviceHash: device === undefined ? null : hashSecret(device),
      authenticatedAt: await databaseTime(tx),
      expiresAt: await databaseTime(tx, signIn),
    },
  });
  const data = { methods: [...methods] };
  await recordSecurityEvents(tx, [{ userId, kind: 'signIn.begun', data, ipAddress: address }]);
  return secret;
}

/** Ends the session with this secret, if it is live. */
export const signOut = (db: Database, secret: string): Promise<void> =>
  inTransaction(db, async (tx) => {
    const ended = await tx.query<{ userId: string; ipAddress: string }>(sql`
      UPDATE sign_ins SET expires_at = now() WHERE secret_hash = ${hashSecret(secret)} AND expires_at > now()
      RETURNING user_id, ip_address`);
    await recordSecurityEvents(
      tx,
      ended.map((signIn) => ({ ...signIn, kind: 'signIn.ended' })),
    );
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
