import type { Reader } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { ProjectInvitation as ProjectInvitationRow } from '../../generated/prisma/client.ts';
import { foldEmail } from '../../lib/text/email-address.ts';
import { visibleProjectInvitations } from '../access/access-person.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import type { PersonFilter } from '../users/person.ts';

/** An invited person who gets a role in a project with the acceptance. */
export type ProjectInvitation = ProjectInvitationRow & { email: string };

const columns = sql`pi.*, i.email`;
const from = sql`${tables.projectInvitations.from}
  JOIN invitations i ON i.organization_id = pi.organization_id AND i.id = pi.invitation_id`;

type Filter = Pick<PersonFilter, 'emailPrefix' | 'emails'>;

/** The people who join a project when they accept their invitation to the organization. */
export const invitationsOfProject: Listing<ProjectInvitation, Filter, 'CREATED_AT'> = {
  name: 'invitationsOfProject',
  select: () => columns,
  from,
  where: ({ viewer }, { emailPrefix, emails }) =>
    sql.all([
      sql`pi.organization_id = k.organization_id AND pi.project_id = k.id`,
      visibleProjectInvitations(viewer, tables.projectInvitations),
      emailPrefix && sql`starts_with(i.email, ${foldEmail(emailPrefix)})`,
      emails && sql`i.email = ANY(${emails.map(foldEmail)})`,
    ]),
  sorts: {
    CREATED_AT: sortBy(sql`pi.id`, sql`pi.created_at`, 'timestamptz', (row) => row.createdAt),
  },
};

/** Returns the project invitations with these ids that the viewer may see, in any order. */
export const findProjectInvitations = (ctx: Context, ids: readonly string[], reader: Reader = ctx.db) =>
  reader.query<ProjectInvitation>(
    sql`SELECT ${columns} FROM ${from} WHERE pi.id ${sql.any(ids)} AND ${visibleProjectInvitations(ctx.viewer, tables.projectInvitations)}`,
  );
