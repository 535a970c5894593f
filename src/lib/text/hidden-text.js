/** Invisible characters, and those that change the order of the text around them. U+2800, the braille blank, is an invisible letter. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Scripts in which a joiner (U+200C, U+200D) changes the shape of the letters beside it (RFC 5892 A.1, A.2). */
const JOINING = [
  ...[
    'Arabic',
    'Syriac',
    'Mandaic',
    'Nko',
    'Adlam',
    'Mongolian',
    'Devanagari',
    'Bengali',
    'Gurmukhi',
    'Gujarati',
  ],
  ...[
    'Oriya',
    'Tamil',
    'Telugu',
    'Kannada',
    'Malayalam',
    'Sinhala',
    'Myanmar',
    'Khmer',
    'Javanese',
    'Balinese',
  ],
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');

/** A picture, with its presentation, skin tone or key cap, perhaps joined to others (UTS #51 ED-15a, ED-16). */
const PICTURE =
  '(?:[0-9#*]\\uFE0F?\\u20E3|\\p{Emoji_Presentation}\\uFE0F?|\\p{Extended_Pictographic}[\\uFE0E\\uFE0F]?)\\p{Emoji_Modifier}?';

const JOINER = '[\\u200C\\u200D]';
const IN_WORDS = '[\\p{L}\\p{M}\\p{N}]';

/**
 * Sequences in which hidden characters are legitimate: emoji, joiners within words (also `PDF` with a Persian ending, and
 * the short form of the Hijri year), variants of letters (UTS #37), and signs that enclose Arabic numbers.
 */
const IN_CONTEXT = new RegExp(
  [
    '\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{3,6}\\u{E007F}',
    `${PICTURE}(?:\\u200D${PICTURE})*`,
    `(?<=[${JOINING}])${JOINER}(?=${IN_WORDS})`,
    `(?<=${IN_WORDS})${JOINER}(?=[${JOINING}])`,
    '(?<=\\u0647)\\u200D(?=[.\\s])',
    '(?<=\\p{scx=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]',
    '(?<=\\p{scx=Mongolian})[\\u180B-\\u180F]',
    '(?<=[\\p{scx=Myanmar}\\p{scx=Phags_Pa}])\\uFE00',
    '[\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}]',
  ].join('|'),
  'gu',
);

/**
 * The first hidden character of a text, as in `U+202E`; undefined where there is none.
 * @param {string} text
 */
export function hiddenCharacter(text) {
  const codePoint = HIDDEN.exec(text.replace(IN_CONTEXT, ''))?.[0].codePointAt(0);
  return codePoint === undefined ? undefined : `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * The text without hidden characters: for what was stored before they were refused. Characters of `allowed` stay.
 * @param {string} text @param {string} [allowed]
 */
export function withoutHidden(text, allowed = '') {
  const clean = (/** @type {string} */ part) =>
    [...part].filter((character) => allowed.includes(character) || !HIDDEN.test(character)).join('');
  let [result, from] = ['', 0];
  for (const { 0: sequence, index } of text.matchAll(IN_CONTEXT)) {
    result += clean(text.slice(from, index)) + sequence;
    from = index + sequence.length;
  }
  return result + clean(text.slice(from));
}
