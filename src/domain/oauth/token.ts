import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { SECOND } from '../../lib/time.ts';
import type { ApplicationScope } from '../kernel/scope.ts';
import { type TokenKey, tokenKey } from '../keys/token-key.ts';
import { type AccessClaims, signAccessToken } from './access-jwt.ts';
import type { ProtocolClient } from './client.ts';
import type { TokenFamily } from './grant-end.ts';
import { type AuthorizedSignIn, type IdClaims, signIdToken } from './id-token.ts';
import { OWN_API } from './resource-server.ts';
import type { TokenLimits } from './token-limits.ts';

/** The context of the token endpoints: there is no viewer, as an application calls them. */
export interface TokenContext {
  db: Database;
  limits: TokenLimits;
  /** The public address of this server. */
  issuer: string;
  ipAddress: string | null;
}

export interface Tokens {
  accessToken: string;
  /** None for the grant client_credentials (RFC 6749 §4.4.3). */
  refreshToken?: string;
  /** Of the access token. */
  scopes: ApplicationScope[];
  /** Lifetime of the access token in seconds. */
  expiresIn: number;
  /** With the scope `openid`, while the sign-in of the authorization lasts. */
  idToken?: string;
}

/** With a refresh token. */
export type TokenPair = Tokens & { refreshToken: string };

/** An OAuth error for the application (RFC 6749 §5.2). Returned, not thrown, as some refusals have changes to commit. */
export interface Refusal {
  refused: 'invalid_grant' | 'invalid_scope' | 'invalid_target' | 'unauthorized_client';
  text: string;
}

export const refuse = (text: string, refused: Refusal['refused'] = 'invalid_grant'): Refusal => ({
  refused,
  text,
});

/** Why no tokens are issued that would reach nothing. What they would be issued for stays unused. */
export const CLOSED = 'No organization of the user allows this application.';

/** A token family that gets one more pair. grantedAt: when the user authorized it; readAt: the database's now(). */
export interface IssuableGrant extends TokenFamily, AuthorizedSignIn {
  userId: string;
  grantedAt: Date;
  readAt: Date;
  /** Scopes of the refresh token (RFC 6749 §6). */
  scopes: ApplicationScope[];
  /** Resource servers that access tokens of the family may be used at. */
  audience: string[];
}

/** The key for a client whose access tokens are JWTs. Called before any transaction, as it may open its own. */
export const signingKeyFor = (
  { db, limits }: TokenContext,
  client: ProtocolClient,
): Promise<TokenKey | undefined> =>
  client.tokenFormat === 'JWT' ? tokenKey(db, limits) : Promise.resolve(undefined);

/** `claim` is the conditional UPDATE of the code or refresh token, which only one of several concurrent callers wins. */
interface TokenIssue {
  client: ProtocolClient;
  key?: TokenKey;
  grant: IssuableGrant;
  /** Of the access token. */
  scopes: ApplicationScope[];
  audience: string[];
  claim: (pair: TokenPair) => Sql;
}

/**
 * Issues an access token and a refresh token; undefined if another caller won the claim. Claim and tokens are one
 * statement, so what is claimed is issued.
 */
export async function issueTokens(
  ctx: TokenContext,
  { client, key, grant, scopes, audience, claim }: TokenIssue,
): Promise<Tokens | undefined> {
  const { db, limits, issuer } = ctx;
  const { grantId, codeHash, userId, readAt: issuedAt } = grant;
  const expiresAt = new Date(issuedAt.getTime() + limits.accessToken);
  const claims = { issuer, userId, clientId: client.id, issuedAt, expiresAt };
  const accessToken = await newAccessToken(key, { ...claims, audience, scopes });
  const refreshToken = newSecret('dgr_');
  const end = Math.min(
    issuedAt.getTime() + limits.refreshIdle,
    grant.grantedAt.getTime() + limits.refreshAbsolute,
  );
  const idToken = scopes.includes('openid')
    ? await idTokenOf(ctx, grant, { ...claims, accessToken })
    : undefined;
  const expiresIn = expiresInOf(limits);
  const pair: TokenPair = { accessToken, refreshToken, scopes, expiresIn, ...(idToken && { idToken }) };
  const claimed = await db.query(sql`WITH claimed AS (${claim(pair)} RETURNING 1),
    access AS (INSERT INTO access_tokens (secret_hash, grant_id, code_hash, scopes, audience, expires_at)
      SELECT ${hashSecret(accessToken)}, ${grantId}, ${codeHash}, ${sql.texts(scopes)}::scope[], ${sql.texts(audience)},
        ${expiresAt} FROM claimed),
    refresh AS (INSERT INTO refresh_tokens (secret_hash, grant_id, code_hash, scopes, expires_at)
      SELECT ${hashSecret(refreshToken)}, ${grantId}, ${codeHash}, ${sql.texts(grant.scopes)}::scope[], ${new Date(end)} FROM claimed)
    SELECT FROM claimed`);
  return claimed.length === 0 ? undefined : pair;
}

/** A JWT with the key of `signingKeyFor`, else random characters. */
export const newAccessToken = async (
  key: TokenKey | undefined,
  claims: Omit<AccessClaims, 'id'>,
): Promise<string> => (key ? signAccessToken(key, { ...claims, id: randomUUID() }) : newSecret('dga_'));

/** Lifetime of an access token in seconds. */
export const expiresInOf = ({ accessToken }: Pick<TokenLimits, 'accessToken'>): number =>
  Math.floor(accessToken / SECOND);

/** Undefined once the user has signed out of where they authorized the application: it would say that they are there. */
async function idTokenOf(
  { db, limits }: TokenContext,
  { authTime, nonce, isSignedIn }: IssuableGrant,
  claims: Omit<IdClaims, 'authTime' | 'nonce'>,
): Promise<string | undefined> {
  if (!authTime || !isSignedIn) return undefined;
  const key = await tokenKey(db, limits, 'ID_TOKEN');
  return signIdToken(key, { ...claims, authTime, nonce: nonce ?? undefined });
}

/**
 * The audience of an access token: the requested part of the family's audience (RFC 8707 §2.2), by default all of it.
 * Undefined if more was requested. Empty stands for this API.
 */
export function audienceOf(family: readonly string[], requested: readonly string[]): string[] | undefined {
  const allowed = family.length > 0 ? family : [OWN_API];
  if (!requested.every((each) => allowed.includes(each))) return undefined;
  const audience = requested.length > 0 ? [...requested] : [...allowed];
  return audience.every((each) => each === OWN_API) ? [] : audience;
}
