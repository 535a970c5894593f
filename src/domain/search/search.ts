import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import {
  candidateEntries,
  fewEntries,
  matchesSearch,
  rankedEntries,
  SCOPES,
  type SearchScope,
  scoreOf,
} from './search-match.ts';
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

const hits = (place: SearchScope, from: Sql, where: Sql, score: Sql): Hits => ({
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
 * What a search finds, in this order. Words are looked for as if few things had them. If more have them, they are ranked by a
 * statement that knows more ways; where an index has the order, a page looks at that before.
 */
export function hitsOf(ctx: Context, place: SearchScope, search: Search, order: SearchOrder): Hits {
  if (!isRanked(search) && order !== 'RELEVANCE') {
    const named = candidateEntries(ctx, place, search);
    return inOrder(ctx, place, search, named && (() => entriesFrom(ctx, place, search, named)));
  }
  const scored = (from: Sql) => hits(place, from, sql`true`, sql`e.score`);
  const ranked = () => scored(rankedEntries(ctx, place, search));
  const others = () => (order === 'RELEVANCE' ? ranked() : inOrder(ctx, place, search, ranked));
  return {
    ...scored(fewEntries(ctx, place, search)),
    sparse: () => ({ firstAttempt: 'MARKED', fallback: others }),
  };
}

/** What is found of all entries; where little of an order is, as `otherwise` finds it. */
function inOrder(ctx: Context, place: SearchScope, search: Search, otherwise?: () => Hits): Hits {
  const all = entriesFrom(ctx, place, search, sql`search_entries e`);
  const firstAttempt = {
    row: sql`e`,
    indexCondition: () => SCOPES[place],
    rowCondition: matchesSearch(ctx, search),
  };
  return otherwise ? { ...all, sparse: () => ({ firstAttempt, fallback: otherwise }) } : all;
}

const entriesFrom = (ctx: Context, place: SearchScope, search: Search, from: Sql): Hits =>
  hits(place, from, sql`${SCOPES[place]} AND ${matchesSearch(ctx, search)}`, scoreOf(search));
