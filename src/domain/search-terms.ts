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

const hasWords = (row: Prisma.Sql, tenant: Tenant, term: Term): Prisma.Sql =>
  sql`${row}.vector @@ ${tsquery(tenant, term, weightOf(term))}`;

/** What is in a folder whose name, or that of one above, has the words; where the viewer does not see that folder, it says nothing. */
const inFolderNamed = (
  { viewer }: Context,
  row: Prisma.Sql,
  tenant: Tenant,
  term: Term,
): Prisma.Sql => sql`${row}.folder_id = ANY(ARRAY(
  SELECT b.id FROM search_entries n
  JOIN folders f ON f.organization_id = n.organization_id AND f.id = n.subject_id
  JOIN folders b ON b.organization_id = f.organization_id AND (b.id = f.id OR b.ancestor_ids @> ARRAY[f.id])
  WHERE n.organization_id = ${tenant.organizationId} AND n.kind = 'FOLDER' AND n.vector @@ ${tsquery(tenant, term)}
  AND ${visibleFolders(viewer)}))`;

/** What a term finds, each way by its own index: the ids of things. */
function foundBy(ctx: Context, search: Search, term: Term): Prisma.Sql {
  const { organizationId } = search;
  const ways = [
    inOwn(term) &&
      sql`SELECT n.subject_id FROM search_entries n
        WHERE n.organization_id = ${organizationId} AND ${hasWords(sql`n`, search, term)}`,
    inFolders(term) &&
      sql`SELECT i.subject_id FROM search_entries i
        WHERE i.organization_id = ${organizationId} AND ${inFolderNamed(ctx, sql`i`, search, term)}`,
    inTexts(search, term) &&
      sql`SELECT t.document_id COLLATE "C" FROM search_files(${organizationId}, ${tsquery(search, term)}) t`,
  ].filter((way) => way instanceof Prisma.Sql);
  const nothing = sql`SELECT NULL AS subject_id WHERE false`;
  return sql`(${Prisma.join([nothing, ...ways], ' UNION ')})`;
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

/** What the term at `index` finds, among the wanted or the unwanted ones. */
const found = (index: number): Prisma.Sql => Prisma.raw(`m${index}`);
const excluded = (index: number): Prisma.Sql => Prisma.raw(`x${index}`);

/** Search entries as `e`, those that every word or phrase of the query finds. */
export function entriesOf(ctx: Context, search: Search): Prisma.Sql {
  const joined = (way: Prisma.Sql, term: Term, name: Prisma.Sql) =>
    sql` ${way} ${foundBy(ctx, search, term)} ${name} ON ${name}.subject_id = e.subject_id`;
  const joins = [
    ...wanted(search).map((term, index) => joined(sql`JOIN`, term, found(index))),
    ...unwanted(search).map((term, index) => joined(sql`LEFT JOIN`, term, excluded(index))),
  ];
  return Prisma.join([sql`search_entries e`, ...joins], '');
}

/** What `entriesOf` leaves to ask of its entries: none of the excluded words are there. */
export const matchesTerms = (search: Search): Prisma.Sql =>
  Prisma.join(
    [
      search.wordless ? sql`false` : sql`true`,
      ...unwanted(search).map((_, index) => sql`${excluded(index)}.subject_id IS NULL`),
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
