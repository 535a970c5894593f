import { normalize } from '../../lib/text/normalize.ts';

/**
 * Folding and splitting of text into words, for queries and highlights. The index uses search_fold and search_words of the
 * migrations; a test compares both.
 */

const IGNORED =
  /[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]|[\u00ad\u02bc]/g;

/** Characters that are words by themselves: scripts without spaces, and emoji. */
const SINGLE =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u2b00-\u2bff\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3041-\u30fa\u30fc-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{1f000}-\u{1faff}\u{20000}-\u{3ffff}]/gu;

const BETWEEN =
  /[\p{Cc}\x20-\x2f\x3a-\x40\x5b-\x60\x7b-\xbf\xd7\xf7\u037e\u0387\u0589\u05be\u05c0\u05c3\u05f3\u05f4\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u25ff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d-\u3040\u30fb\ufd3e\ufd3f\ufff0-\uffff]+/u;

const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ð: 'd',
  ς: 'σ',
  // Letters of Arabic that languages write differently.
  ٱ: 'ا',
  ک: 'ك',
  ڪ: 'ك',
  ی: 'ي',
  ى: 'ي',
  ة: 'ه',
  ە: 'ه',
  ہ: 'ه',
  ھ: 'ه',
};

/** The digits 0 of scripts, each followed by the other nine (Unicode, category Nd). */
const ZEROS = '٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀႐០᠐᥆᧐᪀᪐᭐᮰᱀᱐꘠꣐꤀꧐꧰꩐꯰';

for (const zero of ZEROS)
  for (let digit = 0; digit < 10; digit++)
    LETTERS[String.fromCodePoint((zero.codePointAt(0) as number) + digit)] = String(digit);

const FOLDED_LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** Folds compatibility forms, case, accents, Hebrew and Arabic points and invisible characters. */
export const fold = (text: string): string =>
  normalize(normalize(text, 'NFKC').toLowerCase(), 'NFKD')
    .replace(IGNORED, '')
    .toLowerCase()
    .replace(FOLDED_LETTER, (letter) => LETTERS[letter] as string);

/** The folded words of a text in order, each cut after 60 characters. */
export const wordsOf = (text: string): string[] =>
  fold(text)
    .replace(SINGLE, ' $& ')
    .split(BETWEEN)
    .filter((word) => word !== '')
    .map((word) => [...word].slice(0, 60).join(''));

const PART_OF_WORD = '[^\\0-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\xbf\\u2000-\\u25ff\\u3000]';
const WITHIN_WORD = new RegExp(
  `(?<=${PART_OF_WORD})['\\u2010\\u2018\\u2019\\u201b-](?=${PART_OF_WORD})`,
  'gu',
);
const WITHIN_NUMBER = /(?<=[0-9])[ ./()_-]{1,2}(?=[0-9])/g;

/** Longer ones are rows of numbers rather than words. */
const MAX_JOINED_LENGTH = 40;

const joined = (folded: string): string => folded.replace(WITHIN_WORD, '').replace(WITHIN_NUMBER, '');

/**
 * The words that a text writes in parts, in one piece: `obrien` for `O'Brien`, `ab123456` for `AB-1234/56`. They are indexed
 * beside the parts (search_joined of the migrations).
 */
export function joinedWordsOf(text: string): string[] {
  const folded = fold(text);
  const whole = joined(folded);
  if (whole === folded) return [];
  const parts = new Set(wordsOf(folded));
  return [...new Set(wordsOf(whole))]
    .filter((word) => !parts.has(word) && [...word].length <= MAX_JOINED_LENGTH)
    .sort();
}

/** A folded word, and where it is in a text, in UTF-16 code units. */
export interface Position {
  word: string;
  start: number;
  end: number;
}

/** Each word of a text, folded, with its position. */
export function* wordPositions(text: string): Generator<Position> {
  const parts = new RegExp(
    `${SINGLE.source}|(?:(?!${SINGLE.source})[^${BETWEEN.source.slice(1, -2)}])+`,
    'gu',
  );
  for (const { 0: part, index } of text.matchAll(parts))
    yield { word: wordsOf(part).join(''), start: index, end: index + part.length };
}

/** Each word that a text writes in parts, in one piece and folded, with the position of its parts. */
export function* joinedPositions(text: string): Generator<Position> {
  const whole = new RegExp(`(?:${PART_OF_WORD}|${WITHIN_WORD.source}|${WITHIN_NUMBER.source})+`, 'gu');
  for (const { 0: part, index } of text.matchAll(whole)) {
    const [word = '', ...others] = joinedWordsOf(part);
    if (word && others.length === 0) yield { word, start: index, end: index + part.length };
  }
}

const SEPARATOR = BETWEEN.source.slice(0, -1);
const START = `(?:^|(?<=${SEPARATOR}|${SINGLE.source}))`;
const END = `(?=$|${SEPARATOR}|${SINGLE.source})`;

/** A folded word of a query. */
export interface QueryWord {
  word: string;
  prefix: boolean;
}

/** A pattern of consecutive words in a folded text, each with alternatives. Words contain no special characters of patterns. */
export function patternOf(phrase: readonly (readonly QueryWord[])[]): RegExp {
  const words = phrase.map((each) => each.map(({ word, prefix }) => `${START}${word}${prefix ? '' : END}`));
  return new RegExp(words.map((each) => `(?:${each.join('|')})`).join(`${SEPARATOR}*`), 'u');
}
