import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Part } from './search-grammar.ts';
import type { Search, Term } from './search-query.ts';
import { wordsOf } from './search-words.ts';

/** The weights that search_sources gives the parts of a thing. */
const WEIGHTS: Partial<Record<Part, string>> = { NAME: 'A', TAG: 'B', VALUE: 'C', COMMENT: 'D' };

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

const positiveTerms = ({ terms }: Search): Term[] => terms.filter(({ negated }) => !negated);

/** The words of a term are looked for in what a thing itself says: its name, tags, values and comments. */
const searchesOwnText = ({ part }: Term): boolean => part === null || part in WEIGHTS;
const searchesFolders = ({ part }: Term): boolean => part === null || part === 'FOLDER';
const searchesFileText = ({ kind }: Search, { part }: Term): boolean =>
  (part === null || part === 'TEXT') && (kind ?? 'DOCUMENT') === 'DOCUMENT';

const queryOf = (search: Search, term: Term, sought: boolean, weights = ''): string =>
  sought ? tsqueryOf(search, term, weights) : '';

const ownQuery = (search: Search, term: Term): string =>
  queryOf(search, term, searchesOwnText(term), (term.part && WEIGHTS[term.part]) ?? '');

/**
 * The terms of a search as rows of a statement: `place`, whether it is `negated`, and its words as they are looked for in what
 * a thing says itself (`own`), in the text of its file (`text`), and in names of folders (`folder`): queries, empty ones where
 * they are not looked for. It is the same statement however many there are.
 */
export function termRows(search: Search): Sql {
  const { terms } = search;
  const own = terms.map((term) => ownQuery(search, term));
  const text = terms.map((term) => queryOf(search, term, searchesFileText(search, term)));
  const folder = terms.map((term) => queryOf(search, term, searchesFolders(term)));
  return sql`SELECT q.place, q.negated, q.own::tsquery, q.text::tsquery, q.folder::tsquery
    FROM unnest(${terms.map(({ negated }) => negated)}::bool[], ${own}::text[], ${text}::text[], ${folder}::text[])
      WITH ORDINALITY AS q(negated, own, text, folder, place) OFFSET 0`;
}

const joined = (queries: readonly string[], operator: '&' | '|'): string =>
  queries.map((query) => `(${query})`).join(` ${operator} `);

/** What an entry has to say that says all of a search itself; empty where none can. */
export function everyQuery(search: Search): string {
  const queries = positiveTerms(search).map((term) => ownQuery(search, term));
  return queries.includes('') ? '' : joined(queries, '&');
}

/** A condition on pieces of text `x`: they have the words of some term. */
export function hasSomeTerm(search: Search): Sql {
  const terms = positiveTerms(search).filter((term) => searchesFileText(search, term));
  const queries = terms.map((term) => tsqueryOf(search, term, ''));
  return queries.length === 0 ? sql`false` : sql`x.vector @@ ${joined(queries, '|')}::tsquery`;
}
