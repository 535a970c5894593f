import { nowPlus } from '../../db/clock.ts';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { hashSecret, newSecret } from '../../lib/secret.ts';
import {
  type ApplicationScope,
  apiScopesOf,
  identityScopesOf,
  includes,
  narrowScopes,
} from '../kernel/scope.ts';
import { tables } from '../kernel/tables.ts';
import type { ProtocolClient } from '../oauth/client.ts';
import { findResourceServers, OWN_API, resourceServersOf } from '../oauth/resource-server.ts';
import {
  expiresInOf,
  newAccessToken,
  type Refusal,
  refuse,
  signingKeyFor,
  type TokenContext,
  type Tokens,
} from '../oauth/token.ts';

interface ServiceRequest {
  /** Undefined for all that the application may request. */
  scopes?: readonly ApplicationScope[];
  /** Requested audience; empty for this API. */
  audience: readonly string[];
}

/** A service account that lasts until the end of the transaction. */
interface Account {
  userId: string;
  organizationId: string;
  readAt: Date;
  expiresAt: Date;
}

/**
 * Issues an access token for the service account of an authenticated client, and no refresh token (RFC 6749 §4.4.3). Refuses
 * unauthorized_client to a client without one, invalid_scope beyond the scopes of the application and for those of OpenID Connect,
 * which are about a person, and invalid_target.
 */
export async function issueServiceToken(
  ctx: TokenContext,
  client: ProtocolClient,
  request: ServiceRequest,
): Promise<Tokens | Refusal> {
  if (client.kind !== 'CONFIDENTIAL')
    return refuse('Only a confidential client may use this grant.', 'unauthorized_client');
  const key = await signingKeyFor(ctx, client);
  return inTransaction(ctx.db, async (tx) => {
    const account = await lockAccount(tx, client, ctx.limits.accessToken);
    if (!account) return refuse('The client has no service account.', 'unauthorized_client');
    const scopes = scopesOf(client, request.scopes);
    if (!scopes) return refuse('The scope exceeds what the client may request by itself.', 'invalid_scope');
    const audience = await audienceOf(tx, account, request.audience);
    if (!audience) return refuse('The client may not request this resource.', 'invalid_target');
    const { userId, readAt: issuedAt, expiresAt } = account;
    const claims = { issuer: ctx.issuer, userId, clientId: client.id, issuedAt, expiresAt };
    const accessToken = await newAccessToken(key, { ...claims, audience, scopes });
    await store(tx, { client, account, scopes, audience, accessToken });
    return { accessToken, scopes, expiresIn: expiresInOf(ctx.limits) };
  });
}

/** The lock orders the issue of a token and the end of the account, which ends what was issued before. */
async function lockAccount(
  tx: Transaction,
  { id }: ProtocolClient,
  lifetime: number,
): Promise<Account | undefined> {
  const [account] = await tx.query<Account>(sql`
    SELECT u.id AS user_id, m.organization_id, now() AS read_at, ${nowPlus(lifetime)} AS expires_at
    FROM ${tables.users.from} JOIN ${tables.memberships.from} ON m.user_id = u.id
    JOIN ${tables.clients.from} ON c.id = u.service_client_id AND c.deleted_at IS NULL
    WHERE u.service_client_id = ${id} AND u.disabled_at IS NULL FOR SHARE OF u`);
  return account;
}

/** Undefined if more is requested than the client may, or if nothing is left. */
function scopesOf(
  { scopes: allowed }: ProtocolClient,
  requested: readonly ApplicationScope[] | undefined,
): ApplicationScope[] | undefined {
  if (requested && identityScopesOf(requested).length > 0) return undefined;
  const scopes = narrowScopes(requested ?? apiScopesOf(allowed), allowed);
  if (scopes.length === 0 || requested?.some((scope) => !includes(scopes, scope))) return undefined;
  return scopes;
}

/** As stored, empty for this API alone. Undefined if a resource server is not of the organization, nor of the installation. */
async function audienceOf(
  tx: Transaction,
  account: Account,
  requested: readonly string[],
): Promise<string[] | undefined> {
  const uris = resourceServersOf(requested);
  const servers = uris.length > 0 ? await findResourceServers(tx, account, uris) : [];
  if (servers.length < uris.length) return undefined;
  return requested.every((each) => each === OWN_API) ? [] : [...requested];
}

interface NewToken {
  client: ProtocolClient;
  account: Account;
  scopes: readonly ApplicationScope[];
  audience: readonly string[];
  accessToken: string;
}

/**
 * Stores a token as the only one of its family, below the one grant of the account: all that ends, checks or counts tokens applies. The
 * family is no code: it was used when it was created, and nobody has its secret. It counts as proved by a second factor, as an owner
 * or admin decided on the account: the organization's rule about factors is about how people sign in.
 */
async function store(
  tx: Transaction,
  { client, account, scopes, audience, accessToken }: NewToken,
): Promise<void> {
  const [grant] = await tx.query<{ id: string }>(sql`
    INSERT INTO grants AS g (id, client_id, user_id, scopes)
    VALUES (${newId('Grant')}, ${client.id}, ${account.userId}, ${sql.texts(client.scopes)}::scope[])
    ON CONFLICT (client_id, user_id) WHERE revoked_at IS NULL DO UPDATE SET scopes = excluded.scopes RETURNING g.id`);
  const family = hashSecret(newSecret('dgc_'));
  await tx.query(sql`
    INSERT INTO authorization_codes (secret_hash, grant_id, scopes, audience, redirect_uri, expires_at, used_at, second_factor)
    VALUES (${family}, ${grant?.id}, ${sql.texts(scopes)}::scope[], ${sql.texts(audience)}, '', now(), now(), true)`);
  await tx.query(sql`INSERT INTO access_tokens (secret_hash, grant_id, code_hash, scopes, audience, expires_at)
    VALUES (${hashSecret(accessToken)}, ${grant?.id}, ${family}, ${sql.texts(scopes)}::scope[], ${sql.texts(audience)},
      ${account.expiresAt})`);
}
