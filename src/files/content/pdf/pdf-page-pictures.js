// Plain JavaScript, as everything that pdf-worker.js loads.
import { createHash } from 'node:crypto';
import { pageObjects } from './pdf-page-objects.js';
import { textBoxes } from './pdf-text-boxes.js';

/** @typedef {import('./pdf-file.js').Reader} Reader */
/** @typedef {import('./pdf-text-boxes.js').Box} Box */
/**
 * A picture that no text covers.
 * @typedef PagePicture
 * @property {number} share of the area of its page
 * @property {string} key the same for the same picture on other pages; empty for one that is not identified
 */

/** Cells of a side of the grid that is laid over a page. */
const SIDE = 32;
const CELLS = SIDE * SIDE;

/** Share of the page: pictures that cover less, as logos do, have no text that is looked for. */
export const LEAST_SHARE = 0.04;
/** Share of the pictures: where text covers more of them, it is the text of a scan, or in front of a background. */
const COVERED = 0.55;

/** Characters: a page with more text is not drawn of outlines, with no more than a stamp that is text. */
const MAX_STAMP = 500;

/** Pictures of a page that are identified, and limits of their size, in pixels and in bytes. */
const MAX_IDENTIFIED = 8;
const MAX_PIXELS = 16_000_000;
const MAX_BYTES = 32 * 2 ** 20;

/** A picture is 0 or more; text; and outlines of letters, which are together like one picture. */
const EMPTY = -1;
const TEXT = -2;

/**
 * The pictures of a page that its text does not cover; none where they are small, or are covered for the most part. Outlines
 * of letters, drawn without a font, count as a picture.
 * @param {Reader} reader
 * @param {number} page
 * @param {number} characters length of the text of the page
 * @returns {PagePicture[]}
 */
export function uncoveredPictures(reader, page, characters) {
  const { visible, images, outlines } = pageObjects(reader, page);
  const pictures = images.map(({ box }) => [box]);
  if (characters <= MAX_STAMP) pictures.push(outlines.map((box) => widened(box, visible)));
  const grid = new Int32Array(CELLS).fill(EMPTY);
  for (const [number, boxes] of pictures.entries()) for (const box of boxes) mark(grid, visible, box, number);
  const whole = countOf(grid);
  if (whole < LEAST_SHARE * CELLS) return [];
  for (const box of textBoxes(reader, page)) mark(grid, visible, widened(box, visible), TEXT);
  const left = countOf(grid);
  if (left < LEAST_SHARE * CELLS || left < (1 - COVERED) * whole) return [];
  return withKeys(reader, sharesOf(grid, pictures.length), images);
}

/** The number of cells of pictures. @param {Int32Array} grid */
const countOf = (grid) => grid.reduce((sum, cell) => sum + (cell >= 0 ? 1 : 0), 0);

/** By half of a cell, for what is between letters and lines. @param {Box} box @param {Box} visible @returns {Box} */
function widened({ left, bottom, right, top }, visible) {
  const across = (visible.right - visible.left) / SIDE / 2;
  const down = (visible.top - visible.bottom) / SIDE / 2;
  return { left: left - across, bottom: bottom - down, right: right + across, top: top + down };
}

/**
 * Marks the cells whose middle is in a box.
 * @param {Int32Array} grid @param {Box} visible @param {Box} box @param {number} number
 */
function mark(grid, visible, box, number) {
  const cellOf = (/** @type {number} */ at, /** @type {number} */ from, /** @type {number} */ to) =>
    Math.min(Math.max(Math.round(((at - from) / (to - from)) * SIDE), 0), SIDE);
  const [left, right] = [
    cellOf(box.left, visible.left, visible.right),
    cellOf(box.right, visible.left, visible.right),
  ];
  const [low, high] = [
    cellOf(box.bottom, visible.bottom, visible.top),
    cellOf(box.top, visible.bottom, visible.top),
  ];
  for (let row = low; row < high; row++) grid.fill(number, row * SIDE + left, row * SIDE + right);
}

/** The share of the page of each picture, by number, the largest first. @param {Int32Array} grid @param {number} count */
function sharesOf(grid, count) {
  const cells = new Array(count).fill(0);
  for (const number of grid) if (number >= 0) cells[number] += 1;
  return [...cells.entries()].filter(([, share]) => share > 0).sort(([, a], [, b]) => b - a);
}

/**
 * @param {Reader} reader
 * @param {[number: number, cells: number][]} shares
 * @param {{ object: number }[]} images
 * @returns {PagePicture[]}
 */
function withKeys(reader, shares, images) {
  const identified = shares.slice(0, MAX_IDENTIFIED).map(([number, cells]) => {
    const image = images[number];
    return { share: cells / CELLS, key: image ? keyOf(reader, image.object) : '' };
  });
  const others = shares.slice(MAX_IDENTIFIED).reduce((sum, [, cells]) => sum + cells, 0);
  return others > 0 ? [...identified, { share: others / CELLS, key: '' }] : identified;
}

/** The same for the same picture on other pages; empty for a large one. @param {Reader} reader @param {number} image */
function keyOf({ pdfium, memory }, image) {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const room = malloc(8);
  pdfium.FPDFImageObj_GetImagePixelSize(image, room, room + 4);
  const [width = 0, height = 0] = new Uint32Array(memory.buffer, room, 2);
  free(room);
  if (width * height > MAX_PIXELS) return '';
  const size = pdfium.FPDFImageObj_GetImageDataRaw(image, 0, 0);
  const target = size > 0 && size <= MAX_BYTES ? malloc(size) : 0;
  if (!target) return '';
  pdfium.FPDFImageObj_GetImageDataRaw(image, target, size);
  const hash = createHash('sha256').update(new Uint8Array(memory.buffer, target >>> 0, size));
  free(target);
  return `${width} ${height} ${hash.digest('base64url')}`;
}
