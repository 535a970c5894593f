import { sql } from '../../db/sql/sql.ts';
import type { Context } from '../kernel/context.ts';
import type { Search, Term } from './search-query.ts';
import { wordsOf } from './search-words.ts';

/** Shorter words are similar to too many others, and numbers are taken literally. */
const mayBeMistyped = (word: string): boolean => [...word].length >= 4 && !/^\d+$/.test(word);

/** How many words of a query are corrected, and by how many candidates each. */
const MAX_WORDS = 8;
const MAX_READINGS = 20;

/**
 * The search with similar words of the organization added to each word; undefined if there are none. Only for a search
 * that finds nothing visible: so the result depends on visible objects alone, and reveals no words of hidden ones.
 */
export async function correctSearch({ db }: Context, search: Search): Promise<Search | undefined> {
  const queryWords = search.terms.filter(({ negated }) => !negated).flatMap(({ text }) => wordsOf(text));
  const words = [...new Set(queryWords.filter(mayBeMistyped))].slice(0, MAX_WORDS);
  if (words.length === 0) return undefined;
  const rows = await db.query<{ word: string; candidates: string[] }>(sql`
    SELECT w.word, ARRAY(SELECT n.word FROM search_near(${search.organizationId}, w.word) n) AS candidates
    FROM unnest(${sql.texts(words)}) AS w(word)`);
  const candidates = new Map(rows.map((row) => [row.word, row.candidates]));
  const terms = search.terms.map((term) =>
    term.negated ? term : { ...term, readings: readings(term, candidates) },
  );
  return terms.some((term) => term.readings?.some((each) => each.length > 1))
    ? { ...search, terms }
    : undefined;
}

function readings({ text, prefix }: Term, candidates: Map<string, string[]>): string[][] {
  const words = wordsOf(text);
  return words.map((word, index) => {
    const beginning = prefix && index === words.length - 1;
    const near = (candidates.get(word) ?? []).filter(
      (each) => each !== word && isNear(word, each, beginning),
    );
    return [word, ...near.slice(0, MAX_READINGS)];
  });
}

/**
 * Whether a word is similar: one error up to seven characters, two beyond; with `prefix`, it may continue. The first
 * character must be equal or swapped with the second: it is rarely mistyped, and would allow too many words.
 */
export function isNear(mistyped: string, word: string, prefix: boolean): boolean {
  const a = [...mistyped];
  const b = [...word];
  if (a[0] !== b[0] && (a[0] !== b[1] || a[1] !== b[0])) return false;
  const maxErrors = a.length < 8 ? 1 : 2;
  const last = distances(a, prefix ? b.slice(0, a.length + maxErrors) : b);
  return (prefix ? Math.min(...last) : (last.at(-1) as number)) <= maxErrors;
}

/** The edit distances (optimal string alignment) from `a` to each prefix of `b`. */
function distances(a: string[], b: string[]): number[] {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1),
        swapped ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, row];
  }
  return last;
}
