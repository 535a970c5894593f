// Plain JavaScript, as everything that text-task.js loads.

/** Characters of symbol fonts are numbered from here. */
const PRIVATE = 0xf000;

/** The letters of the font Symbol at the places of A to Z and a to z (Adobe Symbol encoding). */
const CAPITALS = 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ';
const SMALL = 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ';

/** Fonts of pictures, whose codes are no characters of Unicode. */
const PICTURES = /dings|symbol|marlett/i;

/** Other characters of the font Symbol, by code. */
const SIGNS = new Map([
  [0xa3, '≤'],
  [0xa5, '∞'],
  [0xb0, '°'],
  [0xb1, '±'],
  [0xb3, '≥'],
  [0xb4, '×'],
  [0xb9, '≠'],
  [0xd2, '®'],
  [0xd3, '©'],
  [0xd4, '™'],
  [0xe2, '®'],
  [0xe3, '©'],
  [0xe4, '™'],
]);

/**
 * The text of a character that is given by its font and its code in hexadecimal digits (ECMA-376 part 1 §17.3.3.30): a letter
 * or sign of the font Symbol, or any character of Unicode; a blank for pictures of other symbol fonts.
 * @param {string | undefined} font
 * @param {string | undefined} hexadecimal
 */
export function symbolText(font, hexadecimal) {
  const code = Number.parseInt(hexadecimal ?? '', 16);
  if (Number.isNaN(code) || code < 0x20 || code > 0xffff) return ' ';
  if (/^symbol$/i.test(font ?? '')) return symbolLetter(code & 0xff);
  return code < PRIVATE && !PICTURES.test(font ?? '') ? String.fromCharCode(code) : ' ';
}

function symbolLetter(/** @type {number} */ code) {
  const letter = String.fromCharCode(code);
  if (code < 0x40) return letter;
  return CAPITALS[code - 0x41] ?? SMALL[code - 0x61] ?? SIGNS.get(code) ?? ' ';
}
