import type { JWK } from 'jose';
import type { Database } from '../db/database.ts';
import { type Sql, sql } from '../db/sql/sql.ts';
import { membershipSeesAllContent } from '../domain/access/access-involved.ts';
import { reachesOrganization, rightsWithinLimit } from '../domain/access/access-limit.ts';
import { authorizationIssue, keyIssue, membershipIsUsable } from '../domain/access/access-second-factor.ts';
import { allowsApplication } from '../domain/kernel/application-policy.ts';
import { type ApplicationScope, apiScopesOf, identityScopesOf } from '../domain/kernel/scope.ts';
import { tables } from '../domain/kernel/tables.ts';
import type { Viewer } from '../domain/kernel/viewer.ts';
import { isSignedBy, keyIdOf } from '../domain/oauth/access-jwt.ts';
import { isFor, OWN_API, type OwnResource } from '../domain/oauth/resource-server.ts';
import {
  effectiveScopes,
  liveAccessToken,
  type TokenScopes,
  tokenScopeColumns,
} from '../domain/oauth/token-state.ts';
import { memoize } from '../lib/memoize.ts';
import { hashSecret } from '../lib/secret.ts';
import { MINUTE } from '../lib/time.ts';

export interface Credential extends Partial<TokenScopes> {
  credentialId: string;
  clientId?: string;
  authorizedAt?: Date;
  secondFactor?: boolean;
  isLimited?: boolean;
  /** Of an API key or a sign-in. */
  scopes?: ApplicationScope[];
  lastUsedAt?: Date | null;
  userId: string;
  email: string;
  isEmailVerified: boolean;
  name: string;
  memberships: Viewer['memberships'];
  /** The signing key that a JWT names. */
  publicJwk?: JWK | null;
  /** The database's time, which decides if a JWT has expired. */
  readAt?: Date;
}

const { apiKeys, users } = tables;

export const person = sql`${users}.id AS user_id, ${users}.email, ${users}.email_verified_at IS NOT NULL AS is_email_verified, ${users}.name`;

const membershipsWhere = (
  condition: Sql,
  rights: Sql = sql`'role', ${tables.memberships}.role`,
): Sql => sql`coalesce((
  SELECT json_agg(json_build_object('organizationId', m.organization_id, ${rights}, 'seesAllContent', ${membershipSeesAllContent(tables.memberships)}) ORDER BY m.organization_id)
  FROM ${tables.memberships.from} WHERE m.user_id = ${users}.id AND ${condition}), '[]') AS memberships`;

const signInMemberships = membershipsWhere(membershipIsUsable(tables.memberships));

const keyMemberships = membershipsWhere(membershipIsUsable(tables.memberships, keyIssue(apiKeys)));

/** Those of an access token: within the limit of its grant, and without organizations that do not let the application act there. */
export const openMemberships = membershipsWhere(
  sql`${membershipIsUsable(tables.memberships, authorizationIssue(tables.authorizationCodes))} AND ${allowsApplication(tables.clients, { organizationId: sql`${tables.memberships}.organization_id`, authorizedAt: sql`${tables.authorizationCodes}.created_at` })} AND ${reachesOrganization(tables.grants, sql`${tables.memberships}.organization_id`)}`,
  rightsWithinLimit(tables.grants, tables.memberships),
);

/** The columns of a live access token. */
const accessToken = sql`${tables.grants}.id AS credential_id, ${tables.clients}.id AS client_id, ${tables.authorizationCodes}.created_at AS authorized_at, ${tables.authorizationCodes}.second_factor,
  ${tables.grants}.last_used_at, ${tables.grants}.limited_to IS NOT NULL AS is_limited, ${tokenScopeColumns(tables.accessTokens)}, ${person}, ${openMemberships}`;

/** The first characters of every JWT: `{"` in base64url. */
const JWT_PREFIX = 'eyJ';

type Lookup = (hash: Uint8Array, secret: string, resource: OwnResource) => Sql;

/** Live API keys and sign-ins that meet the condition, with their owner and all memberships. */
export const liveKeys = (condition: Sql): Sql => sql`
    SELECT a.id AS credential_id, a.scopes::text[] AS scopes, a.last_used_at, a.authorized_at, a.second_factor, ${person}, ${keyMemberships}
    FROM ${apiKeys.from} JOIN ${users.from} ON u.id = a.user_id
    WHERE ${condition} AND a.revoked_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > now())
    AND u.disabled_at IS NULL`;
export const liveSignIns = (condition: Sql): Sql => sql`
    SELECT c.id AS credential_id, '{read,write}'::text[] AS scopes, c.last_used_at, ${person}, ${signInMemberships}
    FROM sign_ins c JOIN ${users.from} ON u.id = c.user_id
    WHERE ${condition} AND c.expires_at > now() AND u.disabled_at IS NULL`;

