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

/** A match: its id, kind and relevance, from 0. */
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

const hits = (scope: SearchScope, from: Sql, where: Sql, score: Sql): Hits => ({
  name: `search:${scope}`,
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
 * The list of matches of a search in an order. With words it is sparse: fewEntries first, then rankedEntries, with a bounded
 * scan before it if an index has the order (docs/search.md).
 */
export function hitsOf(ctx: Context, scope: SearchScope, search: Search, order: SearchOrder): Hits {
  if (!isRanked(search) && order !== 'RELEVANCE') {
    const candidates = candidateEntries(ctx, scope, search);
    return inOrder(ctx, scope, search, candidates && (() => entriesFrom(ctx, scope, search, candidates)));
  }
  const scored = (from: Sql) => hits(scope, from, sql`true`, sql`e.score`);
  const ranked = () => scored(rankedEntries(ctx, scope, search));
  const fallback = () => (order === 'RELEVANCE' ? ranked() : inOrder(ctx, scope, search, ranked));
  return {
    ...scored(fewEntries(ctx, scope, search)),
    sparse: () => ({ firstAttempt: 'MARKED', fallback }),
  };
}

/** The matches by a scan of all entries in order, sparse if there is a fallback. */
function inOrder(ctx: Context, scope: SearchScope, search: Search, fallback?: () => Hits): Hits {
  const all = entriesFrom(ctx, scope, search, sql`search_entries e`);
  const firstAttempt = {
    row: sql`e`,
    indexCondition: () => SCOPES[scope],
    rowCondition: matchesSearch(ctx, search),
  };
  return fallback ? { ...all, sparse: () => ({ firstAttempt, fallback }) } : all;
}

const entriesFrom = (ctx: Context, scope: SearchScope, search: Search, from: Sql): Hits =>
  hits(scope, from, sql`${SCOPES[scope]} AND ${matchesSearch(ctx, search)}`, scoreOf(search));
