import type { Database } from '../db/database.ts';
import { type Sql, sql } from '../db/sql/sql.ts';
import type { BulkCredential } from '../domain/bulk/bulk-claim.ts';
import { apiScopesOf, narrowScopes } from '../domain/kernel/scope.ts';
import { tables } from '../domain/kernel/tables.ts';
import type { Viewer } from '../domain/kernel/viewer.ts';
import { typeOfId } from '../lib/id.ts';
import { type Credential, identityOf, liveKeys, liveSignIns, openMemberships, person } from './bearer.ts';

/**
 * The viewer behind a credential that began something, with its present rights in this organization alone and within the scopes that it
 * had then. Undefined if the credential has ended, or does not reach the organization any more.
 */
export async function viewerOfCredential(db: Database, held: BulkCredential): Promise<Viewer | undefined> {
  const statement = statementOf(held);
  const [credential] = statement ? await db.query<Credential>(statement) : [];
  const memberships = (credential?.memberships ?? []).filter(
    ({ organizationId }) => organizationId === held.organizationId,
  );
  if (!credential || memberships.length === 0 || credential.userId !== held.createdById) return undefined;
  const scopes = narrowScopes(held.scopes, ...limitsOf(credential));
  return {
    ...identityOf(credential),
    memberships,
    isLimited: true,
    scopes: new Set(apiScopesOf(scopes)),
  };
}

const limitsOf = ({ scopes, grantScopes, clientScopes }: Credential) =>
  [scopes, grantScopes, clientScopes].filter((each) => each !== undefined);

function statementOf(held: BulkCredential): Sql | undefined {
  const { credentialId } = held;
  const type = typeOfId(credentialId);
  if (type === 'ApiKey') return liveKeys(sql`${tables.apiKeys}.id = ${credentialId}`);
  if (type === 'SignIn') return liveSignIns(sql`c.id = ${credentialId}`);
  return type === 'Grant' ? liveGrant(held) : undefined;
}

/** Of an application, the authorization that its access token derived from counts: tokens end sooner, and are refreshed. */
function liveGrant({ credentialId, authorizedAt }: BulkCredential): Sql {
  const { authorizationCodes, clients, grants, users } = tables;
  return sql`SELECT ${grants}.id AS credential_id, ${clients}.id AS client_id, ${authorizationCodes}.created_at AS authorized_at,
      ${authorizationCodes}.second_factor, ${grants}.limited_to IS NOT NULL AS is_limited,
      ${grants}.scopes::text[] AS grant_scopes, ${clients}.scopes::text[] AS client_scopes, ${person}, ${openMemberships}
    FROM ${grants.from} JOIN ${clients.from} ON c.id = g.client_id JOIN ${users.from} ON u.id = g.user_id
    JOIN ${authorizationCodes.from} ON f.grant_id = g.id AND f.created_at = ${authorizedAt}::timestamptz AND f.revoked_at IS NULL
    WHERE ${grants}.id = ${credentialId} AND ${grants}.revoked_at IS NULL AND ${clients}.deleted_at IS NULL
    AND u.disabled_at IS NULL LIMIT 1`;
}
