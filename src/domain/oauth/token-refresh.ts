import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { hashSecret } from '../../lib/secret.ts';
import { isClosedEverywhere } from '../kernel/application-policy.ts';
import { type ApplicationScope, includes, narrowScopes } from '../kernel/scope.ts';
import type { ProtocolClient } from './client.ts';
import { revokeFamily } from './grant-end.ts';
import { signInColumns } from './id-token.ts';
import {
  audienceOf,
  CLOSED,
  type IssuableGrant,
  issueTokens,
  type Refusal,
  refuse,
  signingKeyFor,
  type TokenContext,
  type TokenPair,
  type Tokens,
} from './token.ts';
import { sealSuccessor, successorOf } from './token-successor.ts';

type StoredRefreshToken = IssuableGrant & { used: boolean; ended: boolean; closed: boolean };

interface RefreshRequest {
  refreshToken: string;
  scopes?: readonly ApplicationScope[];
  /** Requested audience of the access token; empty for all that was authorized. */
  audience: readonly string[];
}

/**
 * Rotates a refresh token (RFC 9700 §4.14.2). A reuse returns the same pair within the grace window, and revokes the
 * family outside of it, as the token may be stolen. `scopes` may narrow the access token; the refresh token keeps its
 * scopes (RFC 6749 §6).
 */
export async function refreshTokens(
  ctx: TokenContext,
  client: ProtocolClient,
  { refreshToken, scopes: requestedScopes, audience: requestedAudience }: RefreshRequest,
): Promise<Tokens | Refusal> {
  const key = await signingKeyFor(ctx, client);
  const hash = hashSecret(refreshToken);
  const token = await findToken(ctx.db, client, hash);
  if (!token) return refuse('The refresh token is not known.');
  if (token.used) return handleReuse(ctx, token, refreshToken);
  if (token.ended) return refuse('The refresh token has expired or was revoked.');
  if (token.closed) return refuse(CLOSED);
  const scopes = narrowScopes(requestedScopes ?? token.scopes, token.scopes, client.scopes);
  if (scopes.length === 0 || requestedScopes?.some((scope) => !includes(scopes, scope)))
    return refuse('The scope exceeds what was granted.', 'invalid_scope');
  const audience = audienceOf(token.audience, requestedAudience);
  if (!audience) return refuse('The resource was not authorized.', 'invalid_target');
  const claim = (pair: TokenPair) =>
    markUsed(hash, ctx.limits.refreshGrace > 0 ? sealSuccessor(pair, refreshToken) : null);
  return (
    (await issueTokens(ctx, { client, key, grant: token, scopes, audience, claim })) ??
    handleReuse(ctx, token, refreshToken)
  );
}

const markUsed = (hash: Uint8Array, successor: Uint8Array | null): Sql =>
  sql`UPDATE refresh_tokens r SET used_at = now(), successor = ${successor}::bytea
    WHERE r.secret_hash = ${hash} AND r.used_at IS NULL`;

async function findToken(
  reader: Reader,
  { id }: ProtocolClient,
  hash: Uint8Array,
): Promise<StoredRefreshToken | undefined> {
  const [token] = await reader.query<StoredRefreshToken>(sql`
    SELECT g.id AS grant_id, c.secret_hash AS code_hash, g.user_id, c.created_at AS granted_at,
      now() AS read_at, r.scopes::text[] AS scopes, c.audience, r.used_at IS NOT NULL AS used,
      r.expires_at <= now() OR r.revoked_at IS NOT NULL OR c.revoked_at IS NOT NULL OR g.revoked_at IS NOT NULL
        OR u.disabled_at IS NOT NULL AS ended, NULL AS nonce, ${signInColumns(sql`c`)},
      ${isClosedEverywhere(sql`g.user_id`, sql`g.client_id`, sql`c.created_at`)} AS closed
    FROM refresh_tokens r JOIN authorization_codes c ON c.secret_hash = r.code_hash
    JOIN grants g ON g.id = r.grant_id JOIN users u ON u.id = g.user_id
    WHERE r.secret_hash = ${hash} AND g.client_id = ${id}`);
  return token;
}

/** Returns the same pair within the grace window, else revokes the family. A used token never starts a second chain. */
async function handleReuse(
  { db, ipAddress, limits }: TokenContext,
  token: StoredRefreshToken,
  refreshToken: string,
): Promise<Tokens | Refusal> {
  const successor = token.ended ? undefined : await successorOf(db, refreshToken, limits.refreshGrace);
  if (successor) return successor;
  await inTransaction(db, (tx) => revokeFamily(tx, token, 'refresh_token_reused', ipAddress));
  return refuse('The refresh token was used before: all tokens of this authorization are revoked.');
}
