import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { typeOfId } from '../../lib/id.ts';
import { isApplication, organizationsOf, organizationsWith, type Viewer } from '../kernel/viewer.ts';
import { adminOrganizations } from './access.ts';

/** Visibility of credentials and of what acts without a person: API keys, applications, grants, webhooks, bulk operations, security events. */

/** What is of the account and of no organization is not for a limited application. */
const ownerOfAccount = ({ userId, isLimited }: Viewer): string | null => (isLimited ? null : userId);

/** On security events: those of the viewer's own account. */
export const visibleSecurityEvents = (viewer: Viewer, s: Rows<'security_events'>): Sql =>
  sql`${s}.user_id = ${ownerOfAccount(viewer)}`;

/** On API keys: the viewer's own, unless revoked. */
export const visibleApiKeys = (viewer: Viewer, a: Rows<'api_keys'>): Sql =>
  sql`(${a}.user_id = ${ownerOfAccount(viewer)} AND ${a}.revoked_at IS NULL)`;

/** On clients: the applications of organizations in which the viewer is more than a guest. */
export const visibleClients = (viewer: Viewer, c: Rows<'clients'>): Sql => sql`(${c}.deleted_at IS NULL
  AND ${c}.organization_id = ANY(${organizationsWith(viewer, 'OWNER', 'ADMIN', 'MEMBER')}))`;

/** On grants: those that the viewer gave to applications and has not revoked; a limited application sees its own. */
export const visibleGrants = (viewer: Viewer, g: Rows<'grants'>): Sql =>
  sql`(${sql.all([
    sql`${g}.user_id = ${viewer.userId} AND ${g}.revoked_at IS NULL`,
    viewer.isLimited && sql`${g}.id = ${viewer.credentialId}`,
  ])})`;

/** On webhooks: for owners and admins of the organization. An application sees only those it created for this user. */
export const visibleWebhooks = (
  viewer: Viewer,
  w: Rows<'webhooks'>,
): Sql => sql`(${w}.organization_id = ANY(${adminOrganizations(viewer)})
  AND ${
    isApplication(viewer)
      ? sql`(${w}.owner_id = ${viewer.userId}
    AND ${w}.client_id = (SELECT x.client_id FROM grants x WHERE x.id = ${viewer.credentialId}))`
      : sql`true`
  })`;

/** On bulk operations: the viewer's own, and all to owners and admins. An application sees those that it started for this user. */
export const visibleBulkOperations = (viewer: Viewer, b: Rows<'bulk_operations'>): Sql =>
  isApplication(viewer)
    ? sql`(${b}.organization_id = ANY(${organizationsOf(viewer)}) AND ${b}.credential_id = ${viewer.credentialId})`
    : sql`((${b}.organization_id = ANY(${organizationsOf(viewer)}) AND ${b}.created_by_id = ${viewer.userId})
  OR ${b}.organization_id = ANY(${adminOrganizations(viewer)}))`;

/**
 * Whether the viewer started background work, and uses the credential that did, or a browser session: its results show what that
 * credential may read.
 */
export const readsResults = (
  { userId, credentialId }: Viewer,
  started: { createdById: string; credentialId: string },
): boolean =>
  userId === started.createdById &&
  (credentialId === started.credentialId || typeOfId(credentialId) === 'SignIn');
