import { type Sql, sql } from '../db/sql.ts';
import type { Context } from './context.ts';
import type { Listing } from './listing.ts';
import { sortBy } from './page.ts';
import { isFound, namedEntries, PLACES, rankedEntries, type SearchPlace, scoreOf } from './search-found.ts';
import { isRanked, type Search, type SearchKind } from './search-query.ts';

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

type Hits = Listing<Hit, Search, SearchOrder>;

const id = sql`e.subject_id`;

const hits = (place: SearchPlace, from: Sql, where: Sql, score: Sql): Hits => ({
  name: `search:${place}`,
  select: () => sql`${id} AS id, e.kind, e.name_key, e.created_at, e.modified_at, ${score} AS score`,
  from,
  where: () => where,
  sorts: {
    RELEVANCE: sortBy(id, sql`e.score`, 'float8', ({ score }) => score),
    NAME: sortBy(id, sql`e.name_key`, 'text', ({ nameKey }) => nameKey),
    CREATED_AT: sortBy(id, sql`e.created_at`, 'timestamptz', ({ createdAt }) => createdAt),
    MODIFIED_AT: sortBy(id, sql`e.modified_at`, 'timestamptz', ({ modifiedAt }) => modifiedAt),
  },
});

/**
 * What a search finds, in this order. By words it is ranked; where an index has the order, a page looks at that first, as
 * words may stand in most of what there is.
 */
export function hitsOf(ctx: Context, place: SearchPlace, search: Search, order: SearchOrder): Hits {
  const ranked = () => hits(place, rankedEntries(ctx, place, search), sql`true`, sql`e.score`);
  if (order === 'RELEVANCE') return ranked();
  const [within, beside, score] = [PLACES[place], isFound(ctx, search), scoreOf(search)];
  const among = (from: Sql) => hits(place, from, sql`${within} AND ${beside}`, score);
  const all = among(sql`search_entries e`);
  const named = namedEntries(ctx, place, search);
  if (!isRanked(search) && !named) return all;
  const others = () => (isRanked(search) ? ranked() : among(named as Sql));
  return { ...all, rare: () => ({ first: { row: sql`e`, within: () => within, beside }, listing: others }) };
}
