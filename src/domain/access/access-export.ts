import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { OWNERS } from '../kernel/access-rule.ts';
import { forbidden, notFound } from '../kernel/errors.ts';
import { isApplication, organizationsOf, organizationsWith, type Viewer } from '../kernel/viewer.ts';
import { requireNoApplication } from './access-application.ts';

/** On exports of an organization: for its owners in person, as an archive shows all of it. */
export const visibleOrganizationExports = (viewer: Viewer, ox: Rows<'organization_exports'>): Sql =>
  sql`${ox}.organization_id = ANY(${isApplication(viewer) ? [] : organizationsWith(viewer, 'OWNER')})`;

/** Throws FORBIDDEN unless the viewer may export the organization, and NOT_FOUND to those who are no members. */
export function requireExporter(viewer: Viewer, organizationId: string): void {
  requireNoApplication(viewer, 'exports');
  if (!organizationsOf(viewer).includes(organizationId)) throw notFound('Organization', 'organizationId');
  if (!organizationsWith(viewer, 'OWNER').includes(organizationId))
    throw forbidden('This takes the role OWNER in the organization.', undefined, OWNERS);
}

/** On exports: whoever started it is still an owner of the organization, with an account that is not disabled. */
export const startedByOwner = (ox: Rows<'organization_exports'>): Sql =>
  sql`EXISTS (SELECT FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = ${ox}.organization_id
    AND m.user_id = ${ox}.created_by_id AND m.role = 'OWNER' AND u.disabled_at IS NULL)`;
