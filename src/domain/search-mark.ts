import { placesOf } from './search-words.ts';

/** A folded word; with `prefix`, the beginning of one. */
export interface Wanted {
  word: string;
  prefix: boolean;
}

const BEFORE = 60;
const LONGEST = 200;

/**
 * The piece of a text around its first wanted word, at most 200 characters, and where such words stand in it: start and
 * end of each, in UTF-16 code units. Nothing where there is none.
 */
export function markText(
  text: string,
  wanted: readonly Wanted[],
): { text: string; matches: number[] } | undefined {
  const whole = new Set(wanted.map(({ word }) => word));
  const beginnings = wanted.filter(({ prefix }) => prefix).map(({ word }) => word);
  const places = [];
  for (const place of placesOf(text)) {
    if (places[0] && place.end > (places[0]?.start ?? 0) + LONGEST) break;
    if (whole.has(place.word) || beginnings.some((each) => place.word.startsWith(each))) places.push(place);
  }
  const [first] = places;
  if (!first) return undefined;
  const start = text.length <= LONGEST ? 0 : boundary(text, Math.max(0, first.start - BEFORE));
  const piece = text.slice(start, boundary(text, start + LONGEST));
  const shown = places.filter(({ end }) => end - start <= piece.length);
  return { text: piece, matches: shown.flatMap((place) => [place.start - start, place.end - start]) };
}

/** Not between the halves of a surrogate pair. */
const boundary = (text: string, index: number): number =>
  /[\udc00-\udfff]/.test(text[index] ?? '') && /[\ud800-\udbff]/.test(text[index - 1] ?? '')
    ? index + 1
    : index;
