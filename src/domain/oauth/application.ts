import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import { Rows } from '../../db/sql/table.ts';
import type { ApplicationDecision, ClientKind } from '../../generated/prisma/client.ts';
import { organizationsManagedInPerson } from '../access/access-application.ts';
import { reachesOrganization } from '../access/access-limit.ts';
import { isUnrevoked, policyAllows } from '../kernel/application-policy.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import type { Scope } from '../kernel/scope.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { publisherOf } from './client.ts';

/**
 * An application of another organization, or one that a document describes, as an organization sees it; `id` is the client's. isAllowed: it may act there now.
 * people, scopes and lastUsedAt: of the members who allow it, without what was authorized before `revokedAt`.
 */
export interface Application {
  id: string;
  organizationId: string;
  name: string;
  publisher: string;
  kind: ClientKind;
  isAllowed: boolean;
  decision: ApplicationDecision | null;
  decidedById: string | null;
  decidedAt: Date | null;
  requestedById: string | null;
  requestedAt: Date | null;
  revokedAt: Date | null;
  people: number;
  scopes: Scope[];
  lastUsedAt: Date | null;
}

/** The organization is one that the viewer manages. Applications do not see each other. */
const isManaged = (viewer: Viewer, organizationId: Sql): Sql =>
  sql`${organizationId} = ANY(${organizationsManagedInPerson(viewer)})`;

/** FROM and WHERE of the members who let the application act, with their grants, as the organization's decision leaves them. */
const grantsOfMembers = (
  applications: Rows<'clients'>,
  decisions: Rows<'organization_applications'>,
): Sql => sql`memberships m JOIN grants g ON g.client_id = ${applications}.id AND g.user_id = m.user_id AND g.revoked_at IS NULL
  AND ${isUnrevoked(decisions, sql`g.consented_at`)} AND ${reachesOrganization(tables.grants, sql`k.id`)} WHERE m.organization_id = k.id`;

const { clients, organizations, organizationApplications } = tables;
const publishers = new Rows('organizations', 'publisher');
const members = grantsOfMembers(clients, organizationApplications);

const columns = sql`c.id, k.id AS organization_id, c.name, ${publisherOf(clients, publishers)} AS publisher, c.kind::text AS kind, ${policyAllows(organizations, organizationApplications)} AS is_allowed,
  x.decision::text AS decision, x.decided_by_id, x.decided_at, x.requested_by_id, x.requested_at, x.revoked_at,
  (SELECT count(*)::int FROM ${members}) AS people,
  ARRAY(SELECT DISTINCT unnest(g.scopes) AS scope FROM ${members} ORDER BY scope)::text[] AS scopes,
  (SELECT max(g.last_used_at) FROM ${members}) AS last_used_at`;

const from = sql`${clients.from} LEFT JOIN ${publishers.from} ON ${publishers}.id = c.organization_id`;

const joins = sql`JOIN ${organizations.from} ON o.id = k.id
  LEFT JOIN ${organizationApplications.from} ON x.organization_id = k.id AND x.client_id = c.id`;

const isForeign = sql`(c.deleted_at IS NULL AND c.kind <> 'RESOURCE_SERVER' AND c.organization_id IS DISTINCT FROM k.id)`;

/** The applications of others that members of the organization allow, were asked for, or were decided about. */
export const applicationsOfOrganization: Listing<Application, { isWaiting?: boolean | null }, 'NAME'> = {
  name: 'applicationsOfOrganization',
  select: () => columns,
  from,
  joins,
  where: ({ viewer }, { isWaiting }) => sql`${isManaged(viewer, sql`k.id`)} AND ${isForeign} AND c.id IN (
    SELECT g.client_id FROM memberships m JOIN ${tables.grants.from} ON g.user_id = m.user_id AND g.revoked_at IS NULL
      WHERE m.organization_id = k.id AND ${reachesOrganization(tables.grants, sql`k.id`)}
    UNION SELECT y.client_id FROM organization_applications y WHERE y.organization_id = k.id)
    AND ${isWaiting ? sql`x.requested_at IS NOT NULL AND x.decision IS NULL` : sql`true`}`,
  sorts: { NAME: sortBy(sql`c.id`, sql`c.name`, 'text', (row) => row.name) },
};

/** An application of another organization, also one that nobody has used yet: a client_id is no secret. */
export async function findApplication(
  { db, viewer }: Context,
  { organizationId, clientId }: { organizationId: string; clientId: string },
  reader: Reader = db,
): Promise<Application | undefined> {
  const [application] = await reader.query<Application>(sql`SELECT ${columns}
    FROM (SELECT ${organizationId}::text AS id) k JOIN (${from}) ON ${isForeign} ${joins}
    WHERE c.id = ${clientId} AND ${isManaged(viewer, sql`k.id`)}`);
  return application;
}

/** What a member allows an application; `id` is the member's. */
export interface ApplicationUser {
  id: string;
  userId: string;
  scopes: Scope[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The members who allow an application, the parent: its id, and the organization that looks at it. */
export const usersOfApplication: Listing<ApplicationUser, object, 'CREATED_AT'> = {
  name: 'usersOfApplication',
  select: () => sql`m.id, m.user_id, g.scopes::text[] AS scopes, g.created_at, g.last_used_at`,
  from: sql`memberships m JOIN grants g ON g.user_id = m.user_id AND g.revoked_at IS NULL`,
  joins: sql`LEFT JOIN ${organizationApplications.from} ON x.organization_id = k.organization_id AND x.client_id = k.id`,
  where: ({ viewer }) => sql`m.organization_id = k.organization_id AND g.client_id = k.id
    AND ${isManaged(viewer, sql`m.organization_id`)} AND ${reachesOrganization(tables.grants, sql`m.organization_id`)} AND ${isUnrevoked(organizationApplications, sql`g.consented_at`)}`,
  sorts: { CREATED_AT: sortBy(sql`m.id`, sql`g.created_at`, 'timestamptz', (row) => row.createdAt) },
};

/** An organization of a user that does not let an application act there. */
export interface ClosedOrganization {
  id: string;
  name: string;
  /** Its owners and admins can be asked to allow it; `requested`: somebody has. */
  canRequest: boolean;
  requested: boolean;
}

/** The organizations of the viewer in which an application may not act. */
export const closedOrganizations = ({ db, viewer }: Context, clientId: string) =>
  db.query<ClosedOrganization>(sql`SELECT o.id, o.name, x.requested_at IS NOT NULL AS requested,
    o.application_policy = 'APPROVED_ONLY' AND x.decision IS NULL AND x.requested_at IS NULL AS can_request
    FROM ${organizations.from} JOIN clients c ON c.id = ${clientId}
    LEFT JOIN ${organizationApplications.from} ON x.organization_id = o.id AND x.client_id = c.id
    WHERE o.id ${sql.any(viewer.memberships.map(({ organizationId }) => organizationId))}
    AND o.id IS DISTINCT FROM c.organization_id AND NOT ${policyAllows(organizations, organizationApplications)} ORDER BY o.name_key, o.id`);
