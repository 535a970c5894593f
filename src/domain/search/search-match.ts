import { type Sql, sql } from '../../db/sql/sql.ts';
import { isVisibleEntry, joinEntryProject, visibleEntries } from '../access/access-search.ts';
import type { Context } from '../kernel/context.ts';
import { COUNT_LIMIT } from '../kernel/listing-count.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { candidateIds } from './search-candidates.ts';
import { isRanked, matchesFilter, type Search } from './search-query.ts';
import { everyQuery, termRows } from './search-terms.ts';
import {
  areFew,
  contextIds,
  FEW,
  HAS_FEW_PIECES,
  hasTerms,
  idsOfTerm,
  isFirstContext,
  matchingFolders,
  type TermTables,
} from './search-terms-sql.ts';

/** Where to search: in an organization, or in one project of it. */
export type SearchScope = 'organization' | 'project';

/** What a place holds: a condition on entries as `e`, below a parent `k`. */
export const SCOPES: Record<SearchScope, Sql> = {
  organization: sql`e.organization_id = k.organization_id`,
  project: sql`e.organization_id = k.organization_id AND e.project_id = k.id`,
};

/** All that a search asks of an entry `e` of its place. */
export const matchesSearch = ({ viewer }: Context, search: Search): Sql =>
  sql.all([
    search.wordless && sql`false`,
    matchesFilter(viewer, search),
    search.terms.length > 0 && hasTerms(inlineTerms(viewer, search)),
    isVisibleEntry(viewer, search.organizationId),
  ]);

/** The words of a search where it is no statement of its own. */
function inlineTerms(viewer: Viewer, search: Search): TermTables {
  const terms = sql`(${termRows(search)})`;
  return { terms, folders: sql`(${matchingFolders(viewer, search.organizationId, terms)})` };
}

/** The entry `e` of the id of a row `s`. */
const ENTRY = sql`LATERAL (SELECT e.* FROM search_entries e
  WHERE e.organization_id = k.organization_id AND e.subject_id = s.id OFFSET 0) e`;

/** Entries as `e` with these ids, of which there are no two. */
const entriesOf = (ids: Sql): Sql => sql`(${ids}) s(id) CROSS JOIN ${ENTRY}`;

/** Entries as `e` among which all are that the filter of a search finds; undefined where that is all there are. */
export function candidateEntries({ viewer }: Context, place: SearchScope, search: Search): Sql | undefined {
  const [ids] = candidateIds(viewer, search, place === 'project');
  return ids && entriesOf(ids);
}

/** How many a search looks into before it asks what leads to few: of those that say it all, and of those around which it stands. */
const FIRST_LIMITS = { direct: 2_000, context: 200 };

/**
 * Entries as `e` that have all words of a search and fit, and their `score`, where these are few; otherwise a row of nulls, and
 * nothing else. Most searches end here: the statement is a fraction of rankedEntries, and PostgreSQL sets up every part of a
 * statement, whether it comes to it or not.
 */
export function fewEntries(ctx: Context, place: SearchScope, search: Search): Sql {
  const saying = sql`SELECT e.* FROM search_entries e WHERE ${hasEveryWord(search)} LIMIT ${sql.raw(String(FIRST_LIMITS.direct + 1))}`;
  const amid = idsIfFew(sql`SELECT a.id FROM (${contextIds(TERM_TABLES)}) a`, FIRST_LIMITS.context);
  return sql`(WITH ${termTables(ctx, search)}, saying AS MATERIALIZED (${saying}), amid(ids) AS MATERIALIZED (${amid})
    SELECT e.*, ${scoreOfTerms(TERM_TABLES.terms)} AS score
    FROM (SELECT CASE WHEN (SELECT count(*) FROM saying) > ${sql.raw(String(FIRST_LIMITS.direct))} THEN true
      ELSE (SELECT a.ids FROM amid a) IS NULL END OFFSET 0) c(cut)
    LEFT JOIN LATERAL (SELECT e.* FROM saying e WHERE NOT c.cut AND ${hasNoNegated(search)}
      UNION ALL SELECT e.* FROM amid a CROSS JOIN LATERAL (
        SELECT e.* FROM ${entriesOf(sql`SELECT unnest(a.ids)`)} WHERE ${matchesByContext(search)}) e WHERE NOT c.cut) e ON true
    ${joinEntryProject(ctx.viewer, search.organizationId)} WHERE c.cut OR (${matchesScopeAndFilter(ctx, place, search)})) e`;
}

/**
 * Entries as `e` that have all words of a search and fit, and their `score`; of more than can be counted, some of them. Some
 * say all of it themselves, and around the others some of it stands.
 *
 * Whichever of the words and of what is asked beside them names few things leads to these, and the rest is asked of each: a
 * frequent word costs little beside a rare one, or to who sees little. Where nothing names few, the index is followed until
 * enough are found.
 */
export function rankedEntries(ctx: Context, place: SearchScope, search: Search): Sql {
  const named = candidateIds(ctx.viewer, search, place === 'project').map((ids) => idsIfFew(ids));
  return sql`(WITH ${termTables(ctx, search)},
    named(ids) AS MATERIALIZED (SELECT ${named.length > 0 ? firstNonNull(named) : sql`NULL::text[]`})
    SELECT e.*, ${scoreOfTerms(TERM_TABLES.terms)} AS score FROM (
      SELECT e.* FROM (${directMatches(search)} UNION ALL ${amidst(search)}) e
      ${joinEntryProject(ctx.viewer, search.organizationId)}
      WHERE ${matchesScopeAndFilter(ctx, place, search)} LIMIT ${sql.raw(String(COUNT_LIMIT + 1))}) e) e`;
}

