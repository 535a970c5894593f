import { PDFOperator, popGraphicsState, pushGraphicsState, rgb, setFillingColor } from '@cantoo/pdf-lib';
import { utf16 } from './to-unicode.js';

/** @typedef {import('./line.js').Shown} Shown */
/** @typedef {import('./typeface.js').Glyph} Glyph */
/** @typedef {import('./embedded-font.js').EmbeddedFont} EmbeddedFont */
/** @typedef {{ id: number, at: number, rise: number, width: number, advances: boolean, text: string }} Placed glyph on its line, and the text that it shows alone */

const BLACK = rgb(0, 0, 0);

/**
 * Draws the glyphs of a run (ISO 32000-2 §9.4). Returns its width in points.
 * @param {import('@cantoo/pdf-lib').PDFPage} page @param {EmbeddedFont} font @param {readonly Shown[]} run
 * @param {{ x: number, y: number, size: number, color?: import('@cantoo/pdf-lib').Color }} style
 */
export function showGlyphs(page, font, run, { x, y, size, color = BLACK }) {
  const writer = new GlyphWriter(font, size);
  for (const shown of run) writer.show(shown);
  page.pushOperators(
    pushGraphicsState(),
    operator('BT'),
    setFillingColor(color),
    operator('Tf', font.nameOn(page), decimal(size)),
    operator('Td', decimal(x), decimal(y)),
    ...writer.end(),
    operator('ET'),
    popGraphicsState(),
  );
  return (writer.width * size) / 1_000;
}

/** Positions are in thousandths of the font size. */
class GlyphWriter {
  /** @type {PDFOperator[]} */
  #operators = [];
  #parts = '';
  /** Where a reader of the PDF draws the next glyph. */
  #position = 0;
  #rise = 0;
  /** Of all glyphs. */
  width = 0;

  /** @param {EmbeddedFont} font @param {number} size */
  constructor(font, size) {
    this.font = font;
    this.size = size;
    this.scale = 1_000 / font.typeface.unitsPerEm;
  }

  /** Several glyphs show a text together: it is written beside them (ISO 32000-2 §14.9.4). @param {Shown} shown */
  show({ text, glyphs }) {
    const [only, ...others] = glyphs;
    if (only && others.length === 0) return this.#glyph({ ...this.#place(only), text });
    this.#flush();
    this.#operators.push(operator('BDC', '/Span', `<</ActualText <feff${utf16(text)}>>>`));
    for (const placed of this.#inReadingOrder(glyphs)) this.#glyph(placed);
    this.#flush();
    this.#operators.push(operator('EMC'));
  }

  /**
   * Readers see such a text from the start of its first glyph to the end of its last one: so marks follow what they
   * belong to, and the last of them ends where all end.
   * @param {readonly Glyph[]} glyphs @returns {Placed[]}
   */
  #inReadingOrder(glyphs) {
    const placed = glyphs.map((glyph) => this.#place(glyph));
    const inOrder = [
      ...placed.filter(({ advances }) => advances),
      ...placed.filter(({ advances }) => !advances),
    ];
    const last = inOrder.pop();
    return last ? [...inOrder, { ...last, width: Math.max(0, Math.round(this.width) - last.at) }] : [];
  }

  /** @param {Glyph} glyph @returns {Placed} */
  #place({ id, advance, x, y }) {
    const at = Math.round(this.width + x * this.scale);
    this.width += advance * this.scale;
    return { id, at, rise: y * this.scale, advances: advance > 0, width: this.font.widthOf(id), text: '' };
  }

  /** @param {Placed} placed */
  #glyph({ id, at, rise, width, text }) {
    if (rise !== this.#rise) {
      this.#flush();
      this.#rise = rise;
      this.#operators.push(operator('Ts', decimal((rise * this.size) / 1_000)));
    }
    if (at !== this.#position) this.#parts += `${this.#position - at} `;
    this.#parts += `<${this.font.codeOf({ id, text, width })}>`;
    this.#position = at + width;
  }

  #flush() {
    if (this.#parts) this.#operators.push(operator('TJ', `[${this.#parts}]`));
    this.#parts = '';
  }

  end() {
    this.#flush();
    return this.#operators;
  }
}

/** @param {string} name @param {...string} args */
const operator = (name, ...args) => PDFOperator.of(/** @type {any} */ (name), args);

/** @param {number} number */
const decimal = (number) => String(Number(number.toFixed(4)));
