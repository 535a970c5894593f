import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Scope } from '../../generated/prisma/client.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { SECOND } from '../../lib/time.ts';
import { type TokenKey, tokenKey } from '../keys/token-key.ts';
import { signAccessToken } from './access-jwt.ts';
import type { ProtocolClient } from './client.ts';
import type { TokenFamily } from './grant-end.ts';
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
  refreshToken: string;
  /** Of the access token. */
  scopes: Scope[];
  /** Lifetime of the access token in seconds. */
  expiresIn: number;
}

/** An OAuth error for the application (RFC 6749 §5.2). Returned, not thrown, as some refusals have changes to commit. */
export interface Refusal {
  refused: 'invalid_grant' | 'invalid_scope' | 'invalid_target';
  text: string;
}

export const refuse = (text: string, refused: Refusal['refused'] = 'invalid_grant'): Refusal => ({
  refused,
  text,
});

/** A token family that gets one more pair. grantedAt: when the user authorized it; readAt: the database's now(). */
export interface IssuableGrant extends TokenFamily {
  userId: string;
  grantedAt: Date;
  readAt: Date;
  /** Scopes of the refresh token (RFC 6749 §6). */
  scopes: Scope[];
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
  scopes: Scope[];
  audience: string[];
  claim: (pair: Tokens) => Sql;
}

/**
 * Issues an access token and a refresh token; undefined if another caller won the claim. Claim and tokens are one
 * statement, so what is claimed is issued.
 */
export async function issueTokens(
  { db, limits, issuer }: TokenContext,
  { client, key, grant, scopes, audience, claim }: TokenIssue,
): Promise<Tokens | undefined> {
  const { grantId, codeHash, userId, readAt: issuedAt } = grant;
  const expiresAt = new Date(issuedAt.getTime() + limits.accessToken);
  const claims = {
    issuer,
    audience,
    userId,
    clientId: client.id,
    scopes,
    id: randomUUID(),
    issuedAt,
    expiresAt,
  };
  const accessToken = key ? await signAccessToken(key, claims) : newSecret('dga_');
  const refreshToken = newSecret('dgr_');
  const end = Math.min(
    issuedAt.getTime() + limits.refreshIdle,
    grant.grantedAt.getTime() + limits.refreshAbsolute,
  );
  const pair = { accessToken, refreshToken, scopes, expiresIn: Math.floor(limits.accessToken / SECOND) };
  const claimed = await db.query(sql`WITH claimed AS (${claim(pair)} RETURNING 1),
    access AS (INSERT INTO access_tokens (secret_hash, grant_id, code_hash, scopes, audience, expires_at)
      SELECT ${hashSecret(accessToken)}, ${grantId}, ${codeHash}, ${scopes}::text[]::scope[], ${audience}::text[],
        ${expiresAt} FROM claimed),
    refresh AS (INSERT INTO refresh_tokens (secret_hash, grant_id, code_hash, scopes, expires_at)
      SELECT ${hashSecret(refreshToken)}, ${grantId}, ${codeHash}, ${grant.scopes}::text[]::scope[], ${new Date(end)} FROM claimed)
    SELECT FROM claimed`);
  return claimed.length === 0 ? undefined : pair;
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
