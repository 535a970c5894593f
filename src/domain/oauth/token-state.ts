import type { Reader, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { inTransaction } from '../../db/transaction.ts';
import { hashSecret } from '../../lib/secret.ts';
import { type ApplicationScope, narrowScopes } from '../kernel/scope.ts';
import { tables } from '../kernel/tables.ts';
import { clientWithSecretSql, type ProtocolClient, type UsedSecret } from './client.ts';
import { revokeFamily, type TokenFamily } from './grant-end.ts';
import { mayIntrospect } from './resource-server.ts';
import { type Refusal, refuse, type TokenContext } from './token.ts';

/** The scopes of a token, of its grant and of its client. */
export interface TokenScopes {
  tokenScopes: ApplicationScope[];
  grantScopes: ApplicationScope[];
  clientScopes: ApplicationScope[];
}

type Tokens = Rows<'access_tokens'> | Rows<'refresh_tokens'>;

/** The columns of TokenScopes, of the tables that `liveTokens` joins. */
export const tokenScopeColumns = (tokens: Tokens): Sql => sql`${tokens}.scopes::text[] AS token_scopes,
  ${tables.grants}.scopes::text[] AS grant_scopes, ${tables.clients}.scopes::text[] AS client_scopes`;

/** The scopes a token has now: those of the token that its grant and its client still have. */
export const effectiveScopes = ({
  tokenScopes,
  grantScopes,
  clientScopes,
}: TokenScopes): ApplicationScope[] => narrowScopes(tokenScopes, grantScopes, clientScopes);

/** FROM and WHERE of the live token with this hash, with its family, grant, client and user, and `joins`. */
const liveTokens = (tokens: Tokens, hash: Uint8Array, joins: Sql = sql.empty): Sql => sql`${tokens.from}
  JOIN ${tables.authorizationCodes.from} ON f.secret_hash = ${tokens}.code_hash AND f.revoked_at IS NULL
  JOIN ${tables.grants.from} ON g.id = ${tokens}.grant_id JOIN ${tables.clients.from} ON c.id = g.client_id JOIN ${tables.users.from} ON u.id = g.user_id ${joins}
  WHERE ${tokens}.secret_hash = ${hash} AND ${tokens}.expires_at > now() AND ${tokens}.revoked_at IS NULL AND g.revoked_at IS NULL
  AND c.deleted_at IS NULL AND u.disabled_at IS NULL`;

/** FROM and WHERE of the live access token with this hash. */
export const liveAccessToken = (hash: Uint8Array, joins?: Sql): Sql =>
  liveTokens(tables.accessTokens, hash, joins);

const isRefreshToken = (token: string): boolean => token.startsWith('dgr_');

/** A live token, as introspection reports it to its own client or a resource server (RFC 7662 §2.2). */
export interface LiveToken {
  kind: 'access' | 'refresh';
  scopes: ApplicationScope[];
  /** The application to which it was issued. */
  clientId: string;
  audience: string[];
  userId: string;
  issuedAt: Date;
  expiresAt: Date;
}

/** A client with the token it introspects; `token` is absent if it is unknown, ended, or not the client's to know (RFC 7662 §2.2). */
export interface IntrospectingClient extends ProtocolClient, UsedSecret {
  token?: LiveToken;
}

/** The members of the token are null where none is found. */
type IntrospectionRow = ProtocolClient & UsedSecret & Omit<LiveToken, 'kind' | 'scopes'> & TokenScopes;

/**
 * Authenticates a client and finds the token it introspects, in one statement: an application its own, a resource server
 * one that it may introspect. Undefined for a wrong secret, for which no token is looked up.
 */
export async function introspectingClient(
  reader: Reader,
  id: string,
  secret: string,
  token: string,
): Promise<IntrospectingClient | undefined> {
  const kind = isRefreshToken(token) ? 'refresh' : 'access';
  const tokens = kind === 'refresh' ? tables.refreshTokens : tables.accessTokens;
  const hash = hashSecret(token);
  const [row] = await reader.query<IntrospectionRow>(sql`
    WITH client AS MATERIALIZED (${clientWithSecretSql(id, secret)})
    SELECT client.*, found.* FROM client LEFT JOIN LATERAL (
      SELECT ${tokenScopeColumns(tokens)}, ${tables.clients}.id AS client_id, ${tables.grants}.user_id,
        ${tokens}.created_at AS issued_at, ${tokens}.expires_at,
        ${kind === 'refresh' ? sql`'{}'::text[]` : sql`${tokens}.audience`} AS audience
      FROM ${kind === 'refresh' ? ownRefreshToken(hash, id) : readableAccessToken(hash, id)}) found ON true`);
  if (!row) return undefined;
  const {
    clientId,
    audience,
    userId,
    issuedAt,
    expiresAt,
    tokenScopes,
    grantScopes,
    clientScopes,
    ...client
  } = row;
  const scopes = tokenScopes ? effectiveScopes({ tokenScopes, grantScopes, clientScopes }) : [];
  if (scopes.length === 0) return client;
  return { ...client, token: { kind, scopes, clientId, audience, userId, issuedAt, expiresAt } };
}

const ownRefreshToken = (hash: Uint8Array, clientId: string): Sql =>
  sql`${liveTokens(tables.refreshTokens, hash)} AND ${tables.refreshTokens}.used_at IS NULL AND ${tables.clients}.id = ${clientId}`;

/** A token of its own client, or one that the resource server may introspect (RFC 7662 §2). */
function readableAccessToken(hash: Uint8Array, clientId: string): Sql {
  const { accessTokens, clients, resourceServers } = tables;
  const server = sql`JOIN ${resourceServers.from} ON ${resourceServers}.id = ${clientId}`;
  return sql`${liveAccessToken(hash, server)}
    AND (${clients}.id = ${resourceServers}.id OR ${mayIntrospect(resourceServers, accessTokens, clients)})`;
}

/**
 * Revokes a token of this client with its family (RFC 7009 §2.1); an access token that a refresh has replaced is revoked
 * alone, so that a client may clean up. An unknown token is no error, another client's is refused.
 */
export async function revokeToken(
  ctx: TokenContext,
  client: ProtocolClient,
  token: string,
): Promise<Refusal | undefined> {
  const hash = hashSecret(token);
  return inTransaction(ctx.db, async (tx) => {
    const family = await findFamily(tx, token, hash);
    if (!family) return undefined;
    if (family.clientId !== client.id) return refuse('The token was issued to another client.');
    if (family.replaced)
      await tx.query(
        sql`UPDATE access_tokens SET revoked_at = now() WHERE secret_hash = ${hash} AND revoked_at IS NULL`,
      );
    else await revokeFamily(tx, family, 'revoked_by_app', ctx.ipAddress);
    return undefined;
  });
}

type FamilyOfToken = TokenFamily & { clientId: string; replaced: boolean };

/** The family of a token, live or not. */
async function findFamily(
  tx: Transaction,
  token: string,
  hash: Uint8Array,
): Promise<FamilyOfToken | undefined> {
  const [tokens, replaced] = isRefreshToken(token)
    ? [sql`refresh_tokens`, sql`false`]
    : [
        sql`access_tokens`,
        sql`EXISTS (SELECT FROM access_tokens n WHERE n.code_hash = t.code_hash
          AND n.created_at > t.created_at)`,
      ];
  const [family] = await tx.query<FamilyOfToken>(sql`
    SELECT g.id AS grant_id, t.code_hash, g.client_id, ${replaced} AS replaced FROM ${tokens} t
    JOIN grants g ON g.id = t.grant_id WHERE t.secret_hash = ${hash} AND t.code_hash IS NOT NULL`);
  return family;
}
