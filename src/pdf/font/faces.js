import { chooseTypeface } from './choice.js';
import { clustersOf, drawable } from './clusters.js';
import { directionOf } from './direction.js';
import { EmbeddedFont } from './embedded-font.js';
import { layOut } from './line.js';
import { showGlyphs } from './show-text.js';
import { loadSubsetter } from './subset.js';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {import('./typeface.js').Typeface} Typeface */
/** @typedef {import('./direction.js').Direction} Direction */
/** @typedef {{ x: number, y: number, size: number, color?: import('@cantoo/pdf-lib').Color, direction?: Direction }} TextStyle `direction`: of the paragraph */

/**
 * A style of text, with a font for each script.
 * @typedef {object} Face
 * @property {(text: string, size: number) => number} width in points
 * @property {(page: PDFPage, text: string, how: TextStyle) => void} draw one line
 */

/** @typedef {{ plain: Face, bold: Face, hand: Face, embed: () => void }} Fonts `embed` stores what was drawn, at the end */

/** What is drawn in any document. */
const USUAL = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  '–',
  '·',
  '…',
  '\ufffd',
];

/**
 * The fonts for `text`; those that are used are embedded, with the glyphs that are used.
 * @param {PDFDocument} pdf @param {string} text everything that will be drawn, each in lines of its own
 * @returns {Promise<Fonts>}
 */
export async function loadFonts(pdf, text) {
  const subsetter = await loadSubsetter();
  const clusters = new Set([...USUAL, ...drawable(text).split('\n').flatMap(clustersOf)]);
  /** @type {Map<Typeface, EmbeddedFont>} */
  const embedded = new Map();
  const fontOf = (/** @type {Typeface} */ typeface) => {
    const font = embedded.get(typeface) ?? new EmbeddedFont(pdf, typeface);
    embedded.set(typeface, font);
    return font;
  };
  return {
    plain: face(await typefacesOf(clusters, 'plain'), fontOf),
    bold: face(await typefacesOf(clusters, 'bold'), fontOf),
    hand: face(await typefacesOf(clusters, 'hand'), fontOf),
    embed: () => {
      for (const font of embedded.values()) font.embed(subsetter);
    },
  };
}

/** @param {Iterable<string>} clusters @param {import('./choice.js').Style} style */
async function typefacesOf(clusters, style) {
  /** @type {Map<string, Typeface | null>} */
  const typefaces = new Map();
  for (const cluster of clusters) typefaces.set(cluster, await chooseTypeface(cluster, style));
  return typefaces;
}

/** @param {Map<string, Typeface | null>} typefaces by cluster @param {(typeface: Typeface) => EmbeddedFont} fontOf @returns {Face} */
function face(typefaces, fontOf) {
  const typefaceOf = (/** @type {string} */ cluster) => typefaces.get(cluster) ?? null;
  /** Widths at size 1, by text: words recur. @type {Map<string, number>} */
  const widths = new Map();
  const measure = (/** @type {string} */ text) => {
    const width = layOut(text, 'ltr', typefaceOf)
      .flatMap(({ typeface, shown }) =>
        shown.flatMap(({ glyphs }) => glyphs.map(({ advance }) => advance / typeface.unitsPerEm)),
      )
      .reduce((sum, advance) => sum + advance, 0);
    widths.set(text, width);
    return width;
  };
  return {
    width: (text, size) => size * (widths.get(text) ?? measure(text)),
    draw(page, text, { x, direction = directionOf(text), ...how }) {
      for (const { typeface, shown } of layOut(text, direction, typefaceOf))
        x += showGlyphs(page, fontOf(typeface), shown, { ...how, x });
    },
  };
}
