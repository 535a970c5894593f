const MOST_MARKS = 30;
const TOO_MANY = new RegExp(`\\p{M}{${MOST_MARKS + 1}}`, 'u');
const BEYOND = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu');

/**
 * Whether more combining marks follow each other than in any writing (UAX #15 §13, the Stream-Safe Text Format). To
 * normalize a run of marks takes time with the square of its length: a minute for a megabyte.
 */
export const hasLongMarks = (text: string): boolean => mayHoldLongMarks(text) && TOO_MANY.test(text);

/** Any run of more marks holds one of every 30th code unit, so that most texts are looked at in passing. */
const POSSIBLE = /[\p{M}\ud800-\udfff]/u;

function mayHoldLongMarks(text: string): boolean {
  for (let at = MOST_MARKS; at < text.length; at += MOST_MARKS)
    if (POSSIBLE.test(text[at] as string)) return true;
  return false;
}

/** The text with the first 30 of each longer run of combining marks. */
export const shortenMarks = (text: string): string =>
  mayHoldLongMarks(text) ? text.replace(BEYOND, '$1') : text;

/** The text in a normalization form of Unicode; of a longer run of combining marks, the first 30 count. */
export const normalize = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  shortenMarks(text).normalize(form);

/** Code points; of a text that has more than `most` in any case, UTF-16 code units. */
export const codePoints = (text: string, most: number): number =>
  text.length > 2 * most ? text.length : [...text].length;
