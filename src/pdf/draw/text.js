import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fontkit from '@cantoo/fontkit';
import { withoutHidden } from '../../lib/text/hidden-text.js';
import { inDisplayOrder } from './direction.js';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('@cantoo/pdf-lib').PDFFont} PDFFont */
/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {{ x: number, y: number, size: number, color?: import('@cantoo/pdf-lib').Color }} TextStyle */

/**
 * A font, with a fallback for characters that it lacks.
 * @typedef {object} Face
 * @property {(text: string, size: number) => number} width in points
 * @property {(page: PDFPage, text: string, how: TextStyle) => void} draw one line
 */

const FILES = { plain: 'DejaVuSans.ttf', bold: 'DejaVuSans-Bold.ttf', hand: 'DejaVuSerif-Italic.ttf' };

/** A coarse font with glyphs for every script, so that no name is drawn as empty boxes. */
const FALLBACK_FONT = '@fontsource/unifontex/files/unifontex-latin-400-normal.woff';

/** @typedef {Record<keyof typeof FILES, Face>} Fonts */

/** Line height, as a multiple of the font size. */
export const LINE = 1.3;

/** @param {string} path of a package */
const read = (path) => readFileSync(fileURLToPath(import.meta.resolve(path)));

/**
 * Embeds the fonts for `text` and for text in Latin, Greek and Cyrillic; only the glyphs that are used are stored.
 * @param {PDFDocument} pdf @param {string} text
 * @returns {Promise<Fonts>}
 */
export async function embedFonts(pdf, text) {
  pdf.registerFontkit(/** @type {any} */ (fontkit));
  const fonts = [];
  for (const [name, file] of Object.entries(FILES))
    fonts.push({ name, font: await pdf.embedFont(read(`dejavu-fonts-ttf/ttf/${file}`), { subset: true }) });
  const characters = new Set(drawable(text).replaceAll('\n', ''));
  const supported = fonts.map(({ font }) => new Set(font.getCharacterSet()));
  const needsFallback = [...characters].some((each) => supported.some((set) => !set.has(codePointOf(each))));
  const fallback = needsFallback ? await pdf.embedFont(read(FALLBACK_FONT), { subset: true }) : undefined;
  return /** @type {Fonts} */ (
    Object.fromEntries(
      fonts.map(({ name, font }, index) => [
        name,
        face(font, /** @type {Set<number>} */ (supported[index]), fallback),
      ]),
    )
  );
}

const codePointOf = (/** @type {string} */ character) => /** @type {number} */ (character.codePointAt(0));

/** @param {PDFFont} font @param {Set<number>} supported @param {PDFFont | undefined} fallback @returns {Face} */
function face(font, supported, fallback) {
  const fontOf = (/** @type {string} */ character) =>
    fallback && !supported.has(codePointOf(character)) ? fallback : font;
  const runs = (/** @type {string} */ text) => inDisplayOrder(text, fontOf);
  /** Widths at size 1, by text: words recur. @type {Map<string, number>} */
  const widths = new Map();
  const measure = (/** @type {string} */ text) => {
    const width = runs(text).reduce((sum, { font, part }) => sum + font.widthOfTextAtSize(part, 1), 0);
    widths.set(text, width);
    return width;
  };
  return {
    width: (text, size) => size * (widths.get(text) ?? measure(text)),
    draw(page, text, { x, ...how }) {
      for (const { font, part } of runs(text)) {
        page.drawText(part, { ...how, x, font });
        x += font.widthOfTextAtSize(part, how.size);
      }
    },
  };
}

/** Removes and replaces characters that cannot be drawn. @param {string} text */
export const drawable = (text) =>
  withoutHidden(text.normalize('NFC').replace(/\r\n?/g, '\n').replaceAll('\t', '    '), '\n');

/**
 * Breaks the text into lines no wider than `width`: at spaces, and within words that are longer than a line.
 * @param {string} text @param {Face} font @param {number} size @param {number} width
 */
export function wrap(text, font, size, width) {
  const lines = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    let used = 0;
    for (const word of paragraph.split(/(?<= )/)) {
      if (used + font.width(word.trimEnd(), size) > width) {
        if (line.trim()) lines.push(line.trimEnd());
        const pieces = splitWord(word, font, size, width);
        lines.push(...pieces.slice(0, -1));
        line = /** @type {string} */ (pieces.at(-1));
        used = font.width(line, size);
      } else {
        line += word;
        used += font.width(word, size);
      }
    }
    lines.push(line.trimEnd());
  }
  return lines;
}

/** @param {string} word @param {Face} font @param {number} size @param {number} width */
function splitWord(word, font, size, width) {
  const pieces = [''];
  let used = 0;
  for (const character of word) {
    const wide = font.width(character, size);
    const last = /** @type {string} */ (pieces.at(-1));
    if (last !== '' && used + wide > width) {
      pieces.push(character);
      used = wide;
    } else {
      pieces[pieces.length - 1] = last + character;
      used += wide;
    }
  }
  return pieces;
}

/**
 * The largest font size, up to `maxSize`, at which the text fits the box; with `single`, a second line is used only from
 * size 6 down. Nothing is cut off: text that is too long for the smallest size exceeds the box.
 * @param {string} text @param {Face} font
 * @param {{ width: number, height: number, maxSize: number, single: boolean }} box
 */
export function fitInto(text, font, { width, height, maxSize, single }) {
  for (let size = maxSize; size > 2; size -= 0.5) {
    const lines = wrap(text, font, size, width);
    const fits = lines.length * size * LINE <= height || lines.length === 1;
    if (fits && (lines.length === 1 || !single || size <= 6)) return { size, lines };
  }
  return { size: 2, lines: wrap(text, font, 2, width) };
}
