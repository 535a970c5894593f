import { type Sql, sql } from '../../db/sql/sql.ts';
import { isVisibleEntry, joinEntryProject, visibleEntries } from '../access/access-search.ts';
import type { Context } from '../kernel/context.ts';
import { COUNT_LIMIT } from '../kernel/listing-count.ts';
import type { Viewer } from '../kernel/viewer.ts';
import { namedBy } from './search-named.ts';
import { isRanked, matchesFilter, type Search } from './search-query.ts';
import { everyQuery, termRows } from './search-terms.ts';
import {
  areFew,
  FEW,
  foldersNamed,
  HAS_FEW_PIECES,
  hasTerms,
  idsAround,
  idsOfTerm,
  isFirstAround,
  type Words,
} from './search-ways.ts';

/** Where to search: in an organization, or in one project of it. */
export type SearchPlace = 'organization' | 'project';

/** What a place holds: a condition on entries as `e`, below a parent `k`. */
export const PLACES: Record<SearchPlace, Sql> = {
  organization: sql`e.organization_id = k.organization_id`,
  project: sql`e.organization_id = k.organization_id AND e.project_id = k.id`,
};

/** All that a search asks of an entry `e` of its place. */
export const isFound = ({ viewer }: Context, search: Search): Sql =>
  sql.all([
    search.wordless && sql`false`,
    matchesFilter(viewer, search),
    search.terms.length > 0 && hasTerms(wordsAlone(viewer, search)),
    isVisibleEntry(viewer, search.organizationId),
  ]);

/** The words of a search where it is no statement of its own. */
function wordsAlone(viewer: Viewer, search: Search): Words {
  const terms = sql`(${termRows(search)})`;
  return { terms, folders: sql`(${foldersNamed(viewer, search.organizationId, terms)})` };
}

/** The entry `e` of the id of a row `s`. */
const ENTRY = sql`LATERAL (SELECT e.* FROM search_entries e
  WHERE e.organization_id = k.organization_id AND e.subject_id = s.id OFFSET 0) e`;

/** Entries as `e` with these ids, of which there are no two. */
const entriesOf = (ids: Sql): Sql => sql`(${ids}) s(id) CROSS JOIN ${ENTRY}`;

/** Entries as `e` among which all are that the filter of a search finds; undefined where that is all there are. */
export function namedEntries({ viewer }: Context, place: SearchPlace, search: Search): Sql | undefined {
  const [ids] = namedBy(viewer, search, place === 'project');
  return ids && entriesOf(ids);
}

/** How many a search looks into before it asks what leads to few: of those that say it all, and of those around which it stands. */
const FIRST = { saying: 2_000, amidst: 200 };

/**
 * Entries as `e` that have all words of a search and fit, and their `score`, where these are few; otherwise a row of nulls, and
 * nothing else. Most searches end here: the statement is a fraction of rankedEntries, and PostgreSQL sets up every part of a
 * statement, whether it comes to it or not.
 */
export function firstEntries(ctx: Context, place: SearchPlace, search: Search): Sql {
  const saying = sql`SELECT e.* FROM search_entries e WHERE ${saysEvery(search)} LIMIT ${sql.raw(String(FIRST.saying + 1))}`;
  const amid = fewOf(sql`SELECT a.id FROM (${idsAround(WORDS)}) a`, FIRST.amidst);
  return sql`(WITH ${wordsOf(ctx, search)}, saying AS MATERIALIZED (${saying}), amid(ids) AS MATERIALIZED (${amid})
    SELECT e.*, ${scoreAmong(WORDS.terms)} AS score
    FROM (SELECT CASE WHEN (SELECT count(*) FROM saying) > ${sql.raw(String(FIRST.saying))} THEN true
      ELSE (SELECT a.ids FROM amid a) IS NULL END OFFSET 0) c(cut)
    LEFT JOIN LATERAL (SELECT e.* FROM saying e WHERE NOT c.cut AND ${lacksNegated(search)}
      UNION ALL SELECT e.* FROM amid a CROSS JOIN LATERAL (
        SELECT e.* FROM ${entriesOf(sql`SELECT unnest(a.ids)`)} WHERE ${hasElsewhere(search)}) e WHERE NOT c.cut) e ON true
    ${joinEntryProject(ctx.viewer, search.organizationId)} WHERE c.cut OR (${isAsked(ctx, place, search)})) e`;
}

/**
 * Entries as `e` that have all words of a search and fit, and their `score`; of more than can be counted, some of them. Some
 * say all of it themselves, and around the others some of it stands.
 *
 * Whichever of the words and of what is asked beside them names few things leads to these, and the rest is asked of each: a
 * frequent word costs little beside a rare one, or to who sees little. Where nothing names few, the index is followed until
 * enough are found.
 */
export function rankedEntries(ctx: Context, place: SearchPlace, search: Search): Sql {
  const named = namedBy(ctx.viewer, search, place === 'project').map((ids) => fewOf(ids));
  return sql`(WITH ${wordsOf(ctx, search)},
    named(ids) AS MATERIALIZED (SELECT ${named.length > 0 ? firstOf(named) : sql`NULL::text[]`})
    SELECT e.*, ${scoreAmong(WORDS.terms)} AS score FROM (
      SELECT e.* FROM (${sayingAll(search)} UNION ALL ${amidst(search)}) e
      ${joinEntryProject(ctx.viewer, search.organizationId)}
      WHERE ${isAsked(ctx, place, search)} LIMIT ${sql.raw(String(COUNT_LIMIT + 1))}) e) e`;
}

