import { coverageOf } from './coverage.js';
import { filesFor } from './families.js';
import { loadTypeface } from './typeface.js';

/** @typedef {import('./typeface.js').Typeface} Typeface */
/** @typedef {'plain' | 'bold' | 'hand'} Style */

/** @type {Record<Style, { file: string, weight: number }>} */
const STYLES = {
  plain: { file: 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf', weight: 400 },
  bold: { file: 'dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf', weight: 700 },
  hand: { file: 'dejavu-fonts-ttf/ttf/DejaVuSerif-Italic.ttf', weight: 400 },
};

/** A coarse font with glyphs of nearly all characters, but without the rules that join and stack them. */
const COARSE = '@fontsource/unifontex/files/unifontex-latin-400-normal.woff2';

/** Scripts whose characters stand beside each other, whatever their neighbours are. */
const UNJOINED = new RegExp(
  `^(?![\\u1100-\\u11ff\\ua960-\\ua97f\\ud7b0-\\ud7ff]{2})[${[
    ...[
      'Common',
      'Latin',
      'Greek',
      'Cyrillic',
      'Han',
      'Hangul',
      'Hiragana',
      'Katakana',
      'Bopomofo',
      'Yi',
      'Hebrew',
    ],
    ...[
      'Ethiopic',
      'Cherokee',
      'Canadian_Aboriginal',
      'Braille',
      'Ogham',
      'Runic',
      'Gothic',
      'Coptic',
      'Deseret',
    ],
    ...[
      'Glagolitic',
      'Tifinagh',
      'Vai',
      'Lisu',
      'Georgian',
      'Armenian',
      'Osage',
      'Old_Italic',
      'Nushu',
      'Tangut',
    ],
  ]
    .map((script) => `\\p{Script=${script}}`)
    .join('')}]+$`,
  'u',
);

const IGNORED = /\p{Default_Ignorable_Code_Point}/u;

/** A picture of several code points, such as a family or a flag, which is one glyph or none at all. */
const SEQUENCE =
  /\p{Extended_Pictographic}.*\u200d|\p{Emoji_Modifier}|\p{RI}{2}|\u20e3|[\u{e0020}-\u{e007f}]/u;

const NOT_DRAWN = /[\p{Co}\p{Cn}]/u;

/** The code points of a cluster that need a glyph. @param {string} cluster */
const neededOf = (cluster) =>
  [...cluster]
    .filter((character) => !IGNORED.test(character))
    .map((character) => /** @type {number} */ (character.codePointAt(0)));

/** By style and cluster. @type {Map<string, Typeface | null>} */
const choices = new Map();
const MAX_CHOICES = 20_000;

/**
 * The font of a character as people see it (a grapheme cluster); null if none draws it as it is written.
 * @param {string} cluster @param {Style} style
 */
export async function chooseTypeface(cluster, style) {
  const key = `${style} ${cluster}`;
  const cached = choices.get(key);
  if (cached !== undefined) return cached;
  const choice = await firstThatDraws(cluster, style, ({ file, weight }) => loadTypeface(file, weight));
  if (choices.size >= MAX_CHOICES) choices.clear();
  choices.set(key, choice);
  return choice;
}

/**
 * What the font of chooseTypeface covers, which is not loaded for it unless the cluster is a sequence of emoji.
 * @param {string} cluster
 */
export const chooseCoverage = (cluster) => firstThatDraws(cluster, 'plain', ({ file }) => coverageOf(file));

/** @typedef {{ file: string, weight: number }} Candidate */

/**
 * The one place that decides what can be drawn.
 * @template {{ has: (codePoint: number) => boolean }} Font
 * @param {string} cluster @param {Style} style @param {(candidate: Candidate) => Promise<Font>} read
 * @returns {Promise<Font | null>}
 */
async function firstThatDraws(cluster, style, read) {
  if (NOT_DRAWN.test(cluster)) return null;
  const needed = neededOf(cluster);
  const isSequence = SEQUENCE.test(cluster);
  for (const candidate of candidatesFor(cluster, needed, style)) {
    const font = await read(candidate);
    if (!needed.every((each) => font.has(each))) continue;
    if (!isSequence || (await drawsOneGlyph(candidate, cluster))) return font;
  }
  return null;
}

/** @param {string} cluster @param {number[]} needed @param {Style} style @returns {Candidate[]} */
function candidatesFor(cluster, needed, style) {
  const { file, weight } = STYLES[style];
  return [
    ...filesFor(cluster, needed).map((slice) => ({ file: slice, weight })),
    { file, weight },
    STYLES.plain,
    ...(UNJOINED.test(String.fromCodePoint(...needed)) ? [{ file: COARSE, weight: 400 }] : []),
  ];
}

/** @param {Candidate} candidate @param {string} cluster */
async function drawsOneGlyph({ file, weight }, cluster) {
  const typeface = await loadTypeface(file, weight);
  return typeface.shape(cluster, false).filter(({ id }) => typeface.hasInk(id)).length === 1;
}
