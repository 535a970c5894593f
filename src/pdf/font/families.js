import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Each package has a font in files by ranges of characters. */
const PACKAGES = '@fontsource-variable/';

/** Scripts by the package that draws them; the first package that has a character draws it. */
const SCRIPTS = {
  'noto-sans-hebrew': ['Hebrew'],
  'noto-sans-arabic': ['Arabic'],
  'noto-sans-syriac': ['Syriac'],
  'noto-sans-thaana': ['Thaana'],
  'noto-sans-devanagari': ['Devanagari'],
  'noto-sans-bengali': ['Bengali'],
  'noto-sans-gurmukhi': ['Gurmukhi'],
  'noto-sans-gujarati': ['Gujarati'],
  'noto-sans-oriya': ['Oriya'],
  'noto-sans-tamil': ['Tamil'],
  'noto-sans-telugu': ['Telugu'],
  'noto-sans-kannada': ['Kannada'],
  'noto-sans-malayalam': ['Malayalam'],
  'noto-sans-sinhala': ['Sinhala'],
  'noto-sans-thai': ['Thai'],
  'noto-sans-lao': ['Lao'],
  'noto-sans-khmer': ['Khmer'],
  'noto-sans-myanmar': ['Myanmar'],
  'noto-serif-tibetan': ['Tibetan'],
  'noto-sans-ethiopic': ['Ethiopic'],
  'noto-sans-georgian': ['Georgian'],
  'noto-sans-armenian': ['Armenian'],
  'noto-sans-jp': ['Han', 'Hiragana', 'Katakana'],
  'noto-sans-sc': ['Han', 'Bopomofo'],
  'noto-sans-kr': ['Hangul', 'Han'],
};

/** @typedef {{ name: string, draws: RegExp }} Family */

/** @type {Family[]} */
const FAMILIES = [
  ...Object.entries(SCRIPTS).map(([name, scripts]) => ({
    name,
    draws: new RegExp(`^[${scripts.map((script) => `\\p{scx=${script}}`).join('')}]`, 'u'),
  })),
  { name: 'noto-sans-jp', draws: /^[\u3000-\u303f\uff00-\uffef]/ },
  {
    name: 'noto-emoji',
    draws:
      /^(?:[#*0-9]\ufe0f?\u20e3|\p{Emoji_Presentation}|\p{RI}|\p{Extended_Pictographic}(?:[\ufe0f\u200d]|\p{Emoji_Modifier}))/u,
  },
];

/**
 * The files that may draw a character as people see it (a grapheme cluster), in order of preference.
 * @param {string} cluster @param {readonly number[]} codePoints of it that need a glyph
 */
export function filesFor(cluster, codePoints) {
  const [first, ...others] = codePoints;
  return FAMILIES.filter(({ draws }) => draws.test(cluster))
    .map(({ name }) => filesByCharacter(name))
    .flatMap((files) =>
      (files.get(first ?? -1) ?? []).filter((file) =>
        others.every((codePoint) => files.get(codePoint)?.includes(file)),
      ),
    );
}

/** By package, the files that may have a character. @type {Map<string, Map<number, string[]>>} */
const indexes = new Map();

/** @param {string} name */
function filesByCharacter(name) {
  const index = indexes.get(name) ?? readIndex(name);
  indexes.set(name, index);
  return index;
}

/** @param {string} name */
function readIndex(name) {
  const text = readFileSync(fileURLToPath(import.meta.resolve(`${PACKAGES}${name}/unicode.json`)), 'utf8');
  /** @type {Map<number, string[]>} */
  const index = new Map();
  for (const [key, ranges] of Object.entries(/** @type {Record<string, string>} */ (JSON.parse(text)))) {
    const file = `${PACKAGES}${name}/files/${name}-${key.replace(/[[\]]/g, '')}-wght-normal.woff2`;
    for (const [from, to] of ranges.split(',').map(rangeOf))
      for (let codePoint = from; codePoint <= to; codePoint++)
        index.set(codePoint, [...(index.get(codePoint) ?? []), file]);
  }
  return index;
}

/** @param {string} text such as U+0600-06FF @returns {[number, number]} */
function rangeOf(text) {
  const [from = '', to = from] = text.replace('U+', '').split('-');
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
}
