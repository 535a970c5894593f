import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../db/database.ts';
import type { Scope } from '../generated/prisma/client.ts';
import { hashSecret, newSecret } from '../lib/secret.ts';
import { fromNow, SECOND } from '../lib/time.ts';
import { signAccessToken } from './access-jwt.ts';
import type { Client } from './client.ts';
import { type KeyLimits, type TokenKey, tokenKey } from './token-key.ts';

/** Milliseconds. refreshIdle: since a refresh token was issued; refreshAbsolute: since the user approved. */
export interface TokenLimits extends KeyLimits {
  refreshIdle: number;
  refreshAbsolute: number;
  /** How long a refresh token can be used again after its first use; 0: never. */
  refreshGrace: number;
}

/** What issuing takes: there is no viewer, an application asks. */
export interface TokenContext {
  db: Database;
  limits: TokenLimits;
  /** The public address of this server. */
  issuer: string;
  ipAddress: string | null;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** Of the access token. */
  scopes: Scope[];
  /** Seconds. */
  expiresIn: number;
}

/** Told to the application; returned and not thrown, as some refusals have to be committed. */
export interface Refusal {
  refused: 'invalid_grant' | 'invalid_scope';
  text: string;
}

export const refusal = (text: string, refused: Refusal['refused'] = 'invalid_grant'): Refusal => ({
  refused,
  text,
});

export interface IssuableGrant {
  grantId: string;
  userId: string;
  grantedAt: Date;
  /** What the refresh token may ask for again (RFC 6749 §6). */
  scopes: Scope[];
}

/** Taken before the transaction: it may have to open one of its own. */
export const keyFor = ({ db, limits }: TokenContext, client: Client): Promise<TokenKey | undefined> =>
  client.tokenFormat === 'JWT' ? tokenKey(db, limits) : Promise.resolve(undefined);

/** A pair of tokens, in the transaction that claimed what they are given for. */
export async function issueTokens(
  { limits, issuer }: TokenContext,
  tx: Transaction,
  { client, key, grant, scopes }: { client: Client; key?: TokenKey; grant: IssuableGrant; scopes: Scope[] },
): Promise<Tokens> {
  const { grantId, userId } = grant;
  const expiresAt = fromNow(limits.accessToken);
  const claims = { issuer, userId, clientId: client.id, scopes, id: randomUUID(), expiresAt };
  const accessToken = key ? await signAccessToken(key, claims) : newSecret('dga_');
  const refreshToken = newSecret('dgr_');
  await tx.prisma.accessToken.createMany({
    data: [{ secretHash: hashSecret(accessToken), grantId, scopes, expiresAt }],
  });
  const end = grant.grantedAt.getTime() + limits.refreshAbsolute;
  await tx.prisma.refreshToken.createMany({
    data: [
      {
        secretHash: hashSecret(refreshToken),
        grantId,
        scopes: grant.scopes,
        expiresAt: new Date(Math.min(Date.now() + limits.refreshIdle, end)),
      },
    ],
  });
  return { accessToken, refreshToken, scopes, expiresIn: Math.floor(limits.accessToken / SECOND) };
}
