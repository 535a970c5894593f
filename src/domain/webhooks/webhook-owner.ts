import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { Webhook } from '../../generated/prisma/client.ts';
import { typeOfId } from '../../lib/id.ts';
import { reachesWholeOrganization } from '../access/access-limit.ts';
import { membershipIsUsable } from '../access/access-second-factor.ts';
import { issueOfColumns } from '../access/credential-issue.ts';
import { isManager } from '../access/role.ts';
import { allowsApplication } from '../kernel/application-policy.ts';
import { includes, narrowScopes, type Scope } from '../kernel/scope.ts';
import { tables } from '../kernel/tables.ts';
import { isApplication, type Viewer } from '../kernel/viewer.ts';

type Owned = Pick<
  Webhook,
  'organizationId' | 'ownerId' | 'credentialId' | 'clientId' | 'authorizedAt' | 'secondFactor'
>;

type Owners = Rows<'users'>;

/** FROM and WHERE of the application that created the webhook. */
const application = ({ clientId, credentialId }: Owned): Sql => sql`${tables.clients.from}
  WHERE c.id = coalesce(${clientId}, (SELECT g.client_id FROM grants g WHERE g.id = ${credentialId})) AND c.deleted_at IS NULL`;

/** What all grants of the user to the application allow it: repeated sign-ins may have created several. */
const grantScopes = (
  hook: Owned,
  owners: Owners,
): Sql => sql`(SELECT array_agg(DISTINCT s.scope::text) FROM ${tables.grants.from}
  CROSS JOIN LATERAL unnest(g.scopes) s(scope) WHERE g.user_id = ${owners}.id AND g.revoked_at IS NULL
  AND ${reachesWholeOrganization(tables.grants, sql`${hook.organizationId}`)}
  AND g.client_id = (SELECT ${tables.clients}.id FROM ${application(hook)}))`;

/** The scopes of the API key that created the webhook, while it is valid. */
const keyScopes = (
  { credentialId }: Owned,
  owners: Owners,
): Sql => sql`(SELECT a.scopes::text[] FROM api_keys a
  WHERE a.id = ${credentialId} AND a.user_id = ${owners}.id AND a.revoked_at IS NULL AND (a.expires_at IS NULL OR a.expires_at > now()))`;

/** Null where there is no such credential any more. */
interface CredentialScopes {
  keyScopes: Scope[] | null;
  grantScopes: Scope[] | null;
  clientScopes: Scope[] | null;
}

/** What the credential that created the webhook may still read; a session depends on the user alone. */
function readScopes({ credentialId }: Owned, scopes: CredentialScopes): Scope[] {
  const type = typeOfId(credentialId);
  if (type === 'ApiKey') return narrowScopes(scopes.keyScopes ?? [], ['read']);
  if (type === 'Grant') return narrowScopes(scopes.grantScopes ?? [], scopes.clientScopes ?? [], ['read']);
  return ['read'];
}

/** The organization lets the application act there; null for a webhook that no application created. */
const isOpen = (hook: Owned, owners: Owners): Sql =>
  sql`(SELECT ${allowsApplication(tables.clients, {
    organizationId: sql`${hook.organizationId}`,
    authorizedAt: sql`(SELECT max(g.consented_at) FROM grants g
    WHERE g.user_id = ${owners}.id AND g.client_id = ${tables.clients}.id AND g.revoked_at IS NULL)`,
  })} FROM ${application(hook)})`;

interface Owner extends CredentialScopes {
  usable: boolean;
  open: boolean | null;
  email: string;
  isEmailVerified: boolean;
  name: string;
  role: Viewer['memberships'][0]['role'];
}

const REMEDY = 'Whoever updates it becomes its owner.';
const REASONS = {
  role: `Its owner may not manage the organization any more. ${REMEDY}`,
  application: `Its owner does not let the application that set it up read any more, or the application is gone. ${REMEDY}`,
  secondFactor: `The organization requires a second factor, which its owner does not have. ${REMEDY}`,
  closed: `The organization does not allow the application that set it up. ${REMEDY}`,
  key: `The API key that set it up was deleted, has expired, or may not read any more. ${REMEDY}`,
};

/**
 * The owner of a webhook as a viewer with their present rights: to read what its credential may, in its organization alone. Returns the reason
 * instead when they no longer manage the organization, or the credential that created the webhook has ended.
 */
export async function ownerOf(db: Database, hook: Owned): Promise<Viewer | string> {
  const { organizationId, ownerId, credentialId } = hook;
  const [owner] =
    await db.query<Owner>(sql`SELECT u.email, u.email_verified_at IS NOT NULL AS is_email_verified, u.name, m.role::text AS role,
    ${membershipIsUsable(tables.memberships, issueOfColumns(hook))} AS usable, ${isOpen(hook, tables.users)} AS open, ${keyScopes(hook, tables.users)} AS key_scopes, ${grantScopes(hook, tables.users)} AS grant_scopes,
    (SELECT ${tables.clients}.scopes::text[] FROM ${application(hook)}) AS client_scopes
    FROM ${tables.users.from} JOIN ${tables.memberships.from} ON m.user_id = u.id AND m.organization_id = ${organizationId}
    WHERE u.id = ${ownerId} AND u.disabled_at IS NULL`);
  if (!owner || !isManager(owner.role)) return REASONS.role;
  if (!owner.usable) return REASONS.secondFactor;
  if (owner.open === false) return REASONS.closed;
  const { role, email, isEmailVerified, name } = owner;
  const scopes = readScopes(hook, owner);
  const memberships = [{ organizationId, role }];
  const viewer = {
    ...{ userId: ownerId, email, isEmailVerified, name, credentialId, memberships },
    scopes: new Set(scopes),
  };
  if (includes(scopes, 'events:read')) return viewer;
  return isApplication(viewer) ? REASONS.application : REASONS.key;
}
