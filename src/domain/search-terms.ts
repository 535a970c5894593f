import { Prisma } from '../generated/prisma/client.ts';
import { visibleFolders } from './access.ts';
import type { Context } from './context.ts';
import type { Part } from './search-grammar.ts';
import type { Search, Term } from './search-query.ts';
import { wordsOf } from './search-words.ts';

const { sql } = Prisma;

/** The weights that search_sources gives the parts of a thing. */
const WEIGHTS: Partial<Record<Part, string>> = { NAME: 'A', TAG: 'B', VALUE: 'C', COMMENT: 'D' };

/** What a word counts that a thing does not say itself: less than one in a long list of comments. */
const LEAST = 0.003;

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

const tsquery = (tenant: Tenant, term: Term, weights = ''): Prisma.Sql =>
  sql`${tsqueryOf(tenant, term, weights)}::tsquery`;

const weightOf = ({ part }: Term): string => (part && WEIGHTS[part]) ?? '';

/** The words of a term are looked for in what a thing itself says: its name, tags, values and comments. */
const inOwn = ({ part }: Term): boolean => part === null || part in WEIGHTS;
const inFolders = ({ part }: Term): boolean => part === null || part === 'FOLDER';
const inTexts = ({ kind }: Search, { part }: Term): boolean =>
  (part === null || part === 'TEXT') && (kind ?? 'DOCUMENT') === 'DOCUMENT';

/** A condition on search entries as `row`: they say the words themselves. */
const says = (row: Prisma.Sql, tenant: Tenant, term: Term): Prisma.Sql =>
  inOwn(term) ? sql`${row}.vector @@ ${tsquery(tenant, term, weightOf(term))}` : sql`false`;

/** The folders whose name, or that of one above, has the words; where the viewer does not see that folder, it says nothing. */
const foldersNamed = ({ viewer }: Context, tenant: Tenant, term: Term): Prisma.Sql => sql`
  SELECT b.id FROM search_entries n
  JOIN folders f ON f.organization_id = n.organization_id AND f.id = n.subject_id
  JOIN folders b ON b.organization_id = f.organization_id AND (b.id = f.id OR b.ancestor_ids @> ARRAY[f.id])
  WHERE n.organization_id = ${tenant.organizationId} AND n.kind = 'FOLDER' AND n.vector @@ ${tsquery(tenant, term)}
  AND ${visibleFolders(viewer)}`;

/** The ids of things that need not say the words: their file does, or a folder that they are in. */
function around(ctx: Context, search: Search, term: Term): Prisma.Sql {
  const { organizationId } = search;
  const ways = [
    inFolders(term) &&
      sql`SELECT i.subject_id FROM search_entries i
        WHERE i.organization_id = ${organizationId} AND i.folder_id = ANY(ARRAY(${foldersNamed(ctx, search, term)}))`,
    inTexts(search, term) &&
      sql`SELECT t.document_id COLLATE "C" FROM search_files(${organizationId}, ${tsquery(search, term)}) t`,
  ].filter((way) => way instanceof Prisma.Sql);
  return Prisma.join([sql`SELECT NULL AS subject_id WHERE false`, ...ways], ' UNION ALL ');
}

/** A condition on pieces of text `x`: they have the words of some term. */
export function hasSomeTerm(search: Search): Prisma.Sql {
  const terms = wanted(search).filter((term) => inTexts(search, term));
  return terms.length === 0
    ? sql`false`
    : sql`x.vector @@ ${terms.map((term) => `(${tsqueryOf(search, term, '')})`).join(' | ')}::tsquery`;
}

const wanted = ({ terms }: Search): Term[] => terms.filter(({ negated }) => !negated);
const unwanted = ({ terms }: Search): Term[] => terms.filter(({ negated }) => negated);

/**
 * Search entries as `e`, those that every word or phrase of the query finds, by two ways that share none: they say all of
 * it themselves, which one look into the index answers; or some of it stands around them. Each is a way through indexes,
 * whatever the planner thinks of how many there are.
 */
export function entriesOf(ctx: Context, search: Search): Prisma.Sql {
  const terms = wanted(search);
  if (terms.length === 0) return sql`search_entries e`;
  const { organizationId } = search;
  const all = terms.every(inOwn)
    ? sql`e.vector @@ ${terms.map((term) => `(${tsqueryOf(search, term, weightOf(term))})`).join(' & ')}::tsquery`
    : sql`false`;
  const [names, sets] = [
    terms.map((_, index) => Prisma.raw(`a${index}`)),
    terms.map((term) => around(ctx, search, term)),
  ];
  const found = terms.map(
    (term, index) =>
      sql`(${says(sql`e`, search, term)} OR e.subject_id IN (SELECT subject_id FROM ${names[index] as Prisma.Sql}))`,
  );
  return sql`(
    SELECT e.* FROM search_entries e WHERE e.organization_id = ${organizationId} AND ${all}
    UNION ALL
    (WITH ${Prisma.join(sets.map((set, index) => sql`${names[index] as Prisma.Sql} AS MATERIALIZED (${set})`))}
    SELECT e.* FROM (${Prisma.join(
      names.map((name) => sql`SELECT subject_id FROM ${name}`),
      ' UNION ',
    )}) o
    CROSS JOIN LATERAL (SELECT e.* FROM search_entries e
      WHERE e.organization_id = ${organizationId} AND e.subject_id = o.subject_id OFFSET 0) e
    WHERE NOT (${all}) AND ${terms.length === 1 ? sql`true` : Prisma.join(found, ' AND ')})) e`;
}

/** What `entriesOf` leaves to ask of its entries: none of the excluded words are there. */
export const matchesTerms = (ctx: Context, search: Search): Prisma.Sql =>
  Prisma.join(
    [
      search.wordless ? sql`false` : sql`true`,
      ...unwanted(search).map(
        (term) => sql`NOT (${says(sql`e`, search, term)} OR e.subject_id IN (${around(ctx, search, term)}))`,
      ),
    ],
    ' AND ',
  );

/**
 * How well an entry of `entriesOf` fits: a name above tags, these above values, these above comments, and these above the
 * text of a file and the names of folders, which count the same for all; short texts above long ones.
 */
export function scoreOf(search: Search): Prisma.Sql {
  const ranks = wanted(search).map((term) =>
    inOwn(term)
      ? sql`greatest(ts_rank(e.vector, ${tsquery(search, term, weightOf(term))}, 1), ${LEAST}::float4)`
      : sql`${LEAST}::float4`,
  );
  return ranks.length > 0 ? sql`(${Prisma.join(ranks, ' + ')})::float8` : sql`0::float8`;
}
