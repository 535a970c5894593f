import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Invitation as InvitationRow } from '../../generated/prisma/client.ts';
import { visibleInvitations } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';

/** organizationName: included because the invited person cannot see the organization yet. */
export type Invitation = InvitationRow & { organizationName: string };

const columns = sql`i.*, o.name AS organization_name`;
const from = sql`invitations i JOIN organizations o ON o.id = i.organization_id`;

const listing = (name: string, parent: (ctx: Context) => Sql): Listing<Invitation, object, 'CREATED_AT'> => ({
  name,
  select: () => columns,
  from,
  where: (ctx) => sql`${parent(ctx)} AND ${visibleInvitations(ctx.viewer)}`,
  sorts: {
    CREATED_AT: sortBy(sql`i.id`, sql`i.created_at`, 'timestamptz', (row) => row.createdAt),
  },
});

/** The open invitations of an organization. */
export const invitationsOfOrganization = listing(
  'invitationsOfOrganization',
  () => sql`i.organization_id = k.id`,
);

/** The invitations for the viewer's address. */
export const invitationsOfViewer = listing(
  'invitationsOfViewer',
  ({ viewer }) => sql`i.email = ${viewer.email}`,
);

/** Returns the invitations with these ids that the viewer may see, in any order. */
export const findInvitations = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Invitation>(
    sql`SELECT ${columns} FROM ${from} WHERE i.id = ANY(${ids}) AND ${visibleInvitations(ctx.viewer)}`,
  );
