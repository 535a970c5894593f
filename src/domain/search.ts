import { type Sql, sql } from '../db/sql.ts';
import { visibleEntries } from './access-search.ts';
import type { Context } from './context.ts';
import type { Listing } from './listing.ts';
import { sortBy } from './page.ts';
import { matchesFilter, type Search, type SearchKind } from './search-query.ts';
import { entriesOf, matchesTerms } from './search-terms.ts';

/** A thing that was found: its id, what it is, and how well it fits, from 0. */
export interface Hit {
  id: string;
  kind: SearchKind;
  score: number;
  nameKey: string;
  createdAt: Date;
  modifiedAt: Date;
}

export type SearchOrder = 'RELEVANCE' | 'NAME' | 'CREATED_AT' | 'MODIFIED_AT';

/** Where to search: in an organization, or in one project of it. */
export type SearchPlace = 'organization' | 'project';

const PLACES: Record<SearchPlace, Sql> = {
  organization: sql`true`,
  project: sql`e.project_id = k.id`,
};

/** The entries that a search finds: a condition on entries `e` of `entriesOf`, below a parent `k`. */
export const isFound = (ctx: Context, place: SearchPlace, search: Search): Sql =>
  sql`e.organization_id = k.organization_id AND ${PLACES[place]} AND ${matchesTerms(ctx, search)}
    AND ${matchesFilter(ctx, search)} AND ${visibleEntries(ctx.viewer, search.organizationId)}`;

/** What a search finds. Its orders depend on what is searched, so each search is a listing of its own. */
export const hitsOf = (
  ctx: Context,
  place: SearchPlace,
  search: Search,
): Listing<Hit, Search, SearchOrder> => ({
  name: `search:${place}`,
  select: () => sql`e.subject_id AS id, e.kind, e.name_key, e.created_at, e.modified_at, e.score`,
  from: entriesOf(ctx, search),
  where: (ctx, filter) => isFound(ctx, place, filter),
  sorts: {
    RELEVANCE: sortBy(sql`e.subject_id`, sql`e.score`, 'float8', ({ score }) => score),
    NAME: sortBy(sql`e.subject_id`, sql`e.name_key`, 'text', ({ nameKey }) => nameKey),
    CREATED_AT: sortBy(sql`e.subject_id`, sql`e.created_at`, 'timestamptz', ({ createdAt }) => createdAt),
    MODIFIED_AT: sortBy(sql`e.subject_id`, sql`e.modified_at`, 'timestamptz', ({ modifiedAt }) => modifiedAt),
  },
});
