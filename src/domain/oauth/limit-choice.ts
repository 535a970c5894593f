import { sql } from '../../db/sql/sql.ts';
import { Rows } from '../../db/sql/table.ts';
import { visibleOrganizations, visibleProjects } from '../access/access.ts';
import { allowsApplication } from '../kernel/application-policy.ts';
import type { Context } from '../kernel/context.ts';
import { tables } from '../kernel/tables.ts';
import { findGrant, type GrantLimit, placesOf } from './grant-limit.ts';

const MAX_ORGANIZATIONS = 50;
const MAX_PROJECTS = 100;

/** Under an alias that conditions on them do not use. */
const organizations = new Rows('organizations', 'k');

/** An organization to which an application can be limited, with the first of its projects. */
interface LimitChoice {
  id: string;
  name: string;
  projects: readonly { id: string; name: string }[];
  /** There are projects that are not listed. */
  hasMore: boolean;
}

export interface LimitChoices {
  /** The application that the viewer allows; undefined if they do not allow it anything. */
  clientName: string | undefined;
  /** What the viewer limits the application to at present; null if nothing, or if they do not allow it anything. */
  limit: GrantLimit | null;
  choices: LimitChoice[];
}

/**
 * The organizations of the viewer in which an application may act, by name: at most 50, with at most 100 projects each; those of the
 * present limit come first.
 */
export async function limitChoices(ctx: Context, clientId: string): Promise<LimitChoices> {
  const { db, viewer } = ctx;
  const { projects, clients } = tables;
  const present = await findGrant(ctx, db, clientId);
  const limit = present?.limitedTo ? placesOf(present.limitedTo) : null;
  const { organizationIds, projectIds } = limit ?? { organizationIds: [], projectIds: [] };
  const act = { organizationId: sql`k.id`, authorizedAt: sql`'infinity'::timestamptz` };
  const rows = await db.query<Omit<LimitChoice, 'hasMore'>>(sql`SELECT k.id, k.name, coalesce((
      SELECT json_agg(json_build_object('id', x.id, 'name', x.name) ORDER BY x.position) FROM (
        SELECT p.id, p.name, row_number() OVER (ORDER BY p.id = ANY(${projectIds}) DESC, p.name_key, p.id) AS position
        FROM ${projects.from} WHERE p.organization_id = k.id AND ${visibleProjects(viewer, projects)}
        ORDER BY position LIMIT ${MAX_PROJECTS + 1}) x), '[]') AS projects
    FROM ${organizations.from} JOIN ${clients.from} ON c.id = ${clientId}
    WHERE ${visibleOrganizations(viewer, organizations)} AND ${allowsApplication(clients, act)}
    ORDER BY k.id = ANY(${organizationIds}) DESC, k.name_key, k.id LIMIT ${MAX_ORGANIZATIONS}`);
  const choices = rows.map(({ projects: first, ...row }) => ({
    ...row,
    projects: first.slice(0, MAX_PROJECTS),
    hasMore: first.length > MAX_PROJECTS,
  }));
  return { clientName: present?.clientName, limit, choices };
}
