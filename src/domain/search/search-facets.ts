import { sql } from '../../db/sql/sql.ts';
import { visibleProjects } from '../access/access.ts';
import type { Context } from '../kernel/context.ts';
import { fallbackOf, type Parent } from '../kernel/listing.ts';
import { COUNT_LIMIT } from '../kernel/listing-count.ts';
import { tables } from '../kernel/tables.ts';
import { hitsOf } from './search.ts';
import type { SearchScope } from './search-match.ts';
import { isRanked, type Search, SUBJECT_TAGS } from './search-query.ts';

export type Facet = 'KIND' | 'STATE' | 'PROJECT' | 'CREATOR' | 'TAG';

/** How many matches share a value: a kind, a state, the id of a project or person, or a tag. */
export interface FacetCount {
  value: string;
  count: number;
}

const MAX_VALUES = 20;

/** The most frequent values of each facet among the visible matches, of which at most COUNT_LIMIT are counted. */
export async function facetsOf(
  ctx: Context,
  scope: SearchScope,
  { organizationId, id }: Parent,
  search: Search,
): Promise<Record<Facet, FacetCount[]>> {
  const hits = hitsOf(ctx, scope, search, isRanked(search) ? 'RELEVANCE' : 'CREATED_AT');
  const { from, where } = fallbackOf(ctx, hits, search);
  const rows = await ctx.db.query<{ facet: Facet; value: string; count: bigint }>(sql`
    WITH hits AS MATERIALIZED (
      SELECT e.organization_id, e.subject_id, e.project_id, e.kind, e.state, e.created_by_id
      FROM (VALUES (${organizationId}, ${id})) AS k(organization_id, id) CROSS JOIN LATERAL (
        SELECT e.* FROM ${from} WHERE ${where(ctx, search)} LIMIT ${sql.raw(String(COUNT_LIMIT))}) e),
    counts AS (
      SELECT 'KIND' AS facet, kind AS value, count(*) AS count FROM hits GROUP BY kind
      UNION ALL SELECT 'STATE', state, count(*) FROM hits GROUP BY state
      UNION ALL SELECT 'PROJECT', p.id, count(*) FROM hits h JOIN ${tables.projects.from}
        ON p.organization_id = h.organization_id AND p.id = h.project_id WHERE ${visibleProjects(ctx.viewer, tables.projects)} GROUP BY p.id
      UNION ALL SELECT 'CREATOR', created_by_id, count(*) FROM hits GROUP BY created_by_id
      UNION ALL SELECT 'TAG', min(t.text), count(*) FROM hits h
        JOIN ${SUBJECT_TAGS} x ON x.organization_id = h.organization_id AND x.subject_id = h.subject_id
        JOIN tags t ON t.organization_id = x.organization_id AND t.id = x.tag_id GROUP BY t.text_key)
    SELECT facet, value, count FROM (
      SELECT *, row_number() OVER (PARTITION BY facet ORDER BY count DESC, value) AS position FROM counts) ranked
    WHERE position <= ${MAX_VALUES} ORDER BY position`);
  const facets: Record<Facet, FacetCount[]> = { KIND: [], STATE: [], PROJECT: [], CREATOR: [], TAG: [] };
  for (const { facet, value, count } of rows) facets[facet].push({ value, count: Number(count) });
  return facets;
}
