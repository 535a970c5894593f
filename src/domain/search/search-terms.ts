import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Rows } from '../../db/sql/table.ts';
import type { Part } from './search-grammar.ts';
import type { Search, Term } from './search-query.ts';
import { wordsOf } from './search-words.ts';

/** The weights that search_sources gives the parts of an object. */
const WEIGHTS: Partial<Record<Part, string>> = { NAME: 'A', TAG: 'B', VALUE: 'C', COMMENT: 'D' };

/** The phrases of which a match has one: the words of the term with their corrections, and its alternatives. */
export const phrasesOf = ({ text, prefix, readings, alternatives }: Term) => [
  { words: readings ?? wordsOf(text).map((word) => [word]), prefix },
  ...alternatives.map((each) => ({ ...each, words: each.words.map((word) => [word]) })),
];

type Tenant = Pick<Search, 'organizationId'>;

/** Words of the index begin with the last 6 characters of the organization's id (search_vector of the migrations). */
const lexeme = ({ organizationId }: Tenant, word: string, suffix: string): string =>
  `'${organizationId.slice(-6)}${word}'${suffix && ':'}${suffix}`;

/** The tsquery of a term, limited to `weights`. Words contain no quote or backslash (search-words.ts), so need no escape. */
export function tsqueryOf(tenant: Tenant, term: Term, weights: string): string {
  return phrasesOf(term)
    .map(({ words, prefix }) => {
      const positions = words.map((each, index) => {
        const suffix = (prefix && index === words.length - 1 ? '*' : '') + weights;
        return `(${each.map((word) => lexeme(tenant, word, suffix)).join(' | ')})`;
      });
      return positions.join(' <-> ');
    })
    .join(' | ');
}

const positiveTerms = ({ terms }: Search): Term[] => terms.filter(({ negated }) => !negated);

/** Whether the term is searched in an object's own text: name, tags, values, comments. */
const searchesOwnText = ({ part }: Term): boolean => part === null || part in WEIGHTS;
const searchesFolders = ({ part }: Term): boolean => part === null || part === 'FOLDER';
const searchesFileText = ({ kind }: Search, { part }: Term): boolean =>
  (part === null || part === 'TEXT') && (kind ?? 'DOCUMENT') === 'DOCUMENT';

const queryOf = (search: Search, term: Term, sought: boolean, weights = ''): string =>
  sought ? tsqueryOf(search, term, weights) : '';

const ownQuery = (search: Search, term: Term): string =>
  queryOf(search, term, searchesOwnText(term), (term.part && WEIGHTS[term.part]) ?? '');

/**
 * The terms as rows: `position`, `negated`, and tsqueries for the object's own text (`own`), the text of its file
 * (`text`) and names of folders (`folder`), empty where not searched. The statement is the same for any number of terms.
 */
export function termRows(search: Search): Sql {
  const { terms } = search;
  const own = terms.map((term) => ownQuery(search, term));
  const text = terms.map((term) => queryOf(search, term, searchesFileText(search, term)));
  const folder = terms.map((term) => queryOf(search, term, searchesFolders(term)));
  return sql`SELECT q.position, q.negated, q.own::tsquery, q.text::tsquery, q.folder::tsquery
    FROM unnest(${terms.map(({ negated }) => negated)}::bool[], ${sql.texts(own)}, ${sql.texts(text)}, ${sql.texts(folder)})
      WITH ORDINALITY AS q(negated, own, text, folder, position) OFFSET 0`;
}

const joined = (queries: readonly string[], operator: '&' | '|'): string =>
  queries.map((query) => `(${query})`).join(` ${operator} `);

/** The tsquery of entries with every positive word in their own text; empty if there can be none. */
export function everyQuery(search: Search): string {
  const queries = positiveTerms(search).map((term) => ownQuery(search, term));
  return queries.includes('') ? '' : joined(queries, '&');
}

/** On pieces of file text: they have the words of at least one term. */
export function hasSomeTerm(pieces: Rows<'search_texts'>, search: Search): Sql {
  const terms = positiveTerms(search).filter((term) => searchesFileText(search, term));
  const queries = terms.map((term) => tsqueryOf(search, term, ''));
  return queries.length === 0 ? sql`false` : sql`${pieces}.vector @@ ${joined(queries, '|')}::tsquery`;
}
