import { sql } from '../../db/sql/sql.ts';
import type { Context } from '../kernel/context.ts';
import type { Search, Term } from './search-query.ts';
import { wordsOf } from './search-words.ts';

/** Shorter words have too many others near them, and numbers mean what they say. */
const mayBeMistyped = (word: string): boolean => [...word].length >= 4 && !/^\d+$/.test(word);

/** How many mistypings of a query are looked into, and how many words each may have meant. */
const MAX_WORDS = 8;
const MAX_READINGS = 20;

/**
 * The search with each mistyped word read as the words of the organization near to it, or nothing where no word is near.
 * For when the search as it was written finds nothing that the viewer sees: that depends on visible things alone, so no
 * answer tells which words stand in hidden ones.
 */
export async function correctSearch({ db }: Context, search: Search): Promise<Search | undefined> {
  const asked = search.terms.filter(({ negated }) => !negated).flatMap(({ text }) => wordsOf(text));
  const words = [...new Set(asked.filter(mayBeMistyped))].slice(0, MAX_WORDS);
  if (words.length === 0) return undefined;
  const rows = await db.query<{ word: string; candidates: string[] }>(sql`
    SELECT w.word, ARRAY(SELECT n.word FROM search_near(${search.organizationId}, w.word) n) AS candidates
    FROM unnest(${words}::text[]) AS w(word)`);
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
 * One mistyping in a word of up to seven characters, two in a longer one; with `beginning`, the other may go on. The first
 * character is seldom mistyped, and words that differ in it are too many: it is the same, or swapped with the second.
 */
export function isNear(mistyped: string, word: string, beginning: boolean): boolean {
  const a = [...mistyped];
  const b = [...word];
  if (a[0] !== b[0] && (a[0] !== b[1] || a[1] !== b[0])) return false;
  const most = a.length < 8 ? 1 : 2;
  const last = distances(a, beginning ? b.slice(0, a.length + most) : b);
  return (beginning ? Math.min(...last) : (last.at(-1) as number)) <= most;
}

/**
 * How many characters have to be added, dropped, replaced, or swapped with their neighbour, to make of `a` each
 * beginning of `b` (optimal string alignment).
 */
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
