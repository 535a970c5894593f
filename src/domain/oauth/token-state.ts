import type { Reader, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Scope } from '../../generated/prisma/client.ts';
import { hashSecret } from '../../lib/secret.ts';
import { clientProvedBy, type ProtocolClient } from './client.ts';
import { type Family, revokeFamily } from './grant-end.ts';
import { mayIntrospect } from './resource-server.ts';
import { type Refusal, refusal, type TokenContext } from './token.ts';

/** What a token is worth at this moment: never more than its grant, nor than its client is still allowed. */
export const scopesNow = sql`ARRAY(SELECT unnest(t.scopes) AS scope INTERSECT SELECT unnest(g.scopes)
  INTERSECT SELECT unnest(c.scopes) ORDER BY scope)::text[]`;

/** Tokens of a table (`t`) that are good, with their grant (`g`), client (`c`) and user (`u`); `joins` adds to them. */
const live = (tokens: Sql, condition: Sql, joins: Sql = sql.empty) => sql`${tokens} t
  JOIN authorization_codes f ON f.secret_hash = t.code_hash AND f.revoked_at IS NULL JOIN grants g ON g.id = t.grant_id JOIN clients c ON c.id = g.client_id JOIN users u ON u.id = g.user_id ${joins}
  WHERE ${condition} AND t.expires_at > now() AND t.revoked_at IS NULL AND g.revoked_at IS NULL
  AND c.deleted_at IS NULL AND u.disabled_at IS NULL`;

/** FROM and WHERE of the access token with this hash, if it is good. */
export const liveAccessToken = (hash: Uint8Array, joins?: Sql): Sql =>
  live(sql`access_tokens`, sql`t.secret_hash = ${hash}`, joins);

const liveRefreshToken = (hash: Uint8Array): Sql =>
  live(sql`refresh_tokens`, sql`t.secret_hash = ${hash} AND t.used_at IS NULL`);

const isRefreshToken = (token: string): boolean => token.startsWith('dgr_');

/** A token that is good, as its own client or a resource server is told of it. */
export interface LiveToken {
  kind: 'access' | 'refresh';
  scopes: Scope[];
  /** The application that it was issued to. */
  clientId: string;
  audience: string[];
  userId: string;
  issuedAt: Date;
  expiresAt: Date;
}

/** A client that asks about a token: there is none that is not good, not known, or not for this client to know (RFC 7662 §2.2). */
export interface AskingClient extends ProtocolClient {
  token?: LiveToken;
}

type Asking = ProtocolClient & Omit<LiveToken, 'kind' | 'scopes'> & { tokenScopes: Scope[] | null };

/**
 * The application whose secret this is, and its token; or the resource server, and a token that is meant for it. For any
 * other secret no token is looked for.
 */
export async function clientAsking(
  reader: Reader,
  id: string,
  secret: string,
  token: string,
): Promise<AskingClient | undefined> {
  const kind = isRefreshToken(token) ? 'refresh' : 'access';
  const hash = hashSecret(token);
  const [asking] = await reader.query<Asking>(sql`
    WITH client AS MATERIALIZED (${clientProvedBy(id, secret)})
    SELECT client.*, found.* FROM client LEFT JOIN LATERAL (
      SELECT ${scopesNow} AS token_scopes, c.id AS client_id, g.user_id, t.created_at AS issued_at, t.expires_at,
        ${kind === 'refresh' ? sql`'{}'::text[]` : sql`t.audience`} AS audience
      FROM ${kind === 'refresh' ? ownRefreshToken(hash, id) : readableAccessToken(hash, id)}) found ON true`);
  if (!asking) return undefined;
  const { tokenScopes: scopes, clientId, audience, userId, issuedAt, expiresAt, ...client } = asking;
  if (!scopes?.length) return client;
  return { ...client, token: { kind, scopes, clientId, audience, userId, issuedAt, expiresAt } };
}

const ownRefreshToken = (hash: Uint8Array, clientId: string): Sql =>
  sql`${liveRefreshToken(hash)} AND c.id = ${clientId}`;

/** To its own client, and to a resource server that it may be used at (RFC 7662 §2). */
const readableAccessToken = (hash: Uint8Array, clientId: string): Sql =>
  sql`${liveAccessToken(hash, sql`JOIN clients r ON r.id = ${clientId}`)} AND (c.id = r.id OR ${mayIntrospect})`;

/**
 * Ends a token of this client with its family: the access and refresh tokens of the same authorization (RFC 7009 §2.1).
 * An access token that a refresh has replaced ends alone, so that a client may clear up behind itself. One that is not
 * known is left as it is, and another client's is refused.
 */
export async function revokeToken(
  ctx: TokenContext,
  client: ProtocolClient,
  token: string,
): Promise<Refusal | undefined> {
  const hash = hashSecret(token);
  return inTransaction(ctx.db, async (tx) => {
    const found = await findFamily(tx, token, hash);
    if (!found) return undefined;
    if (found.clientId !== client.id) return refusal('The token was issued to another client.');
    if (found.replaced)
      await tx.query(
        sql`UPDATE access_tokens SET revoked_at = now() WHERE secret_hash = ${hash} AND revoked_at IS NULL`,
      );
    else await revokeFamily(tx, found, 'revoked_by_app', ctx.ipAddress);
    return undefined;
  });
}

type Found = Family & { clientId: string; replaced: boolean };

/** What a token belongs to, good or not. */
async function findFamily(tx: Transaction, token: string, hash: Uint8Array): Promise<Found | undefined> {
  const [tokens, replaced] = isRefreshToken(token)
    ? [sql`refresh_tokens`, sql`false`]
    : [
        sql`access_tokens`,
        sql`EXISTS (SELECT FROM access_tokens n WHERE n.code_hash = t.code_hash
          AND n.created_at > t.created_at)`,
      ];
  const [found] = await tx.query<Found>(sql`
    SELECT g.id AS grant_id, t.code_hash, g.client_id, ${replaced} AS replaced FROM ${tokens} t
    JOIN grants g ON g.id = t.grant_id WHERE t.secret_hash = ${hash} AND t.code_hash IS NOT NULL`);
  return found;
}
