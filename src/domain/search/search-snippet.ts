import { fold, patternOf, type QueryWord, wordPositions } from './search-words.ts';

const CONTEXT_LENGTH = 60;
const MAX_SNIPPET_LENGTH = 200;

/**
 * A snippet of a text from shortly before the first of the query's words, at most 200 characters, with the start and end of
 * each such word in it, in UTF-16 code units. Undefined if the text contains none.
 */
export function markText(
  text: string,
  queryWords: readonly QueryWord[],
): { text: string; matches: number[] } | undefined {
  const words = new Set(queryWords.map(({ word }) => word));
  const prefixes = queryWords.filter(({ prefix }) => prefix).map(({ word }) => word);
  const positions = [];
  for (const position of wordPositions(text)) {
    if (positions[0] && position.end > (positions[0]?.start ?? 0) + MAX_SNIPPET_LENGTH) break;
    if (words.has(position.word) || prefixes.some((each) => position.word.startsWith(each)))
      positions.push(position);
  }
  const [first] = positions;
  if (!first) return undefined;
  const start =
    text.length <= MAX_SNIPPET_LENGTH
      ? 0
      : characterBoundary(text, Math.max(0, first.start - CONTEXT_LENGTH));
  const snippet = text.slice(start, characterBoundary(text, start + MAX_SNIPPET_LENGTH));
  const included = positions.filter(({ end }) => end - start <= snippet.length);
  return { text: snippet, matches: included.flatMap((match) => [match.start - start, match.end - start]) };
}

/** UTF-16 code units around the first match of a long text, so that only these are split into words. */
const WINDOW = 400;

/** Consecutive words, each with alternatives. */
export type Phrase = QueryWord[][];

/** Like markText, for a long text: only complete phrases count as matches. */
export function markLongText(
  text: string,
  phrases: readonly Phrase[],
): { text: string; matches: number[] } | undefined {
  const folded = fold(text);
  const matches = phrases
    .map((phrase) => ({ at: folded.search(patternOf(phrase)), words: phrase.flat() }))
    .filter(({ at }) => at >= 0);
  if (matches.length === 0) return undefined;
  const words = matches.flatMap((each) => each.words);
  // Positions in the folded text are those of the text only if folding kept the number of characters.
  if (folded.length !== text.length || text.length < 2 * WINDOW) return markText(text, words);
  const start = snippetStart(text, Math.min(...matches.map(({ at }) => at)));
  return markText(text.slice(start, start + WINDOW), words) ?? markText(text, words);
}

/** The start of a snippet, a few words before `at`. */
function snippetStart(text: string, at: number): number {
  const from = Math.max(0, at - 2 * CONTEXT_LENGTH);
  const blank = text.slice(from, at).search(/\s/);
  return from === 0 ? 0 : blank < 0 ? at : from + blank + 1;
}

/** `index`, or the next one if it is between the halves of a surrogate pair. */
const characterBoundary = (text: string, index: number): number =>
  /[\udc00-\udfff]/.test(text[index] ?? '') && /[\ud800-\udbff]/.test(text[index - 1] ?? '')
    ? index + 1
    : index;
