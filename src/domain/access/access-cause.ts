import { type Sql, sql } from '../../db/sql/sql.ts';
import { isEditor } from './access.ts';
import { membershipIsUsable } from './access-second-factor.ts';

/**
 * Whether people who caused a mail could cause it at this moment. A mail is checked when it is handed over: what was queued by
 * who has lost the right meanwhile is not sent in their name.
 */

const usable: Sql = sql`EXISTS (SELECT FROM users y WHERE y.id = m.user_id AND y.disabled_at IS NULL) AND ${membershipIsUsable}`;

/** On a row with a project: the person may edit there, and sign in. */
export const stillEditsProjectOf = (row: Sql, userId: string): Sql => sql`EXISTS (
  SELECT FROM memberships m JOIN projects p ON p.organization_id = m.organization_id
  WHERE m.user_id = ${userId} AND p.organization_id = ${row}.organization_id AND p.id = ${row}.project_id
    AND ${usable} AND ${isEditor})`;

/** On invitations as `i`: the person with this id may invite with this role, and sign in. */
export const stillInvites = (userId: Sql): Sql => sql`EXISTS (
  SELECT FROM memberships m WHERE m.organization_id = i.organization_id AND m.user_id = ${userId} AND ${usable}
    AND (m.role = 'OWNER' OR (m.role = 'ADMIN' AND i.role <> 'OWNER')))`;
