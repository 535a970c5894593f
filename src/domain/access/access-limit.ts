import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { forbidden } from '../kernel/errors.ts';
import type { InProject } from '../kernel/tables.ts';
import { limitedOrganizations, type Viewer } from '../kernel/viewer.ts';

/**
 * What an application reaches whose user limited it to projects (docs/access.md). In these projects it has the rights of its
 * user; in their organization those of a guest, who sees the people of the projects.
 */

/** The projects to which the credential is limited, in organizations of which it reaches projects only. */
export const reachedProjects = ({ memberships }: Viewer): string[] =>
  memberships.flatMap(({ projects }) => projects?.ids ?? []);

/** The credential reaches this project; undefined if it reaches all that the person sees. */
export function reaches(viewer: Viewer, organizationId: Sql, projectId: Sql): Sql | undefined {
  const limited = limitedOrganizations(viewer);
  return limited.length === 0
    ? undefined
    : sql`(${organizationId} <> ALL(${limited}) OR coalesce(${projectId} = ANY(${reachedProjects(viewer)}), false))`;
}

/** The same of the project of a row; a row of the organization itself is not reached. */
export const reachesProjectOf = (viewer: Viewer, row: Rows<InProject>): Sql | undefined =>
  reaches(viewer, sql`${row}.organization_id`, sql`${row}.project_id`);

/** Throws FORBIDDEN to an application that is limited to projects of the organization. */
export function requireWholeOrganization(viewer: Viewer, organizationId: string): void {
  if (limitedOrganizations(viewer).includes(organizationId))
    throw forbidden('The application is limited to projects of the organization.', undefined, {
      rule: 'AUTHORIZATION_LIMIT',
    });
}

/** On grants: the application reaches the organization, or projects of it. */
export const reachesOrganization = (g: Rows<'grants'>, organizationId: Sql): Sql =>
  sql`(${g}.limited_to IS NULL OR ${g}.limited_to ? ${organizationId})`;

/** On grants: the application reaches the whole organization. */
export const reachesWholeOrganization = (g: Rows<'grants'>, organizationId: Sql): Sql =>
  sql`(${g}.limited_to IS NULL OR ${g}.limited_to -> ${organizationId} = 'null'::jsonb)`;

/** Members of a JSON object: what an application may do with a membership of its user. */
export function rightsWithinLimit(g: Rows<'grants'>, m: Rows<'memberships'>): Sql {
  const projects = sql`${g}.limited_to -> ${m}.organization_id`;
  const isProjects = sql`coalesce(jsonb_typeof(${projects}) = 'array', false)`;
  return sql`'role', CASE WHEN ${isProjects} THEN 'GUEST' ELSE ${m}.role::text END,
    'projects', CASE WHEN ${isProjects} THEN json_build_object('ids', ${projects}, 'role', ${m}.role) END`;
}
