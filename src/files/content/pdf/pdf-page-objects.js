// Plain JavaScript, as everything that pdf-worker.js loads.

/** @typedef {import('./pdf-file.js').Reader} Reader */
/** @typedef {import('./pdf-text-boxes.js').Box} Box */
/** @typedef {[a: number, b: number, c: number, d: number, e: number, f: number]} Matrix */

// From fpdf_edit.h.
const TEXT = 1;
const PATH = 2;
const IMAGE = 3;
const FORM = 5;

const IDENTITY = /** @type {Matrix} */ ([1, 0, 0, 1, 0, 0]);

/** Objects of a page that are looked at, and how deep they may be nested. */
const MAX_OBJECTS = 20_000;
const MAX_DEPTH = 16;

/** A letter has at least so many lines and curves; a path that is higher than this share of the page is none. */
const LEAST_SEGMENTS = 8;
const MOST_HEIGHT = 1 / 16;

/**
 * Where on a page images and texts are, in the order in which they are drawn, and small filled paths of many segments, as letters
 * without a font are. `visible` is the visible part of the page.
 * @param {Reader} reader
 * @param {number} page
 */
export function pageObjects(reader, page) {
  const walk = new Walk(reader, page);
  const { pdfium } = reader;
  walk.visitAll(pdfium.FPDFPage_CountObjects(page), (index) => pdfium.FPDFPage_GetObject(page, index));
  return walk.end();
}

class Walk {
  #pdfium;
  #memory;
  #room;
  #visible;
  /** @type {{ object: number, box: Box }[]} */
  #images = [];
  /** @type {{ object: number, box: Box }[]} */
  #texts = [];
  /** @type {Box[]} */
  #outlines = [];
  #left = MAX_OBJECTS;

  /** @param {Reader} reader @param {number} page */
  constructor({ pdfium, memory }, page) {
    this.#pdfium = pdfium;
    this.#memory = memory;
    this.#room = pdfium.pdfium.wasmExports.malloc(24);
    pdfium.FPDF_GetPageBoundingBox(page, this.#room);
    const [left = 0, top = 0, right = 0, bottom = 0] = this.#floats(4);
    this.#visible = { left, bottom, right, top };
  }

  end() {
    this.#pdfium.pdfium.wasmExports.free(this.#room);
    return { visible: this.#visible, images: this.#images, texts: this.#texts, outlines: this.#outlines };
  }

  /** @param {number} count @param {(index: number) => number} get */
  visitAll(count, get, matrix = IDENTITY, depth = 0) {
    for (let index = 0; index < count && this.#left-- > 0; index++) this.#visit(get(index), matrix, depth);
  }

  /** @param {number} object @param {Matrix} matrix to that of the page @param {number} depth */
  #visit(object, matrix, depth) {
    const type = this.#pdfium.FPDFPageObj_GetType(object);
    if (type === TEXT) this.#texts.push({ object, box: this.#boxOf(object, matrix) });
    else if (type === IMAGE) this.#images.push({ object, box: this.#boxOf(object, matrix) });
    else if (type === PATH) this.#addOutline(object, matrix);
    else if (type === FORM && depth < MAX_DEPTH) this.#visitParts(object, matrix, depth + 1);
  }

  /** @param {number} form @param {Matrix} matrix @param {number} depth */
  #visitParts(form, matrix, depth) {
    const pdfium = this.#pdfium;
    if (!pdfium.FPDFPageObj_GetMatrix(form, this.#room)) return;
    const inner = product(/** @type {Matrix} */ (this.#floats(6)), matrix);
    const count = pdfium.FPDFFormObj_CountObjects(form);
    this.visitAll(count, (index) => pdfium.FPDFFormObj_GetObject(form, index), inner, depth);
  }

  /** @param {number} path @param {Matrix} matrix */
  #addOutline(path, matrix) {
    const [pdfium, room] = [this.#pdfium, this.#room];
    if (pdfium.FPDFPath_CountSegments(path) < LEAST_SEGMENTS) return;
    pdfium.FPDFPath_GetDrawMode(path, room, room + 4);
    const isFilled = new Int32Array(this.#memory.buffer, room, 1)[0] !== 0;
    const box = this.#boxOf(path, matrix);
    const { top, bottom } = this.#visible;
    if (isFilled && box.top - box.bottom < (top - bottom) * MOST_HEIGHT) this.#outlines.push(box);
  }

  /** @param {number} object @param {Matrix} matrix */
  #boxOf(object, matrix) {
    const room = this.#room;
    this.#pdfium.FPDFPageObj_GetBounds(object, room, room + 4, room + 8, room + 12);
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = this.#floats(4);
    return boxAround(matrix, [
      [x1, y1],
      [x2, y1],
      [x1, y2],
      [x2, y2],
    ]);
  }

  /** @param {number} count */
  #floats(count) {
    return [...new Float32Array(this.#memory.buffer, this.#room, count)];
  }
}

/** First `a`, then `b`. @param {Matrix} a @param {Matrix} b @returns {Matrix} */
const product = (a, b) => [
  a[0] * b[0] + a[1] * b[2],
  a[0] * b[1] + a[1] * b[3],
  a[2] * b[0] + a[3] * b[2],
  a[2] * b[1] + a[3] * b[3],
  a[4] * b[0] + a[5] * b[2] + b[4],
  a[4] * b[1] + a[5] * b[3] + b[5],
];

/** @param {Matrix} matrix @param {[x: number, y: number][]} corners @returns {Box} */
function boxAround([a, b, c, d, e, f], corners) {
  const across = corners.map(([x, y]) => a * x + c * y + e);
  const down = corners.map(([x, y]) => b * x + d * y + f);
  return {
    left: Math.min(...across),
    bottom: Math.min(...down),
    right: Math.max(...across),
    top: Math.max(...down),
  };
}
