import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Context } from '../kernel/context.ts';
import type { Listing } from '../kernel/listing.ts';
import { sortBy } from '../kernel/page.ts';
import { tables } from '../kernel/tables.ts';
import {
  candidateEntries,
  fewEntries,
  isInScope,
  matchesSearch,
  rankedEntries,
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

const row = tables.searchEntries;

const id = sql`${row}.subject_id`;

const hits = (scope: SearchScope, from: Sql, where: Sql, score: Sql): Hits => ({
  name: `search:${scope}`,
  select: () =>
    sql`${id} AS id, ${row}.kind, ${row}.name_key, ${row}.created_at, ${row}.modified_at, ${score} AS score`,
  from,
  where: () => where,
  sorts: {
    RELEVANCE: sortBy(id, sql`${row}.score`, 'float8', ({ score }) => score),
    NAME: sortBy(id, sql`${row}.name_key`, 'text', ({ nameKey }) => nameKey),
    CREATED_AT: sortBy(id, sql`${row}.created_at`, 'timestamptz', ({ createdAt }) => createdAt),
    MODIFIED_AT: sortBy(id, sql`${row}.modified_at`, 'timestamptz', ({ modifiedAt }) => modifiedAt),
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
  const scored = (from: Sql) => hits(scope, from, sql`true`, sql`${row}.score`);
  const ranked = () => scored(rankedEntries(ctx, scope, search));
  const fallback = () => (order === 'RELEVANCE' ? ranked() : inOrder(ctx, scope, search, ranked));
  return {
    ...scored(fewEntries(ctx, scope, search)),
    sparse: () => ({ firstAttempt: 'MARKED', fallback }),
  };
}

/** The matches by a scan of all entries in order, sparse if there is a fallback. */
function inOrder(ctx: Context, scope: SearchScope, search: Search, fallback?: () => Hits): Hits {
  const all = entriesFrom(ctx, scope, search, row.from);
  const firstAttempt = {
    row,
    indexCondition: () => isInScope(scope, row),
    rowCondition: matchesSearch(ctx, row, search),
  };
  return fallback ? { ...all, sparse: () => ({ firstAttempt, fallback }) } : all;
}

const entriesFrom = (ctx: Context, scope: SearchScope, search: Search, from: Sql): Hits =>
  hits(scope, from, sql`${isInScope(scope, row)} AND ${matchesSearch(ctx, row, search)}`, scoreOf(search));
