import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fontkit from '@cantoo/fontkit';
import { withoutHidden } from '../../lib/hidden-text.js';
import { inDisplayOrder } from './direction.js';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('@cantoo/pdf-lib').PDFFont} PDFFont */
/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {{ x: number, y: number, size: number, color?: import('@cantoo/pdf-lib').Color }} How */

/**
 * A font, with another for what it lacks.
 * @typedef {object} Face
 * @property {(text: string, size: number) => number} width in points
 * @property {(page: PDFPage, text: string, how: How) => void} draw one line
 */

const FILES = { plain: 'DejaVuSans.ttf', bold: 'DejaVuSans-Bold.ttf', hand: 'DejaVuSerif-Italic.ttf' };

/** Coarse, but with a sign for every script: nobody's name is to be a row of boxes. */
const LAST_RESORT = '@fontsource/unifontex/files/unifontex-latin-400-normal.woff';

/** @typedef {Record<keyof typeof FILES, Face>} Fonts */

export const LINE = 1.3;

/** @param {string} path of a package */
const read = (path) => readFileSync(fileURLToPath(import.meta.resolve(path)));

/**
 * What `text` and anything in the usual alphabets is drawn with; the file gets only the characters that are used.
 * @param {PDFDocument} pdf @param {string} text
 * @returns {Promise<Fonts>}
 */
export async function embedFonts(pdf, text) {
  pdf.registerFontkit(/** @type {any} */ (fontkit));
  const fonts = [];
  for (const [name, file] of Object.entries(FILES))
    fonts.push({ name, font: await pdf.embedFont(read(`dejavu-fonts-ttf/ttf/${file}`), { subset: true }) });
  const characters = new Set(drawable(text).replaceAll('\n', ''));
  const known = fonts.map(({ font }) => new Set(font.getCharacterSet()));
  const lacks = [...characters].some((each) => known.some((set) => !set.has(codeOf(each))));
  const rest = lacks ? await pdf.embedFont(read(LAST_RESORT), { subset: true }) : undefined;
  return /** @type {Fonts} */ (
    Object.fromEntries(
      fonts.map(({ name, font }, index) => [
        name,
        face(font, /** @type {Set<number>} */ (known[index]), rest),
      ]),
    )
  );
}

const codeOf = (/** @type {string} */ character) => /** @type {number} */ (character.codePointAt(0));

/** @param {PDFFont} font @param {Set<number>} known @param {PDFFont | undefined} rest @returns {Face} */
function face(font, known, rest) {
  const fontOf = (/** @type {string} */ character) => (rest && !known.has(codeOf(character)) ? rest : font);
  const runs = (/** @type {string} */ text) => inDisplayOrder(text, fontOf);
  /** By what was measured, at the size 1: the same words come again and again. @type {Map<string, number>} */
  const widths = new Map();
  const measure = (/** @type {string} */ text) => {
    const wide = runs(text).reduce((sum, { font, part }) => sum + font.widthOfTextAtSize(part, 1), 0);
    widths.set(text, wide);
    return wide;
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

/** Without what cannot be drawn. @param {string} text */
export const drawable = (text) =>
  withoutHidden(text.normalize('NFC').replace(/\r\n?/g, '\n').replaceAll('\t', '    '), '\n');

/**
 * The text in lines no wider than `width`: broken at spaces, and inside a word that is itself too long.
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
        const pieces = broken(word, font, size, width);
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
function broken(word, font, size, width) {
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
 * The greatest size, of `most` at most, at which the text is inside the box; `single` shrinks it a good deal before
 * it takes a second line. Nothing is cut off: what is too much for the smallest size runs out of the box.
 * @param {string} text @param {Face} font
 * @param {{ width: number, height: number, most: number, single: boolean }} box
 */
export function fitInto(text, font, { width, height, most, single }) {
  for (let size = most; size > 2; size -= 0.5) {
    const lines = wrap(text, font, size, width);
    const inside = lines.length * size * LINE <= height || lines.length === 1;
    if (inside && (lines.length === 1 || !single || size <= 6)) return { size, lines };
  }
  return { size: 2, lines: wrap(text, font, 2, width) };
}
