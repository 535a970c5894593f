import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Scope } from '../../generated/prisma/client.ts';
import { requireNoApplication } from '../access/access-application.ts';
import { visibleGrants } from '../access/access-credential.ts';
import type { Context } from '../kernel/context.ts';
import { notFound } from '../kernel/errors.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { revokeGrants } from './grant-end.ts';

/** The scopes the viewer has already allowed an application. */
export async function allowedScopes({ db, viewer }: Context, clientId: string): Promise<Set<Scope>> {
  const rows = await db.query<{ scope: Scope }>(sql`
    SELECT DISTINCT unnest(g.scopes)::text AS scope FROM grants g
    WHERE g.client_id = ${clientId} AND ${visibleGrants(viewer)}`);
  return new Set(rows.map(({ scope }) => scope));
}

/** All that the viewer allows one application, whose id it bears. lastUsedAt: when it last got a pair of tokens. */
export interface Authorization {
  id: string;
  clientName: string;
  organizationName: string;
  scopes: Scope[];
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Grants (`g`) of the user that is the list's parent (`k`) to the application (`c`). */
const granted = ({ viewer }: Context) =>
  sql`g.client_id = c.id AND g.user_id = k.id AND ${visibleGrants(viewer)}`;

const since = sql`(SELECT min(g.created_at) FROM grants g
  WHERE g.client_id = c.id AND g.user_id = k.id AND g.revoked_at IS NULL)`;

/** The applications that the viewer, who is the parent, allows something. */
export const authorizationsOfViewer: Listing<Authorization, object, 'CREATED_AT'> = {
  name: 'authorizationsOfViewer',
  select: (ctx) => sql`c.id, c.name AS client_name, o.name AS organization_name, ${since} AS created_at,
    ARRAY(SELECT DISTINCT unnest(g.scopes) AS scope FROM grants g WHERE ${granted(ctx)} ORDER BY scope)::text[] AS scopes,
    (SELECT max(t.created_at) FROM refresh_tokens t JOIN grants g ON g.id = t.grant_id WHERE ${granted(ctx)}) AS last_used_at`,
  from: sql`clients c JOIN organizations o ON o.id = c.organization_id`,
  where: (ctx) => sql`c.deleted_at IS NULL AND EXISTS (SELECT FROM grants g WHERE ${granted(ctx)})`,
  sorts: {
    CREATED_AT: sortBy(sql`c.id`, since, 'timestamptz', (row) => row.createdAt),
  },
};

/**
 * Takes back all that the viewer allowed an application: its tokens are refused from the next request on. For the
 * viewer alone; an application ends its own tokens at the revocation endpoint.
 */
export async function revokeAuthorization(ctx: Context, { clientId }: { clientId: string }): Promise<string> {
  requireNoApplication(ctx.viewer, 'authorizations');
  return inTransaction(ctx.db, async (tx) => {
    const mine = sql`g.client_id = ${clientId} AND ${visibleGrants(ctx.viewer)}`;
    const ended = await revokeGrants(tx, mine, 'revoked_by_user');
    if (ended.length === 0) throw notFound('Authorization');
    return clientId;
  });
}
