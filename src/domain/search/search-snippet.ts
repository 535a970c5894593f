import { fold, patternOf, type QueryWord, wordPositions } from './search-words.ts';

const LEAD = 60;
const MAX_SNIPPET = 200;

/**
 * The piece of a text around its first wanted word, at most 200 characters, and where such words stand in it: start and
 * end of each, in UTF-16 code units. Nothing where there is none.
 */
export function markText(
  text: string,
  wanted: readonly QueryWord[],
): { text: string; matches: number[] } | undefined {
  const words = new Set(wanted.map(({ word }) => word));
  const beginnings = wanted.filter(({ prefix }) => prefix).map(({ word }) => word);
  const places = [];
  for (const position of wordPositions(text)) {
    if (places[0] && position.end > (places[0]?.start ?? 0) + MAX_SNIPPET) break;
    if (words.has(position.word) || beginnings.some((each) => position.word.startsWith(each)))
      places.push(position);
  }
  const [first] = places;
  if (!first) return undefined;
  const start = text.length <= MAX_SNIPPET ? 0 : boundary(text, Math.max(0, first.start - LEAD));
  const piece = text.slice(start, boundary(text, start + MAX_SNIPPET));
  const shown = places.filter(({ end }) => end - start <= piece.length);
  return { text: piece, matches: shown.flatMap((place) => [place.start - start, place.end - start]) };
}

/** UTF-16 code units around the first match of a long text, so that only these are split into words. */
const WINDOW = 400;

/** Consecutive words, each with alternatives. */
export type Phrase = QueryWord[][];

/** The same for a long text: only phrases that match as a whole count. */
export function markLongText(
  text: string,
  phrases: readonly Phrase[],
): { text: string; matches: number[] } | undefined {
  const folded = fold(text);
  const found = phrases
    .map((phrase) => ({ at: folded.search(patternOf(phrase)), wanted: phrase.flat() }))
    .filter(({ at }) => at >= 0);
  if (found.length === 0) return undefined;
  const wanted = found.flatMap((each) => each.wanted);
  // Positions in the folded text are those of the text only if folding kept the number of characters.
  if (folded.length !== text.length || text.length < 2 * WINDOW) return markText(text, wanted);
  const start = snippetStart(text, Math.min(...found.map(({ at }) => at)));
  return markText(text.slice(start, start + WINDOW), wanted) ?? markText(text, wanted);
}

/** The start of a snippet, a few words before `at`. */
function snippetStart(text: string, at: number): number {
  const from = Math.max(0, at - 2 * LEAD);
  const blank = text.slice(from, at).search(/\s/);
  return from === 0 ? 0 : blank < 0 ? at : from + blank + 1;
}

/** Not between the halves of a surrogate pair. */
const boundary = (text: string, index: number): number =>
  /[\udc00-\udfff]/.test(text[index] ?? '') && /[\ud800-\udbff]/.test(text[index - 1] ?? '')
    ? index + 1
    : index;
