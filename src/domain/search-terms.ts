import { type Sql, sql } from '../db/sql.ts';
import { visibleFolders } from './access.ts';
import { projectOfEntry } from './access-search.ts';
import type { Context } from './context.ts';
import type { Part } from './search-grammar.ts';
import type { Search, Term } from './search-query.ts';
import { wordsOf } from './search-words.ts';

/** The weights that search_sources gives the parts of a thing. */
const WEIGHTS: Partial<Record<Part, string>> = { NAME: 'A', TAG: 'B', VALUE: 'C', COMMENT: 'D' };

/** What a word counts that a thing does not say itself: less than one in a long list of comments. */
const LEAST = sql`0.003::float4`;

type Tenant = Pick<Search, 'organizationId'>;

/** The words of the index begin with the end of the organization's id (search_vector of the migrations). */
const lexeme = ({ organizationId }: Tenant, word: string, suffix: string): string =>
  `'${organizationId.slice(-6)}${word}'${suffix && ':'}${suffix}`;

/** Words hold no quote and no backslash, so they need no escape (search-words.ts). */
export function tsqueryOf(tenant: Tenant, { text, prefix, readings }: Term, weights: string): string {
  const words = readings ?? wordsOf(text).map((word) => [word]);
  const places = words.map((each, index) => {
    const suffix = (prefix && index === words.length - 1 ? '*' : '') + weights;
    return `(${each.map((word) => lexeme(tenant, word, suffix)).join(' | ')})`;
  });
  return places.join(' <-> ');
}

/** The words of a term are looked for in what a thing itself says: its name, tags, values and comments. */
const inOwn = ({ part }: Term): boolean => part === null || part in WEIGHTS;
const inFolders = ({ part }: Term): boolean => part === null || part === 'FOLDER';
const inTexts = ({ kind }: Search, { part }: Term): boolean =>
  (part === null || part === 'TEXT') && (kind ?? 'DOCUMENT') === 'DOCUMENT';

/** What an entry has to say itself; '' is what none says. */
const ownQuery = (tenant: Tenant, term: Term): string =>
  inOwn(term) ? tsqueryOf(tenant, term, (term.part && WEIGHTS[term.part]) ?? '') : '';

const joined = (queries: readonly string[], operator: '&' | '|'): string =>
  queries.map((query) => `(${query})`).join(` ${operator} `);

/**
 * The subjects of entries in a folder that is named so, or lies below one; where the viewer does not see it, it says
 * nothing. IS TRUE keeps the planner from joining all projects, of which few are asked for.
 */
const inFoldersNamed = ({ viewer }: Context, { organizationId }: Tenant, queries: Sql): Sql => sql`
  SELECT i.subject_id, q.term FROM ${queries}
  CROSS JOIN LATERAL (SELECT n.organization_id, n.subject_id FROM search_entries n
    WHERE n.kind = 'FOLDER' AND n.vector @@ q.words OFFSET 0) n
  CROSS JOIN LATERAL (SELECT f.organization_id, f.id FROM folders f
    WHERE f.organization_id = n.organization_id AND f.id = n.subject_id AND ${visibleFolders(viewer)} IS TRUE OFFSET 0) f
  CROSS JOIN LATERAL (SELECT b.id FROM folders b
    WHERE b.organization_id = f.organization_id AND (b.id = f.id OR b.ancestor_ids @> ARRAY[f.id]) OFFSET 0) b
  CROSS JOIN LATERAL (SELECT i.subject_id FROM search_entries i
    WHERE i.organization_id = f.organization_id AND i.folder_id = b.id OFFSET 0) i
  WHERE n.organization_id = ${organizationId}`;

/** Those of documents whose file says so. */
const withText = ({ organizationId }: Tenant, queries: Sql): Sql => sql`
  SELECT t.document_id COLLATE "C", q.term FROM ${queries}
  CROSS JOIN LATERAL search_files(${organizationId}, q.words) t`;

