import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { inTransaction } from '../../db/transaction.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { visibleGrants } from '../access/access-credential.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import type { ApplicationScope } from '../kernel/scope.ts';
import { tables } from '../kernel/tables.ts';
import { publisherOf } from './client.ts';
import { revokeGrants } from './grant-end.ts';
import type { StoredLimit } from './grant-limit.ts';

/** The scopes that the viewer has already granted to an application. */
export async function allowedScopes(
  { db, viewer }: Context,
  clientId: string,
): Promise<Set<ApplicationScope>> {
  const rows = await db.query<{ scope: ApplicationScope }>(sql`
    SELECT DISTINCT unnest(g.scopes)::text AS scope FROM ${tables.grants.from}
    WHERE g.client_id = ${clientId} AND ${visibleGrants(viewer, tables.grants)}`);
  return new Set(rows.map(({ scope }) => scope));
}

/** All that the viewer grants to one application; `id` is the client's. lastUsedAt: when it last obtained or used a token. */
export interface Authorization {
  id: string;
  clientName: string;
  organizationName: string;
  scopes: ApplicationScope[];
  limitedTo: StoredLimit;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Condition on grants: from the user, the list's parent (`k`), to the application. */
const isGranted = ({ viewer }: Context, grants: Rows<'grants'>, applications: Rows<'clients'>): Sql =>
  sql`${grants}.client_id = ${applications}.id AND ${grants}.user_id = k.id AND ${visibleGrants(viewer, grants)}`;

const grantedSince = (
  applications: Rows<'clients'>,
): Sql => sql`(SELECT min(g.created_at) FROM ${tables.grants.from}
  WHERE g.client_id = ${applications}.id AND g.user_id = k.id AND g.revoked_at IS NULL)`;

/** The applications to which the viewer, who is the parent, grants something. */
export const authorizationsOfViewer: Listing<Authorization, object, 'CREATED_AT'> = {
  name: 'authorizationsOfViewer',
  select: (
    ctx,
  ) => sql`c.id, c.name AS client_name, ${publisherOf(tables.clients, tables.organizations)} AS organization_name, ${grantedSince(tables.clients)} AS created_at,
    ARRAY(SELECT DISTINCT unnest(g.scopes) AS scope FROM ${tables.grants.from} WHERE ${isGranted(ctx, tables.grants, tables.clients)} ORDER BY scope)::text[] AS scopes,
    (SELECT g.limited_to FROM ${tables.grants.from} WHERE ${isGranted(ctx, tables.grants, tables.clients)} ORDER BY g.created_at DESC LIMIT 1) AS limited_to,
    (SELECT max(greatest(g.last_used_at, (SELECT max(t.created_at) FROM refresh_tokens t WHERE t.grant_id = g.id)))
      FROM ${tables.grants.from} WHERE ${isGranted(ctx, tables.grants, tables.clients)}) AS last_used_at`,
  from: sql`${tables.clients.from} LEFT JOIN organizations o ON o.id = c.organization_id`,
  where: (ctx) =>
    sql`c.deleted_at IS NULL AND EXISTS (SELECT FROM ${tables.grants.from} WHERE ${isGranted(ctx, tables.grants, tables.clients)})`,
  sorts: {
    CREATED_AT: sortBy(sql`c.id`, grantedSince(tables.clients), 'timestamptz', (row) => row.createdAt),
  },
};

/**
 * Revokes all that the viewer granted to an application; its tokens are refused from the next request on. Throws
 * FORBIDDEN to applications, which use the revocation endpoint, and NOT_FOUND. Returns the client's id.
 */
export async function revokeAuthorization(ctx: Context, { clientId }: { clientId: string }): Promise<string> {
  requireNoApplication(ctx.viewer, 'authorizations');
  return inTransaction(ctx.db, async (tx) => {
    const mine = (grants: Rows<'grants'>) =>
      sql`${grants}.client_id = ${clientId} AND ${visibleGrants(ctx.viewer, grants)}`;
    const ended = await revokeGrants(tx, mine, 'revoked_by_user');
    if (ended.length === 0) throw notFound('Authorization');
    return clientId;
  });
}
