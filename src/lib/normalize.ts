const MOST_MARKS = 30;
const TOO_MANY = new RegExp(`\\p{M}{${MOST_MARKS + 1}}`, 'u');
const BEYOND = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu');

/**
 * Whether more combining marks follow each other than in any writing (UAX #15 §13, the Stream-Safe Text Format). To
 * normalize a run of marks takes time with the square of its length: a minute for a megabyte.
 */
export const hasLongMarks = (text: string): boolean => TOO_MANY.test(text);

/** The text in a normalization form of Unicode; of a longer run of combining marks, the first 30 count. */
export const normalize = (text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string =>
  text.replace(BEYOND, '$1').normalize(form);
