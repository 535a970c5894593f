import type { Reader } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { Invitation as InvitationRow } from '../../generated/prisma/client.ts';
import { visibleInvitations } from '../access/access-person.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import { verifiedEmail } from '../kernel/viewer.ts';

export type Invitation = InvitationRow & {
  /** Included because the invited person cannot see the organization yet. */
  organizationName: string;
  /** By the database's clock. */
  isExpired: boolean;
  /** Who sent it last. */
  invitedById: string;
};

/** Who answers for an invitation. It ends when they lose the right to invite. */
export const inviter = (invitations: Rows<'invitations'>): Sql =>
  sql`coalesce(${invitations}.resent_by_id, ${invitations}.created_by_id)`;

const columns = sql`i.*, i.expires_at <= now() AS is_expired, ${inviter(tables.invitations)} AS invited_by_id, o.name AS organization_name`;
const from = sql`${tables.invitations.from} JOIN organizations o ON o.id = i.organization_id`;

const listing = (name: string, parent: (ctx: Context) => Sql): Listing<Invitation, object, 'CREATED_AT'> => ({
  name,
  select: () => columns,
  from,
  where: (ctx) => sql`${parent(ctx)} AND ${visibleInvitations(ctx.viewer, tables.invitations)}`,
  sorts: {
    CREATED_AT: sortBy(sql`i.id`, sql`i.created_at`, 'timestamptz', (row) => row.createdAt),
  },
});

/** The invitations of an organization that are not answered, expired ones too. */
export const invitationsOfOrganization = listing(
  'invitationsOfOrganization',
  () => sql`i.organization_id = k.id`,
);

/** The invitations for the viewer's address that they can accept. */
export const invitationsOfViewer = listing(
  'invitationsOfViewer',
  ({ viewer }) => sql`i.email = ${verifiedEmail(viewer)} AND i.expires_at > now()`,
);

/** Returns the invitations with these ids that the viewer may see, in any order. */
export const findInvitations = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<Invitation>(
    sql`SELECT ${columns} FROM ${from} WHERE i.id ${sql.any(ids)} AND ${visibleInvitations(ctx.viewer, tables.invitations)}`,
  );