/** The things around which words stand, in their file or the folders that they are in: their subject_id and the place of the term. */
function around(ctx: Context, search: Search, terms: readonly Term[]): Sql {
  const queriesOf = (sought: (term: Term) => boolean) => {
    const rows = terms.flatMap((term, place) =>
      sought(term) ? sql`(${sql.raw(String(place))}, ${tsqueryOf(search, term, '')}::tsquery)` : [],
    );
    return rows.length > 0 && sql`(VALUES ${sql.join(rows)}) AS q(term, words)`;
  };
  const [named, told] = [queriesOf(inFolders), queriesOf((term) => inTexts(search, term))];
  const ways = [
    sql`SELECT NULL AS subject_id, 0 AS term WHERE false`,
    ...(named ? [inFoldersNamed(ctx, search, named)] : []),
    ...(told ? [withText(search, told)] : []),
  ];
  return sql.join(ways, ' UNION ALL ');
}

/** A condition on pieces of text `x`: they have the words of some term. */
export function hasSomeTerm(search: Search): Sql {
  const terms = wanted(search).filter((term) => inTexts(search, term));
  const queries = terms.map((term) => tsqueryOf(search, term, ''));
  return queries.length === 0 ? sql`false` : sql`x.vector @@ ${joined(queries, '|')}::tsquery`;
}

const wanted = ({ terms }: Search): Term[] => terms.filter(({ negated }) => !negated);
const unwanted = ({ terms }: Search): Term[] => terms.filter(({ negated }) => negated);

/**
 * Search entries as `e`, with `whole` of their project and their `score`: those that every word or phrase of the query
 * finds, by two ways that share none. They say all of it themselves, which one look into the index answers; or some of it
 * stands around them. Each is a way through indexes for whatever words: the planner does not see these (OFFSET 0), so one
 * plan is kept for all.
 */
export function entriesOf(ctx: Context, search: Search): Sql {
  const { organizationId } = search;
  const project = projectOfEntry(ctx.viewer, organizationId);
  const terms = wanted(search);
  if (terms.length === 0)
    return sql`(SELECT e.*, p.whole, 0::float8 AS score FROM search_entries e ${project}) e`;
  const queries = terms.map((term) => ownQuery(search, term));
  const every = queries.includes('') ? '' : joined(queries, '&');
  const each = (make: (place: Sql, query: string) => Sql) =>
    queries.map((query, place) => make(sql.raw(String(place)), query));
  return sql`(SELECT ${every}::tsquery AS every, ${sql.join(each((place, query) => sql`${query}::tsquery AS q${place}`))} OFFSET 0) w
    CROSS JOIN LATERAL (SELECT e.*, ${scoreBy(each((place) => sql`w.q${place}`))} AS score FROM (
      (SELECT e.*, p.whole FROM search_entries e ${project} WHERE e.vector @@ w.every OFFSET 0)
      UNION ALL
      SELECT e.*, p.whole FROM (
        SELECT a.subject_id, ${sql.join(each((place) => sql`bool_or(a.term = ${place}) AS a${place}`))}
        FROM (${around(ctx, search, terms)}) a GROUP BY a.subject_id) o
      CROSS JOIN LATERAL (SELECT e.* FROM search_entries e WHERE e.subject_id = o.subject_id OFFSET 0) e ${project}
      WHERE NOT e.vector @@ w.every AND ${sql.join(
        each((place) => sql`(o.a${place} OR e.vector @@ w.q${place})`),
        ' AND ',
      )}) e) e`;
}

/**
 * How well an entry fits: a name above tags, these above values, these above comments, and these above the text of a file
 * and the names of folders, which count the same for all; short texts above long ones.
 */
const scoreBy = (queries: readonly Sql[]): Sql => {
  const ranks = queries.map((query) => sql`greatest(ts_rank(e.vector, ${query}, 1), ${LEAST})`);
  return sql`(${sql.join(ranks, ' + ')})::float8`;
};

/** What `entriesOf` leaves to ask of its entries: none of the excluded words are there. */
export function matchesTerms(ctx: Context, search: Search): Sql {
  if (search.wordless) return sql`false`;
  const terms = unwanted(search);
  if (terms.length === 0) return sql`true`;
  const own = terms.map((term) => ownQuery(search, term)).filter((query) => query !== '');
  return sql`NOT (e.vector @@ ${joined(own, '|')}::tsquery
    OR e.subject_id IN (SELECT a.subject_id FROM (${around(ctx, search, terms)}) a))`;
}
