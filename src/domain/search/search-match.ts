import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import { isVisibleEntry, joinEntryProject, visibleEntries } from '../access/access-search.ts';
import type { Context } from '../kernel/context.ts';
import { COUNT_LIMIT } from '../kernel/listing-count.ts';
import { tables } from '../kernel/tables.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { idsByFilter } from './search-candidates.ts';
import { isRanked, matchesFilter, type Search } from './search-query.ts';
import { everyQuery, termRows } from './search-terms.ts';
import {
  areFew,
  CONTEXTS,
  contextIds,
  FEW,
  HAS_FEW_PIECES,
  hasTerms,
  idsOfTerm,
  isFirstContext,
  matchingFolders,
  TERMS,
  type TermTables,
} from './search-terms-sql.ts';

/** Whether to search an organization or one of its projects. */
export type SearchScope = 'organization' | 'project';

type Entries = Rows<'search_entries'>;

/** On entries: below the parent `k`, the organization or project. */
export const isInScope = (scope: SearchScope, entries: Entries): Sql =>
  scope === 'organization'
    ? sql`${entries}.organization_id = k.organization_id`
    : sql`${entries}.organization_id = k.organization_id AND ${entries}.project_id = k.id`;

/** Whether an entry of the scope matches the search and is visible; checked for one entry at a time. */
export const matchesSearch = ({ viewer }: Context, entries: Entries, search: Search): Sql =>
  sql.all([
    search.wordless && sql`false`,
    matchesFilter(viewer, entries, search),
    search.terms.length > 0 && hasTerms(inlineTerms(viewer, search), entries),
    isVisibleEntry(viewer, entries, search.organizationId),
  ]);

/** The terms as subqueries, for statements without the tables of termTables. */
function inlineTerms(viewer: Viewer, search: Search): TermTables {
  const terms = sql`(${termRows(search)})`;
  return { terms, folders: sql`(${matchingFolders(viewer, search.organizationId, terms)})` };
}

/** Looks up the entry `e` of the id of a row `s`. */
const ENTRY = sql`LATERAL (SELECT e.* FROM ${tables.searchEntries.from}
  WHERE e.organization_id = k.organization_id AND e.subject_id = s.id OFFSET 0) e`;

/** Entries as `e` with these ids, which are distinct. */
const entriesOf = (ids: Sql): Sql => sql`(${ids}) s(id) CROSS JOIN ${ENTRY}`;

/** Entries as `e` that include all matches, by the most selective filter; undefined if no filter is selective. */
export function candidateEntries({ viewer }: Context, scope: SearchScope, search: Search): Sql | undefined {
  const [ids] = idsByFilter(viewer, search, scope === 'project');
  return ids && entriesOf(ids);
}

/** How many direct matches and matches by context the first statement of a search reads at most. */
const FIRST_LIMITS = { direct: 2_000, context: 200 };

/**
 * The matches as entries `e` with their `score`, if they are few; otherwise a single marker row of nulls. Most searches end
 * here: this statement is much smaller than rankedEntries, and PostgreSQL sets up every part of a statement it runs.
 */
export function fewEntries(ctx: Context, scope: SearchScope, search: Search): Sql {
  const saying = sql`SELECT e.* FROM ${tables.searchEntries.from} WHERE ${hasEveryWord(search)} LIMIT ${sql.raw(String(FIRST_LIMITS.direct + 1))}`;
  const amid = idsIfFew(sql`SELECT a.id FROM (${contextIds(TERM_TABLES)}) a`, FIRST_LIMITS.context);
  return sql`(WITH ${termTables(ctx, search)}, saying AS MATERIALIZED (${saying}), amid(ids) AS MATERIALIZED (${amid})
    SELECT e.*, ${scoreOfTerms(TERM_TABLES.terms)} AS score
    FROM (SELECT CASE WHEN (SELECT count(*) FROM saying) > ${sql.raw(String(FIRST_LIMITS.direct))} THEN true
      ELSE (SELECT a.ids FROM amid a) IS NULL END OFFSET 0) c(cut)
    LEFT JOIN LATERAL (SELECT e.* FROM saying e WHERE NOT c.cut AND ${hasNoNegated(search)}
      UNION ALL SELECT e.* FROM amid a CROSS JOIN LATERAL (
        SELECT e.* FROM ${entriesOf(sql`SELECT unnest(a.ids)`)} WHERE ${matchesByContext(search)}) e WHERE NOT c.cut) e ON true
    ${joinEntryProject(ctx.viewer, tables.searchEntries, search.organizationId)} WHERE c.cut OR (${matchesScopeAndFilter(ctx, scope, search)})) e`;
}

/**
 * The matches as entries `e` with their `score`, at most COUNT_LIMIT + 1. Starts from whichever word, filter or right leaves
 * few ids, and checks the rest per entry, so a frequent word is cheap next to a selective condition (docs/search.md).
 */
export function rankedEntries(ctx: Context, scope: SearchScope, search: Search): Sql {
  const named = idsByFilter(ctx.viewer, search, scope === 'project').map((ids) => idsIfFew(ids));
  return sql`(WITH ${termTables(ctx, search)},
    named(ids) AS MATERIALIZED (SELECT ${named.length > 0 ? firstNonNull(named) : sql`NULL::text[]`})
    SELECT e.*, ${scoreOfTerms(TERM_TABLES.terms)} AS score FROM (
      SELECT e.* FROM (${directMatches(search)} UNION ALL ${contextMatches(search)}) e
      ${joinEntryProject(ctx.viewer, tables.searchEntries, search.organizationId)}
      WHERE ${matchesScopeAndFilter(ctx, scope, search)} LIMIT ${sql.raw(String(COUNT_LIMIT + 1))}) e) e`;
}

