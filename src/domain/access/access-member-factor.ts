import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { organizationsManagedInPerson } from './access-application.ts';
import { accountHasSecondFactor } from './access-second-factor.ts';

/**
 * On memberships, a value to select: whether the account has a second factor. Null unless the viewer is an owner or admin of the
 * organization: others would learn whose password is enough, and so would applications.
 */
export const memberHasSecondFactor = (
  viewer: Viewer,
  m: Rows<'memberships'>,
): Sql => sql`(CASE WHEN ${m}.organization_id = ANY(${organizationsManagedInPerson(viewer)})
  THEN ${accountHasSecondFactor(sql`${m}.user_id`)} END)`;
