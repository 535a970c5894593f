import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { organizationsWith, type Viewer } from '../kernel/viewer.ts';
import { adminOrganizations } from './access.ts';

/** On retention policies and their assignments: all of the organization; guests see none. */
export const visibleRetention = (
  viewer: Viewer,
  rows: Rows<'retention_policies' | 'retention_assignments'>,
): Sql => sql`${rows}.organization_id = ANY(${organizationsWith(viewer, 'OWNER', 'ADMIN', 'MEMBER')})`;

/** On disposals: for owners and admins of the organization, as they name documents of every project. */
export const visibleDisposals = (viewer: Viewer, di: Rows<'disposals'>): Sql =>
  sql`${di}.organization_id = ANY(${adminOrganizations(viewer)})`;