/** The statement for live credentials of each kind, by the prefix of their secret. It loads the viewer with all memberships. */
const LOOKUPS: Record<string, Lookup> = {
  dgk_: (hash) => liveKeys(sql`a.secret_hash = ${hash}`),
  dgs_: (hash) => liveSignIns(sql`c.secret_hash = ${hash}`),
  dga_: (hash, _, resource) => sql`
    SELECT ${accessToken}
    FROM ${liveAccessToken(hash)} AND ${isFor(resource, tables.accessTokens)}`,
  [JWT_PREFIX]: (hash, token, resource) => sql`
    SELECT ${accessToken}, j.public_jwk, now() AS read_at
    FROM ${liveAccessToken(hash, sql`LEFT JOIN signing_keys j ON j.purpose = 'TOKEN' AND j.id = ${keyIdOf(token) ?? null}`)} AND ${isFor(resource, tables.accessTokens)}`,
};

const pendingLookups = new WeakMap<Database, Map<string, Promise<Credential[]>>>();

/**
 * Requests to one resource with the same credential in the same turn of the event loop share one statement. It is sent after all of them
 * arrived, so its result is current for each.
 */
function lookUp(db: Database, secret: string, resource: OwnResource, lookup: Lookup): Promise<Credential[]> {
  const pending = memoize(pendingLookups, db, () => new Map());
  const key = `${resource} ${secret}`;
  const remove = () => pending.delete(key);
  return memoize(pending, key, () => {
    setImmediate(remove);
    return db.pipelined.query<Credential>(lookup(hashSecret(secret), secret, resource)).finally(remove);
  });
}

async function loadViewer(
  db: Database,
  secret: string,
  prefixes: readonly string[],
  resource: OwnResource = OWN_API,
): Promise<Viewer | undefined> {
  const prefix = prefixes.find((each) => secret.startsWith(each));
  if (prefix === undefined || secret.length > (prefix === JWT_PREFIX ? 2_000 : 100)) return undefined;
  const [credential] = await lookUp(db, secret, resource, LOOKUPS[prefix] as Lookup);
  if (!credential) return undefined;
  if (prefix === JWT_PREFIX && !(await isSignatureValid(credential, secret))) return undefined;
  if (prefix === 'dgk_') await recordUse(db, credential);
  if (prefix === 'dgs_') await recordSignInUse(db, credential);
  if (credential.clientId) await recordGrantUse(db, credential);
  const scopes = credential.scopes ?? effectiveScopes(credential as TokenScopes);
  return {
    ...identityOf(credential),
    scopes: new Set(apiScopesOf(scopes)),
    identityScopes: identityScopesOf(scopes),
  };
}

export function identityOf(credential: Credential) {
  const { credentialId, clientId, authorizedAt, secondFactor, isLimited } = credential;
  const { userId, email, isEmailVerified, name, memberships } = credential;
  return {
    ...{ credentialId, clientId, authorizedAt, secondFactor, isLimited },
    ...{ userId, email, isEmailVerified, name, memberships },
  };
}

const isSignatureValid = async ({ publicJwk, readAt }: Credential, token: string): Promise<boolean> =>
  Boolean(publicJwk && readAt && (await isSignedBy(publicJwk, token, readAt)));

/**
 * The viewer behind a bearer credential for this resource (RFC 6750 §2.1), or undefined: unknown, expired, revoked, malformed,
 * and issued for another resource alike. An API key is for all of them: its owner made it, for nobody else.
 */
export const viewerOfBearer = (db: Database, secret: string, resource: OwnResource = OWN_API) =>
  loadViewer(db, secret, ['dgk_', 'dga_', JWT_PREFIX], resource);

/** The viewer of a browser session's cookie. */
export const viewerOfSignIn = (db: Database, secret: string) => loadViewer(db, secret, ['dgs_']);

/** Last use is recorded to the minute, so that not every request writes. */
async function recordUse(db: Database, { credentialId, lastUsedAt }: Credential): Promise<void> {
  if (lastUsedAt && lastUsedAt.getTime() > Date.now() - MINUTE) return;
  await db.prisma.apiKey.updateMany({ where: { id: credentialId }, data: { lastUsedAt: new Date() } });
}

/** Likewise, to five minutes. */
async function recordSignInUse(db: Database, { credentialId, lastUsedAt }: Credential): Promise<void> {
  if (lastUsedAt && lastUsedAt.getTime() > Date.now() - 5 * MINUTE) return;
  await db.query(sql`UPDATE sign_ins s SET last_used_at = now() WHERE s.id = ${credentialId}`);
}

/** Likewise of access tokens, for their grant. A revocation at the same time is not waited for. */
async function recordGrantUse(db: Database, { credentialId, lastUsedAt }: Credential): Promise<void> {
  if (lastUsedAt && lastUsedAt.getTime() > Date.now() - 5 * MINUTE) return;
  await db.query(sql`UPDATE grants SET last_used_at = now() WHERE id = (
    SELECT g.id FROM grants g WHERE g.id = ${credentialId} FOR NO KEY UPDATE SKIP LOCKED)`);
}

/** The bearer credential of an Authorization header: undefined without a header, '' if it is no valid one. */
export function bearerOf(header: string | null | undefined): string | undefined {
  if (!header) return undefined;
  return /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(header)?.[1] ?? '';
}
