const MAX_MARKS = 30;
const LONG_RUN = new RegExp(`\\p{M}{${MAX_MARKS + 1}}`, 'u');
const EXCESS_MARKS = new RegExp(`(\\p{M}{${MAX_MARKS}})\\p{M}+`, 'gu');

/**
 * Whether more than 30 combining marks follow each other (UAX #15 §13, the Stream-Safe Text Format). Normalizing a run of
 * marks takes time quadratic in its length: a minute for a megabyte.
 */
export const hasLongMarks = (text: string): boolean => mayContainLongMarks(text) && LONG_RUN.test(text);

/** A longer run includes a code unit at a multiple of 30, so checking only those rules out nearly all texts. */
const POSSIBLE = /[\p{M}\ud800-\udfff]/u;

function mayContainLongMarks(text: string): boolean {
  for (let index = MAX_MARKS; index < text.length; index += MAX_MARKS)
    if (POSSIBLE.test(text[index] as string)) return true;
  return false;
}

/** Truncates each run of combining marks to 30. */
export const shortenMarks = (text: string): string =>
  mayContainLongMarks(text) ? text.replace(EXCESS_MARKS, '$1') : text;

/** The text in a Unicode normalization form, with each run of combining marks truncated to 30. */
export const normalize = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  shortenMarks(text).normalize(form);

/** The number of code points; of UTF-16 code units, without counting, when the text has more than `max` anyway. */
export const codePoints = (text: string, max: number): number =>
  text.length > 2 * max ? text.length : [...text].length;
