import {
  fold,
  joinedPositions,
  type Position,
  patternOf,
  type QueryWord,
  wordPositions,
} from './search-words.ts';

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
  const isPrefixed = ({ word }: Position) => prefixes.some((each) => word.startsWith(each));
  const positions = soughtIn(text, ({ word }) => words.has(word), isPrefixed);
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

type Test = (position: Position) => boolean;

/** The words of a text that are equal to sought ones or begin with them; one in parts counts instead of its parts. */
function soughtIn(text: string, isEqual: Test, isPrefixed: Test): Position[] {
  const joined = firstOf(joinedPositions(text), isEqual);
  const isWithin = (part: Position) => joined.some(({ start, end }) => part.start < end && part.end > start);
  const parts = firstOf(
    wordPositions(text),
    (part) => (isEqual(part) || isPrefixed(part)) && !isWithin(part),
  );
  const all = [...joined, ...parts].sort((a, b) => a.start - b.start);
  return firstOf(all.length > 0 ? all : joinedPositions(text), all.length > 0 ? () => true : isPrefixed);
}

/** The positions within one snippet from the first of them. */
function firstOf(all: Iterable<Position>, isSought: Test): Position[] {
  const positions: Position[] = [];
  for (const position of all) {
    if (positions[0] && position.end > positions[0].start + MAX_SNIPPET_LENGTH) break;
    if (isSought(position)) positions.push(position);
  }
  return positions;
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
  if (matches.length === 0) return markText(text, phrases.filter(({ length }) => length === 1).flat(2));
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