/** On entries as `e`, and their projects as `p`: all that a search asks but for words. */
const isAsked = ({ viewer }: Context, place: SearchPlace, search: Search): Sql =>
  sql`${PLACES[place]} AND ${matchesFilter(viewer, search)} AND ${visibleEntries(viewer, search.organizationId)}`;

/** The words of a search as tables of a statement. */
const wordsOf = ({ viewer }: Context, search: Search): Sql => sql`terms AS MATERIALIZED (${termRows(search)}),
  folders_named AS MATERIALIZED (${foldersNamed(viewer, search.organizationId, WORDS.terms)})`;

const WORDS: Words = { terms: sql`terms`, folders: sql`folders_named` };

/** What is asked beside words, if that names few. */
const NAMED = sql`SELECT n.ids FROM named n`;

/** These ids as an array if they are few, null otherwise: a statement. */
const fewOf = (ids: Sql, few = FEW): Sql => sql`
  SELECT CASE WHEN count(*) <= ${sql.raw(String(few))} THEN coalesce(array_agg(DISTINCT s.id), '{}') END
  FROM (SELECT s.id FROM (${ids}) s(id) LIMIT ${sql.raw(String(few + 1))}) s`;

const firstOf = (leads: readonly Sql[]): Sql => sql`coalesce(${sql.join(leads.map((few) => sql`(${few})`))})`;

/** Entries among the ids of the first of these leads that is few, and fulfil this; if there is none, those of `others`. */
const ledTo = (leads: readonly Sql[], fit: Sql, others: Sql): Sql => sql`
  SELECT e.* FROM (SELECT ${firstOf(leads)} AS ids OFFSET 0) l CROSS JOIN LATERAL (
    SELECT e.* FROM ${entriesOf(sql`SELECT unnest(l.ids)`)} WHERE ${fit}
    UNION ALL (SELECT e.* FROM ${others} AND l.ids IS NULL OFFSET 0)) e`;

const saysEvery = (search: Search): Sql => sql`e.vector @@ ${everyQuery(search)}::tsquery`;

/** On entries that say every word that they should. */
const lacksNegated = (search: Search): Sql =>
  search.terms.some(({ negated }) => negated) ? hasTerms(WORDS, sql`q.negated`) : sql`true`;

/** Some of the words stand around an entry, which does not say all of them itself. */
const hasElsewhere = (search: Search): Sql => sql`NOT ${saysEvery(search)} AND ${hasTerms(WORDS)}`;

/** Entries that say every word themselves: as the index has them, unless what is named is few, and they are not. */
function sayingAll(search: Search): Sql {
  const fit = sql`${saysEvery(search)} AND ${lacksNegated(search)}`;
  const named = sql`${NAMED} WHERE n.ids IS NOT NULL
    AND NOT (${areFew(sql`search_entries e WHERE ${saysEvery(search)}`)})`;
  return ledTo([named], fit, sql`search_entries e WHERE ${fit}`);
}

/** Entries that do not, and around which words stand. */
function amidst(search: Search): Sql {
  const around = idsAround(WORDS);
  const inAll = sql`SELECT CASE WHEN (SELECT bool_and(${HAS_FEW_PIECES}) FROM ${WORDS.terms} q WHERE NOT q.negated)
    THEN (${fewOf(sql`SELECT a.id FROM (${around}) a`)}) END`;
  const byTerm = sql`SELECT c.ids FROM ${WORDS.terms} q CROSS JOIN LATERAL (${fewOf(idsOfTerm(WORDS))}) c(ids)
    WHERE NOT q.negated AND ${HAS_FEW_PIECES} AND c.ids IS NOT NULL LIMIT 1`;
  const several = search.terms.filter(({ negated }) => !negated).length > 1;
  return ledTo(
    [inAll, ...(several ? [byTerm] : []), NAMED],
    hasElsewhere(search),
    sql`(${around}) s(id, place, way) CROSS JOIN ${ENTRY}
    WHERE NOT ${saysEvery(search)} AND ${hasTerms(WORDS, sql`q.place <> s.place`)} AND ${isFirstAround(WORDS)}`,
  );
}

/** What a word counts that a thing does not say itself: less than one in a long list of comments. */
const LEAST = sql`0.003::float4`;

/**
 * How well an entry fits: a name above tags, these above values, these above comments, and these above the text of a file
 * and the names of folders, which count the same for all; short texts above long ones.
 */
const scoreAmong = (terms: Sql): Sql =>
  sql`(SELECT sum(greatest(ts_rank(e.vector, q.own, 1), ${LEAST})) FROM ${terms} q WHERE NOT q.negated)::float8`;

/** The score of an entry as `e`, a value to select: 0 where there are no words. */
export const scoreOf = (search: Search): Sql =>
  isRanked(search) ? scoreAmong(sql`(${termRows(search)})`) : sql`0::float8`;
