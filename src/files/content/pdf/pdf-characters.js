// Plain JavaScript, as everything that pdf-worker.js loads.

/** @typedef {import('./pdf-file.js').Reader} Reader */
/** @typedef {import('./comparison.ts').PageBox} PageBox */

/** Blanks, and what PDFium itself adds between lines. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it adds
const BLANK = /[\s\x00-\x1f\u00ad\ufffe\uffff]/u;

/** The sides of the page for the conversion of coordinates, which are whole numbers. */
const SCALE = 100_000;

/**
 * The character of a text at an index; the last code point for what is none.
 * @param {Reader['pdfium']} pdfium
 * @param {number} text
 * @param {number} index
 */
export const characterAt = (pdfium, text, index) =>
  String.fromCodePoint(Math.min(pdfium.FPDFText_GetUnicode(text, index) >>> 0, 0x10_ff_ff));

/**
 * The characters of a page without blanks, and those outside of the boxes.
 * @param {Reader} reader
 * @param {number} page
 * @param {readonly PageBox[]} boxes
 * @returns {{ all: string, outside: string }}
 */
export function pageCharacters(reader, page, boxes) {
  const { pdfium } = reader;
  const text = pdfium.FPDFText_LoadPage(page);
  if (!text) return { all: '', outside: '' };
  const isBoxed = boxes.length > 0 ? boxTest(reader, page, text, boxes) : undefined;
  const [all, outside] = [/** @type {string[]} */ ([]), /** @type {string[]} */ ([])];
  const count = pdfium.FPDFText_CountChars(text);
  for (let index = 0; index < count; index++) {
    const character = characterAt(pdfium, text, index);
    if (BLANK.test(character)) continue;
    all.push(character);
    if (!isBoxed?.(index)) outside.push(character);
  }
  pdfium.FPDFText_ClosePage(text);
  return { all: all.join(''), outside: outside.join('') };
}

/**
 * Tells of a character, by its index, whether its middle is in one of the boxes.
 * @param {Reader} reader
 * @param {number} page
 * @param {number} text
 * @param {readonly PageBox[]} boxes
 */
function boxTest({ pdfium, memory }, page, text, boxes) {
  const room = pdfium.pdfium.wasmExports.malloc(40);
  return (/** @type {number} */ index) => {
    pdfium.FPDFText_GetCharBox(text, index, room, room + 8, room + 16, room + 24);
    const [left = 0, right = 0, bottom = 0, top = 0] = new Float64Array(memory.buffer, room, 4);
    pdfium.FPDF_PageToDevice(
      page,
      0,
      0,
      SCALE,
      SCALE,
      0,
      (left + right) / 2,
      (bottom + top) / 2,
      room + 32,
      room + 36,
    );
    const [x = 0, y = 0] = new Int32Array(memory.buffer, room + 32, 2);
    return boxes.some(
      (box) =>
        x >= box.left * SCALE && x <= box.right * SCALE && y >= box.top * SCALE && y <= box.bottom * SCALE,
    );
  };
}
