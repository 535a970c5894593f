import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Scope } from '../../generated/prisma/client.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { type KeyLimits, type TokenKey, tokenKey } from '../keys/token-key.ts';
import { signAccessToken } from './access-jwt.ts';
import type { ProtocolClient } from './client.ts';
import type { Family } from './grant-end.ts';
import { OWN_API } from './resource-server.ts';

/** Milliseconds. refreshIdle: since a refresh token was issued; refreshAbsolute: since the user approved. */
export interface TokenLimits extends KeyLimits {
  refreshIdle: number;
  refreshAbsolute: number;
  /** How long the pair that a refresh token gave is given again; 0: never. */
  refreshGrace: number;
}

/** The longest grace window that can be configured, in ms. */
export const REFRESH_GRACE_MAX = MINUTE;

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
  refused: 'invalid_grant' | 'invalid_scope' | 'invalid_target';
  text: string;
}

export const refusal = (text: string, refused: Refusal['refused'] = 'invalid_grant'): Refusal => ({
  refused,
  text,
});

/** A family of tokens that is to get one more pair. grantedAt: when the user authorized it; readAt: the database's now(). */
export interface IssuableGrant extends Family {
  userId: string;
  grantedAt: Date;
  readAt: Date;
  /** What the refresh token may ask for again (RFC 6749 §6). */
  scopes: Scope[];
  /** What the access tokens of the family may be for. */
  audience: string[];
}

/** Taken before the transaction: it may have to open one of its own. */
export const keyFor = (
  { db, limits }: TokenContext,
  client: ProtocolClient,
): Promise<TokenKey | undefined> =>
  client.tokenFormat === 'JWT' ? tokenKey(db, limits) : Promise.resolve(undefined);

/** What a pair of tokens is given for: `claim` is an update for the pair that only one of several callers at once wins. */
interface Issue {
  client: ProtocolClient;
  key?: TokenKey;
  grant: IssuableGrant;
  /** Of the access token. */
  scopes: Scope[];
  audience: string[];
  claim: (pair: Tokens) => Sql;
}

/** A pair of tokens; undefined to those who claimed too late. One statement: what is claimed is given. */
export async function issueTokens(
  { db, limits, issuer }: TokenContext,
  { client, key, grant, scopes, audience, claim }: Issue,
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
 * The audience of an access token: what the request names of what the family may be for (RFC 8707 §2.2), or all of it.
 * Undefined where the request names something else. Empty stands for this API.
 */
export function audienceOf(family: readonly string[], requested: readonly string[]): string[] | undefined {
  const allowed = family.length > 0 ? family : [OWN_API];
  if (!requested.every((each) => allowed.includes(each))) return undefined;
  const audience = requested.length > 0 ? [...requested] : [...allowed];
  return audience.every((each) => each === OWN_API) ? [] : audience;
}
