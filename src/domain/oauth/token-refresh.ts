import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Scope } from '../../generated/prisma/client.ts';
import { hashSecret } from '../../lib/secret.ts';
import type { ProtocolClient } from './client.ts';
import { revokeFamily } from './grant-end.ts';
import {
  audienceOf,
  type IssuableGrant,
  issueTokens,
  keyFor,
  type Refusal,
  refusal,
  type TokenContext,
  type Tokens,
} from './token.ts';
import { sealSuccessor, successorOf } from './token-successor.ts';

type Found = IssuableGrant & { used: boolean; dead: boolean };

interface Refreshing {
  refreshToken: string;
  scopes?: readonly string[];
  /** What the access token is to be for; empty for all that was authorized. */
  audience: readonly string[];
}

/**
 * The next pair for a refresh token, which is used up by it (RFC 9700 §4.14.2). Of several requests at once one wins;
 * the others get the same pair within the grace window, and end the family with all its tokens outside of it, since one
 * of the two parties is a thief. `scopes` may narrow the access token; the refresh token keeps what it had (RFC 6749 §6).
 */
export async function refreshTokens(
  ctx: TokenContext,
  client: ProtocolClient,
  { refreshToken, scopes: requested, audience: wanted }: Refreshing,
): Promise<Tokens | Refusal> {
  const key = await keyFor(ctx, client);
  const hash = hashSecret(refreshToken);
  const found = await findToken(ctx.db, client, hash);
  if (!found) return refusal('The refresh token is not known.');
  if (found.used) return reuse(ctx, found, refreshToken);
  if (found.dead) return refusal('The refresh token has expired or was revoked.');
  const scopes = narrowed(found.scopes, requested).filter((scope) => client.scopes.includes(scope));
  if (scopes.length === 0 || (requested && scopes.length < requested.length))
    return refusal('The scope exceeds what was granted.', 'invalid_scope');
  const audience = audienceOf(found.audience, wanted);
  if (!audience) return refusal('The resource was not authorized.', 'invalid_target');
  const claim = (pair: Tokens) =>
    useUp(hash, ctx.limits.refreshGrace > 0 ? sealSuccessor(pair, refreshToken) : null);
  return (
    (await issueTokens(ctx, { client, key, grant: found, scopes, audience, claim })) ??
    reuse(ctx, found, refreshToken)
  );
}

const useUp = (hash: Uint8Array, successor: Uint8Array | null): Sql =>
  sql`UPDATE refresh_tokens r SET used_at = now(), successor = ${successor}::bytea
    WHERE r.secret_hash = ${hash} AND r.used_at IS NULL`;

const narrowed = (granted: Scope[], requested: readonly string[] | undefined): Scope[] =>
  requested ? granted.filter((scope) => requested.includes(scope)) : granted;

async function findToken(
  reader: Reader,
  { id }: ProtocolClient,
  hash: Uint8Array,
): Promise<Found | undefined> {
  const [found] = await reader.query<Found>(sql`
    SELECT g.id AS grant_id, c.secret_hash AS code_hash, g.user_id, c.created_at AS granted_at,
      now() AS read_at, r.scopes::text[] AS scopes, c.audience, r.used_at IS NOT NULL AS used,
      r.expires_at <= now() OR r.revoked_at IS NOT NULL OR c.revoked_at IS NOT NULL OR g.revoked_at IS NOT NULL
        OR u.disabled_at IS NOT NULL AS dead
    FROM refresh_tokens r JOIN authorization_codes c ON c.secret_hash = r.code_hash
    JOIN grants g ON g.id = r.grant_id JOIN users u ON u.id = g.user_id
    WHERE r.secret_hash = ${hash} AND g.client_id = ${id}`);
  return found;
}

/** Within the grace window the same pair again; else the family ends. A used token is never worth a second chain. */
async function reuse(
  { db, ipAddress, limits }: TokenContext,
  found: Found,
  refreshToken: string,
): Promise<Tokens | Refusal> {
  const successor = found.dead ? undefined : await successorOf(db, refreshToken, limits.refreshGrace);
  if (successor) return successor;
  await inTransaction(db, (tx) => revokeFamily(tx, found, 'refresh_token_reused', ipAddress));
  return refusal('The refresh token was used before: all tokens of this authorization are revoked.');
}
