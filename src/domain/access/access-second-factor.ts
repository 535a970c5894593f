import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';

/** Whether the account with this id has a second factor. */
export const accountHasSecondFactor = (userId: Sql): Sql => sql`(
  EXISTS (SELECT FROM authenticator_apps f WHERE f.user_id = ${userId})
  OR EXISTS (SELECT FROM passkeys f WHERE f.user_id = ${userId}))`;

/**
 * On memberships as `m`: usable, as the organization requires no second factor, or the member has one. All credentials of a
 * member are concerned, also API keys and applications: otherwise a password alone could create what outlasts it.
 */
export const membershipIsUsable = (
  m: Rows<'memberships'>,
): Sql => sql`(${accountHasSecondFactor(sql`${m}.user_id`)} OR NOT EXISTS (
  SELECT FROM organizations o WHERE o.id = ${m}.organization_id AND o.requires_second_factor))`;
