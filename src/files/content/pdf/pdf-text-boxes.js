// Plain JavaScript, as everything that pdf-worker.js loads.

/** @typedef {import('./pdf-file.js').Reader} Reader */
/** @typedef {{ left: number, bottom: number, right: number, top: number }} Box in points of the page */

/** Boxes of one page. */
const MAX_BOXES = 20_000;

/**
 * Where text is written on a page, visible or not: a box for each piece of a line.
 * @param {Reader} reader
 * @param {number} page
 * @returns {Box[]}
 */
export function textBoxes({ pdfium, memory }, page) {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const text = pdfium.FPDFText_LoadPage(page);
  if (!text) return [];
  const count = Math.min(pdfium.FPDFText_CountRects(text, 0, -1), MAX_BOXES);
  const room = malloc(32);
  /** @type {Box[]} */
  const boxes = [];
  for (let index = 0; index < count; index++) {
    if (!pdfium.FPDFText_GetRect(text, index, room, room + 8, room + 16, room + 24)) continue;
    const [left = 0, top = 0, right = 0, bottom = 0] = new Float64Array(memory.buffer, room, 4);
    boxes.push({ left, bottom, right, top });
  }
  free(room);
  pdfium.FPDFText_ClosePage(text);
  return boxes;
}