/** On entries as `e`, and their projects as `p`: all that a search asks but for words. */
const matchesScopeAndFilter = ({ viewer }: Context, place: SearchScope, search: Search): Sql =>
  sql`${SCOPES[place]} AND ${matchesFilter(viewer, search)} AND ${visibleEntries(viewer, search.organizationId)}`;

/** The words of a search as tables of a statement. */
const termTables = (
  { viewer }: Context,
  search: Search,
): Sql => sql`terms AS MATERIALIZED (${termRows(search)}),
  folders_named AS MATERIALIZED (${matchingFolders(viewer, search.organizationId, TERM_TABLES.terms)})`;

const TERM_TABLES: TermTables = { terms: sql`terms`, folders: sql`folders_named` };

/** What is asked beside words, if that names few. */
const CANDIDATES = sql`SELECT n.ids FROM named n`;

/** These ids as an array if they are few, null otherwise: a statement. */
const idsIfFew = (ids: Sql, few = FEW): Sql => sql`
  SELECT CASE WHEN count(*) <= ${sql.raw(String(few))} THEN coalesce(array_agg(DISTINCT s.id), '{}') END
  FROM (SELECT s.id FROM (${ids}) s(id) LIMIT ${sql.raw(String(few + 1))}) s`;

const firstNonNull = (leads: readonly Sql[]): Sql =>
  sql`coalesce(${sql.join(leads.map((few) => sql`(${few})`))})`;

/** Entries among the ids of the first of these leads that is few, and fulfil this; if there is none, those of `others`. */
const entriesByFirstOf = (leads: readonly Sql[], fit: Sql, others: Sql): Sql => sql`
  SELECT e.* FROM (SELECT ${firstNonNull(leads)} AS ids OFFSET 0) l CROSS JOIN LATERAL (
    SELECT e.* FROM ${entriesOf(sql`SELECT unnest(l.ids)`)} WHERE ${fit}
    UNION ALL (SELECT e.* FROM ${others} AND l.ids IS NULL OFFSET 0)) e`;

const hasEveryWord = (search: Search): Sql => sql`e.vector @@ ${everyQuery(search)}::tsquery`;

/** On entries that say every word that they should. */
const hasNoNegated = (search: Search): Sql =>
  search.terms.some(({ negated }) => negated) ? hasTerms(TERM_TABLES, sql`q.negated`) : sql`true`;

/** Some of the words stand around an entry, which does not say all of them itself. */
const matchesByContext = (search: Search): Sql =>
  sql`NOT ${hasEveryWord(search)} AND ${hasTerms(TERM_TABLES)}`;

/** Entries that say every word themselves: as the index has them, unless what is named is few, and they are not. */
function directMatches(search: Search): Sql {
  const fit = sql`${hasEveryWord(search)} AND ${hasNoNegated(search)}`;
  const named = sql`${CANDIDATES} WHERE n.ids IS NOT NULL
    AND NOT (${areFew(sql`search_entries e WHERE ${hasEveryWord(search)}`)})`;
  return entriesByFirstOf([named], fit, sql`search_entries e WHERE ${fit}`);
}

/** Entries that do not, and around which words stand. */
function amidst(search: Search): Sql {
  const around = contextIds(TERM_TABLES);
  const inAll = sql`SELECT CASE WHEN (SELECT bool_and(${HAS_FEW_PIECES}) FROM ${TERM_TABLES.terms} q WHERE NOT q.negated)
    THEN (${idsIfFew(sql`SELECT a.id FROM (${around}) a`)}) END`;
  const byTerm = sql`SELECT c.ids FROM ${TERM_TABLES.terms} q CROSS JOIN LATERAL (${idsIfFew(idsOfTerm(TERM_TABLES))}) c(ids)
    WHERE NOT q.negated AND ${HAS_FEW_PIECES} AND c.ids IS NOT NULL LIMIT 1`;
  const several = search.terms.filter(({ negated }) => !negated).length > 1;
  return entriesByFirstOf(
    [inAll, ...(several ? [byTerm] : []), CANDIDATES],
    matchesByContext(search),
    sql`(${around}) s(id, place, way) CROSS JOIN ${ENTRY}
    WHERE NOT ${hasEveryWord(search)} AND ${hasTerms(TERM_TABLES, sql`q.place <> s.place`)} AND ${isFirstContext(TERM_TABLES)}`,
  );
}

/** What a word counts that a thing does not say itself: less than one in a long list of comments. */
const CONTEXT_SCORE = sql`0.003::float4`;

/**
 * How well an entry fits: a name above tags, these above values, these above comments, and these above the text of a file
 * and the names of folders, which count the same for all; short texts above long ones.
 */
const scoreOfTerms = (terms: Sql): Sql =>
  sql`(SELECT sum(greatest(ts_rank(e.vector, q.own, 1), ${CONTEXT_SCORE})) FROM ${terms} q WHERE NOT q.negated)::float8`;

/** The score of an entry as `e`, a value to select: 0 where there are no words. */
export const scoreOf = (search: Search): Sql =>
  isRanked(search) ? scoreOfTerms(sql`(${termRows(search)})`) : sql`0::float8`;
