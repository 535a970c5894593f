import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { organizationsWith, type Viewer } from '../kernel/viewer.ts';
import { guestOrganizations } from './access.ts';

/** On groups: all of the organization; for a guest those that they are in. */
export const visibleGroups = (viewer: Viewer, gr: Rows<'groups'>): Sql => sql`(
  ${gr}.organization_id = ANY(${organizationsWith(viewer, 'OWNER', 'ADMIN', 'MEMBER')})
  OR (${gr}.organization_id = ANY(${guestOrganizations(viewer)}) AND EXISTS (SELECT FROM group_members gm
    WHERE gm.organization_id = ${gr}.organization_id AND gm.group_id = ${gr}.id AND gm.user_id = ${viewer.userId})))`;
