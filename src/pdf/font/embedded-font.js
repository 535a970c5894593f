import { PDFName, PDFString } from '@cantoo/pdf-lib';
import { subset } from './subset.js';
import { toUnicode } from './to-unicode.js';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {import('./typeface.js').Typeface} Typeface */
/** @typedef {{ id: number, text: string, width: number }} Coded glyph, the text that it shows ('' if several show one), and its width in thousandths */

/** Bit of a font whose characters are not those of Adobe's Latin set (ISO 32000-2 §9.8.2). */
const SYMBOLIC = 4;

/**
 * A font of a PDF (ISO 32000-2 §9.7.4): a character code stands for a glyph together with the text that it shows, so that
 * the text can be read back exactly. What is used of the font is stored by `embed`.
 */
export class EmbeddedFont {
  /** Codes, from 1, by what they stand for. @type {Map<string, number>} */
  #codes = new Map();
  /** @type {Coded[]} */
  #used = [];
  /** @type {WeakMap<import('@cantoo/pdf-lib').PDFPageLeaf, PDFName>} */
  #names = new WeakMap();

  /** @param {PDFDocument} pdf @param {Typeface} typeface */
  constructor(pdf, typeface) {
    this.pdf = pdf;
    this.typeface = typeface;
    this.reference = pdf.context.nextRef();
  }

  /** The name of the font on a page. @param {PDFPage} page */
  nameOn({ node }) {
    const name = this.#names.get(node) ?? node.newFontDictionary('Text', this.reference);
    this.#names.set(node, name);
    return name.toString();
  }

  /** The code of a glyph, in hexadecimal. @param {Coded} glyph */
  codeOf({ id, text, width }) {
    const key = `${id} ${width} ${text}`;
    const code = this.#codes.get(key) ?? this.#used.push({ id, text, width });
    this.#codes.set(key, code);
    return hex(code);
  }

  /** In thousandths of the font size. @param {number} glyph */
  widthOf(glyph) {
    return Math.round((1_000 * this.typeface.widthOf(glyph)) / this.typeface.unitsPerEm);
  }

  /** Writes the font with the glyphs that are used. @param {import('./subset.js').Subsetter} subsetter */
  embed(subsetter) {
    const { context } = this.pdf;
    const name = PDFName.of(`${subsetTag(this.#used)}+${nameOf(this.typeface)}`);
    const mapping = Buffer.from(this.#used.map(({ id }) => hex(id)).join(''), 'hex');
    const descendant = context.register(
      context.obj({
        Type: 'Font',
        Subtype: 'CIDFontType2',
        BaseFont: name,
        CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
        FontDescriptor: this.#descriptor(name, subsetter),
        DW: 0,
        W: [1, this.#used.map(({ width }) => width)],
        CIDToGIDMap: context.register(context.flateStream(Buffer.concat([Buffer.alloc(2), mapping]))),
      }),
    );
    const font = {
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: context.register(context.flateStream(toUnicode(this.#used.map(({ text }) => text)))),
    };
    context.assign(this.reference, context.obj(font));
  }

  /** @param {PDFName} name @param {import('./subset.js').Subsetter} subsetter */
  #descriptor(name, subsetter) {
    const { context } = this.pdf;
    const { extents, unitsPerEm } = this.typeface;
    const file = subset(
      subsetter,
      this.typeface,
      this.#used.map(({ id }) => id),
    );
    const thousandths = (/** @type {number} */ units) => Math.round((1_000 * units) / unitsPerEm);
    const [ascent, descent] = [thousandths(extents.ascender), thousandths(extents.descender)];
    return context.register(
      context.obj({
        Type: 'FontDescriptor',
        FontName: name,
        Flags: SYMBOLIC,
        FontBBox: [-1_000, 2 * descent, 3_000, 2 * ascent],
        ItalicAngle: 0,
        Ascent: ascent,
        Descent: descent,
        CapHeight: ascent,
        StemV: 80,
        FontFile2: context.register(context.flateStream(file, { Length1: file.length })),
      }),
    );
  }
}

/** @param {number} number */
const hex = (number) => number.toString(16).padStart(4, '0');

/** @param {Typeface} typeface */
const nameOf = ({ file }) => (/([^/]+)\.\w+$/.exec(file)?.[1] ?? 'Font').replace(/-(?:wght-)?normal$/, '');

/** Six capital letters (ISO 32000-2 §9.9.2), the same for the same glyphs. @param {Coded[]} used */
function subsetTag(used) {
  let rest = used.reduce((hash, { id }) => (hash * 31 + id) % 26 ** 6, 7);
  return Array.from({ length: 6 }, () => {
    const letter = String.fromCharCode(65 + (rest % 26));
    rest = Math.floor(rest / 26);
    return letter;
  }).join('');
}
