// Plain JavaScript, as everything that pdf-worker.js loads.
import { drawnPage } from './pdf-page.js';
import { pageObjects } from './pdf-page-objects.js';
import { flattenPage } from './pdf-shown-text.js';
import { textBoxes } from './pdf-text-boxes.js';

/** @typedef {import('./pdf-file.js').Reader} Reader */
/** @typedef {import('./pdf-page.js').Opened} Opened */
/** @typedef {import('./pdf-text-boxes.js').Box} Box */
/** @typedef {{ pixels: Uint8Array<ArrayBuffer>, width: number, height: number }} Bitmap */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Area in pixels, from above */

/** Share of the height of the page: higher text is a watermark, under which there is more, so it is not drawn at all. */
const MOST_HEIGHT = 1 / 20;

/** In heights of its text: an area is larger than its box, as the text of a scan is not exactly where its picture is. */
const MARGIN = { across: 0.5, down: 0.15 };

/** Samples of a side of an area, whose middle value is its background. */
const SAMPLES = 8;

/** Cells of the width of a page; a cell with so much between its darkest and its brightest pixel has something on it. */
const CELLS = 64;
const LEAST_CONTRAST = 80;
/** A word of a few letters is on so many cells. */
const LEAST_CELLS = 3;

/**
 * A page as a picture, one byte a pixel, from which the text that can be read is removed, to recognize the rest. No picture where
 * there is no rest. A page without text is as it is. Null for a page that is broken.
 * @param {Reader} reader
 * @param {Opened} opened
 * @param {number} index
 * @param {number} width
 * @returns {Bitmap | { isBlank: true } | null}
 */
export function clearedPage(reader, opened, index, width) {
  const { pdfium } = reader;
  flattenPage(reader, opened, index);
  const page = pdfium.FPDF_LoadPage(opened.document, index);
  if (!page) return null;
  hideLargeText(reader, page);
  const bitmap = drawnPage(reader, opened, page, { width });
  const areas = bitmap ? areasOf(reader, page, bitmap) : [];
  pdfium.FPDF_ClosePage(page);
  if (!bitmap) return null;
  for (const area of areas) clear(bitmap, area);
  if (areas.length > 0 && !hasRest(bitmap)) return { isBlank: true };
  return { ...bitmap, pixels: graysOf(bitmap) };
}

/** As bright as the colours are to the eye (ITU-R BT.601). @param {Bitmap} bitmap */
function graysOf({ pixels }) {
  const grays = new Uint8Array(pixels.length / 4);
  for (let at = 0; at < grays.length; at++) {
    const [red = 0, green = 0, blue = 0] = [pixels[4 * at], pixels[4 * at + 1], pixels[4 * at + 2]];
    grays[at] = (red * 77 + green * 150 + blue * 29) >> 8;
  }
  return grays;
}

/** @param {Reader} reader @param {number} page */
function hideLargeText(reader, page) {
  const { visible, texts } = pageObjects(reader, page);
  const most = MOST_HEIGHT * (visible.top - visible.bottom);
  for (const { object, box } of texts)
    if (Math.min(box.top - box.bottom, box.right - box.left) > most)
      reader.pdfium.FPDFPageObj_SetIsActive(object, false);
}

/** Where the text of a page is on its picture. @param {Reader} reader @param {number} page @param {Bitmap} bitmap @returns {Area[]} */
function areasOf(reader, page, { width, height }) {
  const { malloc, free } = reader.pdfium.pdfium.wasmExports;
  const room = malloc(8);
  const pixelAt = (/** @type {number} */ x, /** @type {number} */ y) => {
    reader.pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, room, room + 4);
    return [...new Int32Array(reader.memory.buffer, room, 2)];
  };
  const areas = textBoxes(reader, page).map(({ left, bottom, right, top }) => {
    const [x1 = 0, y1 = 0] = pixelAt(left, bottom);
    const [x2 = 0, y2 = 0] = pixelAt(right, top);
    return {
      left: Math.min(x1, x2),
      top: Math.min(y1, y2),
      right: Math.max(x1, x2),
      bottom: Math.max(y1, y2),
    };
  });
  free(room);
  const most = MOST_HEIGHT * height;
  return areas
    .filter(({ left, top, right, bottom }) => Math.min(bottom - top, right - left) <= most)
    .map((area) => widened(area, width, height));
}

/** @param {Area} area @param {number} width @param {number} height @returns {Area} */
function widened({ left, top, right, bottom }, width, height) {
  const size = Math.min(bottom - top, right - left);
  const isAcross = right - left >= bottom - top;
  const x = Math.ceil(size * (isAcross ? MARGIN.across : MARGIN.down));
  const y = Math.ceil(size * (isAcross ? MARGIN.down : MARGIN.across));
  return {
    left: Math.max(left - x, 0),
    top: Math.max(top - y, 0),
    right: Math.min(right + x, width),
    bottom: Math.min(bottom + y, height),
  };
}

/** Fills an area with the colour around it. @param {Bitmap} bitmap @param {Area} area */
function clear({ pixels, width }, { left, top, right, bottom }) {
  if (right <= left || bottom <= top) return;
  const colours = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
  const samples = [];
  for (let sample = 0; sample <= SAMPLES; sample++) {
    const x = left + Math.floor(((right - 1 - left) * sample) / SAMPLES);
    samples.push(colours[top * width + x] ?? 0, colours[(bottom - 1) * width + x] ?? 0);
  }
  const green = (/** @type {number} */ colour) => (colour >>> 8) & 255;
  const background = samples.sort((a, b) => green(a) - green(b))[samples.length >> 1] ?? 0;
  for (let y = top; y < bottom; y++) colours.fill(background, y * width + left, y * width + right);
}

/** Whether there is something to see, be it a photograph. @param {Bitmap} bitmap */
function hasRest(bitmap) {
  const size = Math.max(Math.floor(bitmap.width / CELLS), 1);
  let cells = 0;
  for (let y = 0; y < bitmap.height; y += size)
    for (let x = 0; x < bitmap.width; x += size)
      if (contrastOf(bitmap, x, y, size) >= LEAST_CONTRAST && ++cells >= LEAST_CELLS) return true;
  return false;
}

/** Of every second pixel, by its green. @param {Bitmap} bitmap @param {number} left @param {number} top @param {number} size */
function contrastOf({ pixels, width, height }, left, top, size) {
  let [darkest, brightest] = [255, 0];
  for (let y = top; y < Math.min(top + size, height); y += 2)
    for (let x = left; x < Math.min(left + size, width); x += 2) {
      const green = pixels[4 * (y * width + x) + 1] ?? 0;
      if (green < darkest) darkest = green;
      if (green > brightest) brightest = green;
    }
  return brightest - darkest;
}
