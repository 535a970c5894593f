import type { Reader } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Scope } from '../generated/prisma/client.ts';
import { hashSecret } from '../lib/secret.ts';
import type { ProtocolClient } from './client.ts';
import { revokeFamily } from './grant-end.ts';
import {
  type IssuableGrant,
  issueTokens,
  keyFor,
  type Refusal,
  refusal,
  type TokenContext,
  type Tokens,
} from './token.ts';

type Found = IssuableGrant & { used: boolean; dead: boolean };

/**
 * The next pair for a refresh token, which is used up by it (RFC 9700 §4.14.2). Of several requests at once one wins;
 * the others, like every later use, end the grant with all its tokens, since one of the two parties is a thief.
 * `scopes` may narrow the access token; the refresh token keeps what it had (RFC 6749 §6).
 */
export async function refreshTokens(
  ctx: TokenContext,
  client: ProtocolClient,
  { refreshToken, scopes: asked }: { refreshToken: string; scopes?: readonly string[] },
): Promise<Tokens | Refusal> {
  const key = await keyFor(ctx, client);
  const hash = hashSecret(refreshToken);
  const grace = ctx.limits.refreshGrace;
  const found = await findToken(ctx.db, client, hash, grace);
  if (!found) return refusal('The refresh token is not known.');
  if (found.used) return reused(ctx, found);
  if (found.dead) return refusal('The refresh token has expired or was revoked.');
  const scopes = narrowed(found.scopes, asked).filter((scope) => client.scopes.includes(scope));
  if (scopes.length === 0 || (asked && scopes.length < asked.length))
    return refusal('The scope exceeds what was granted.', 'invalid_scope');
  const claim = sql`UPDATE refresh_tokens r SET used_at = coalesce(r.used_at, now())
    WHERE r.secret_hash = ${hash} AND ${usable(grace)}`;
  return (await issueTokens(ctx, { client, key, grant: found, scopes, claim })) ?? reused(ctx, found);
}

const narrowed = (granted: Scope[], asked: readonly string[] | undefined): Scope[] =>
  asked ? granted.filter((scope) => asked.includes(scope)) : granted;

async function findToken(
  reader: Reader,
  { id }: ProtocolClient,
  hash: Uint8Array,
  grace: number,
): Promise<Found | undefined> {
  const [found] = await reader.query<Found>(sql`
    SELECT g.id AS grant_id, c.secret_hash AS code_hash, g.user_id, c.created_at AS granted_at,
      now() AS read_at, r.scopes::text[] AS scopes, NOT ${usable(grace)} AS used,
      r.expires_at <= now() OR r.revoked_at IS NOT NULL OR c.revoked_at IS NOT NULL OR g.revoked_at IS NOT NULL
        OR u.disabled_at IS NOT NULL AS dead
    FROM refresh_tokens r JOIN authorization_codes c ON c.secret_hash = r.code_hash
    JOIN grants g ON g.id = r.grant_id JOIN users u ON u.id = g.user_id
    WHERE r.secret_hash = ${hash} AND g.client_id = ${id}`);
  return found;
}

/**
 * With a grace window, a client whose answer was lost on the way may ask again within it; each time starts a chain of
 * its own in the same grant. Without one the clock must have no say: now() is when a transaction began, and may lie
 * before the use that it waited for.
 */
const usable = (grace: number): Sql =>
  grace === 0
    ? sql`(r.used_at IS NULL)`
    : sql`(r.used_at IS NULL OR r.used_at > now() - make_interval(secs => ${grace / 1_000}))`;

async function reused({ db, ipAddress }: TokenContext, found: Found): Promise<Refusal> {
  await inTransaction(db, (tx) => revokeFamily(tx, found, 'refresh_token_reused', ipAddress));
  return refusal('The refresh token was used before: all tokens of this authorization are revoked.');
}