/** On entries joined to their projects: scope, filter and rights, without the words. */
const matchesScopeAndFilter = (
  { viewer }: Context,
  scope: SearchScope,
  search: Search,
  entries: Entries = tables.searchEntries,
): Sql =>
  sql`${isInScope(scope, entries)} AND ${matchesFilter(viewer, entries, search)} AND ${visibleEntries(viewer, entries, search.organizationId)}`;

/** The WITH items TERM_TABLES: the terms of a search, and the folders whose names match. */
const termTables = (
  { viewer }: Context,
  search: Search,
): Sql => sql`terms AS MATERIALIZED (${termRows(search)}),
  folders_named AS MATERIALIZED (${matchingFolders(viewer, search.organizationId, TERM_TABLES.terms)})`;

const TERM_TABLES: TermTables = { terms: sql`terms`, folders: sql`folders_named` };

/** The candidates by filters and rights, if they are few. */
const CANDIDATES = sql`SELECT n.ids FROM named n`;

/** A statement: these ids as an array if they are few, otherwise null. */
const idsIfFew = (ids: Sql, few = FEW): Sql => sql`
  SELECT CASE WHEN count(*) <= ${sql.raw(String(few))} THEN coalesce(array_agg(DISTINCT s.id), '{}') END
  FROM (SELECT s.id FROM (${ids}) s(id) LIMIT ${sql.raw(String(few + 1))}) s`;

const firstNonNull = (leads: readonly Sql[]): Sql =>
  sql`coalesce(${sql.join(leads.map((few) => sql`(${few})`))})`;

/** Entries that meet `fit` among the first of these id arrays that is not null; without one, entries of `others`. */
const entriesByFirstOf = (leads: readonly Sql[], fit: Sql, others: Sql): Sql => sql`
  SELECT e.* FROM (SELECT ${firstNonNull(leads)} AS ids OFFSET 0) l CROSS JOIN LATERAL (
    SELECT e.* FROM ${entriesOf(sql`SELECT unnest(l.ids)`)} WHERE ${fit}
    UNION ALL (SELECT e.* FROM ${others} AND l.ids IS NULL OFFSET 0)) e`;

const hasEveryWord = (search: Search, entries: Entries = tables.searchEntries): Sql =>
  sql`${entries}.vector @@ ${everyQuery(search)}::tsquery`;

/** On entries with every positive word: they have none of the negated ones. */
const hasNoNegated = (search: Search): Sql =>
  search.terms.some(({ negated }) => negated)
    ? hasTerms(TERM_TABLES, tables.searchEntries, sql`${TERMS}.negated`)
    : sql`true`;

/** The entry has all words, some of them only by context: in its file or in the name of a folder above it. */
const matchesByContext = (search: Search): Sql =>
  sql`NOT ${hasEveryWord(search)} AND ${hasTerms(TERM_TABLES, tables.searchEntries)}`;

/** Entries with every word in their own text: from the index, or from the candidates if only those are few. */
function directMatches(search: Search): Sql {
  const fit = sql`${hasEveryWord(search)} AND ${hasNoNegated(search)}`;
  const named = sql`${CANDIDATES} WHERE n.ids IS NOT NULL
    AND NOT (${areFew(sql`${tables.searchEntries.from} WHERE ${hasEveryWord(search)}`)})`;
  return entriesByFirstOf([named], fit, sql`${tables.searchEntries.from} WHERE ${fit}`);
}

/** Entries in which some terms match by context only. */
function contextMatches(search: Search): Sql {
  const contextRows = contextIds(TERM_TABLES);
  const inAll = sql`SELECT CASE WHEN (SELECT bool_and(${HAS_FEW_PIECES}) FROM ${TERM_TABLES.terms} ${TERMS} WHERE NOT ${TERMS}.negated)
    THEN (${idsIfFew(sql`SELECT a.id FROM (${contextRows}) a`)}) END`;
  const byTerm = sql`SELECT c.ids FROM ${TERM_TABLES.terms} ${TERMS} CROSS JOIN LATERAL (${idsIfFew(idsOfTerm(TERM_TABLES))}) c(ids)
    WHERE NOT ${TERMS}.negated AND ${HAS_FEW_PIECES} AND c.ids IS NOT NULL LIMIT 1`;
  const several = search.terms.filter(({ negated }) => !negated).length > 1;
  return entriesByFirstOf(
    [inAll, ...(several ? [byTerm] : []), CANDIDATES],
    matchesByContext(search),
    sql`(${contextRows}) ${CONTEXTS}(id, position, source) CROSS JOIN ${ENTRY}
    WHERE NOT ${hasEveryWord(search)} AND ${hasTerms(TERM_TABLES, tables.searchEntries, sql`${TERMS}.position <> ${CONTEXTS}.position`)}
    AND ${isFirstContext(TERM_TABLES, tables.searchEntries)}`,
  );
}

/** The score of a word that matches by context: less than one word in a long list of comments. */
const CONTEXT_SCORE = sql`0.003::float4`;

/** The relevance of an entry: names above tags, values, comments, and matches by context; short texts above long ones. */
const scoreOfTerms = (terms: Sql): Sql =>
  sql`(SELECT sum(greatest(ts_rank(${tables.searchEntries}.vector, ${TERMS}.own, 1), ${CONTEXT_SCORE})) FROM ${terms} ${TERMS} WHERE NOT ${TERMS}.negated)::float8`;

/** The score of an entry `e`, a value to select; 0 without words. */
export const scoreOf = (search: Search): Sql =>
  isRanked(search) ? scoreOfTerms(sql`(${termRows(search)})`) : sql`0::float8`;
