import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { type InProject, tables } from '../kernel/tables.ts';
import { isEditor } from './access.ts';
import { someCredentialReaches } from './access-second-factor.ts';

/**
 * Whether people who caused a mail could cause it at this moment. A mail is checked when it is handed over: what was queued by
 * who has lost the right meanwhile is not sent in their name.
 */

const usable = (m: Rows<'memberships'>): Sql =>
  sql`EXISTS (SELECT FROM users y WHERE y.id = ${m}.user_id AND y.disabled_at IS NULL) AND ${someCredentialReaches(m)}`;

/** On a row with a project: the person may edit there, and sign in. */
export const stillEditsProjectOf = (row: Rows<InProject>, userId: string): Sql => sql`EXISTS (
  SELECT FROM ${tables.memberships.from} JOIN ${tables.projects.from} ON p.organization_id = m.organization_id
  WHERE m.user_id = ${userId} AND p.organization_id = ${row}.organization_id AND p.id = ${row}.project_id
    AND ${usable(tables.memberships)} AND ${isEditor(tables.memberships, tables.projects)})`;

/** On invitations: the person with this id may invite with this role, and sign in. */
export const stillInvites = (i: Rows<'invitations'>, userId: Sql): Sql => sql`EXISTS (
  SELECT FROM ${tables.memberships.from} WHERE m.organization_id = ${i}.organization_id AND m.user_id = ${userId} AND ${usable(tables.memberships)}
    AND (m.role = 'OWNER' OR (m.role = 'ADMIN' AND ${i}.role <> 'OWNER')))`;
