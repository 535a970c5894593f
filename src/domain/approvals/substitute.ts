import { sql } from '../../db/sql/sql.ts';
import { visibleMemberships } from '../access/access-person.ts';
import type { Context } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';
import type { User } from '../users/user.ts';

/** Who stands in for a member in approvals. id: of the membership; startsAt may be later than now. */
export interface Substitute {
  id: string;
  user: User;
  startsAt: Date;
  endsAt: Date;
}

/** The substitutes of these members that have not ended, of those whom the viewer sees. */
export const findSubstitutes = ({ db, viewer }: Context, memberIds: readonly string[]) =>
  db.query<Substitute>(sql`SELECT m.id, json_build_object('id', u.id, 'email', u.email, 'name', u.name) AS "user",
      b.starts_at, b.ends_at
    FROM ${tables.memberships.from} JOIN substitutes b ON b.organization_id = m.organization_id AND b.user_id = m.user_id
    JOIN ${tables.users.from} ON u.id = b.to_id
    WHERE m.id ${sql.any(memberIds)} AND b.ends_at > now() AND ${visibleMemberships(viewer, tables.memberships)}`);
