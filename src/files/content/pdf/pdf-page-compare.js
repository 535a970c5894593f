// Plain JavaScript, as everything that pdf-worker.js loads.
import { pageCharacters } from './pdf-characters.js';
import { drawnPage, withPage } from './pdf-page.js';

/** @typedef {import('./pdf-file.js').Reader} Reader */
/** @typedef {import('./pdf-page.js').Opened} Opened */
/** @typedef {import('./comparison.ts').Comparison} Comparison */
/** @typedef {import('./comparison.ts').PageBox} PageBox */
/** @typedef {import('./comparison.ts').Difference} Difference */
/** @typedef {{ width: number, height: number, pixels: Uint8Array }} Bitmap */

/** Milliseconds after which a batch ends, with the page it is at. */
const BATCH_TIME = 2_000;

/** As wide as the signing page shows a page. */
const WIDTH = 900;

/** Of a colour, of 255: what smoothing of edges may change where the same shapes are drawn by another path. */
const TOLERANCE = 48;
/** The same, on the average of nine pixels. */
const AVERAGE_TOLERANCE = 24;

/**
 * Compares pages of two documents from `from` on, until the first difference or the end of a batch.
 * @param {Reader} reader
 * @param {Opened} before
 * @param {Opened} after
 * @param {Comparison} comparison
 * @returns {{ next: number } | { difference: Difference }}
 */
export function comparePages(reader, before, after, { from, pages, boxes, mayAddText }) {
  const end = Date.now() + BATCH_TIME;
  let next = from;
  do {
    const what = differenceOf(reader, before, after, { index: next, boxes: boxes[next] ?? [], mayAddText });
    if (what) return { difference: { page: next + 1, what } };
    next += 1;
  } while (next < pages && Date.now() < end);
  return { next };
}

/**
 * @param {Reader} reader
 * @param {Opened} before
 * @param {Opened} after
 * @param {{ index: number, boxes: readonly PageBox[], mayAddText: boolean }} how
 * @returns {Difference['what'] | null}
 */
function differenceOf(reader, before, after, { index, boxes, mayAddText }) {
  const read = (/** @type {Opened} */ opened, /** @type {boolean} */ printed) =>
    withPage(reader, opened, index, (page) => ({
      shown: drawnPage(reader, opened, page, { width: WIDTH, compared: true }),
      printed: printed ? drawnPage(reader, opened, page, { width: WIDTH, compared: true, printed }) : null,
      text: pageCharacters(reader, page, boxes),
    }));
  const [old, current] = [read(before, false), read(after, true)];
  if (!old?.shown || !current?.shown || !current.printed) return 'MISSING';
  if (!looksAlike(old.shown, current.shown, boxes)) return 'PICTURE';
  if (!looksAlike(old.shown, current.printed, boxes)) return 'PRINT';
  const isKept = contains(current.text.all, old.text.all);
  return isKept && (mayAddText || old.text.outside === current.text.outside) ? null : 'TEXT';
}

/**
 * Whether two pictures show the same outside of the boxes.
 * @param {Bitmap} one @param {Bitmap} other @param {readonly PageBox[]} boxes
 */
function looksAlike(one, other, boxes) {
  const { width, height } = one;
  if (width !== other.width || height !== other.height) return false;
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 4)
      if (
        differs(one.pixels, other.pixels, at) &&
        !isInside(boxes, (x + 0.5) / width, (y + 0.5) / height) &&
        differsAround(one, other, x, y)
      )
        return false;
  return true;
}

/** @param {Uint8Array} one @param {Uint8Array} other @param {number} at */
const differs = (one, other, at) =>
  isFar(one[at], other[at]) || isFar(one[at + 1], other[at + 1]) || isFar(one[at + 2], other[at + 2]);

/** @param {number | undefined} one @param {number | undefined} other */
const isFar = (one = 0, other = 0) => Math.abs(one - other) > TOLERANCE;

/**
 * Whether a difference stays where it is averaged with the pixels around: that of smoothed edges does not.
 * @param {Bitmap} one @param {Bitmap} other @param {number} x @param {number} y
 */
function differsAround({ pixels, width, height }, other, x, y) {
  const sums = [0, 0, 0];
  for (let row = Math.max(y - 1, 0); row <= Math.min(y + 1, height - 1); row++)
    for (let column = Math.max(x - 1, 0); column <= Math.min(x + 1, width - 1); column++)
      for (let colour = 0, at = 4 * (row * width + column); colour < 3; colour++, at++)
        sums[colour] = (sums[colour] ?? 0) + (pixels[at] ?? 0) - (other.pixels[at] ?? 0);
  return sums.some((sum) => Math.abs(sum) > 9 * AVERAGE_TOLERANCE);
}

/** @param {readonly PageBox[]} boxes @param {number} x @param {number} y as fractions of the page, from above */
const isInside = (boxes, x, y) =>
  boxes.some(({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom);

/**
 * Whether all characters of `part` are in `text`, in this order.
 * @param {string} text @param {string} part
 */
function contains(text, part) {
  let position = 0;
  for (const character of part) {
    position = text.indexOf(character, position) + 1;
    if (position === 0) return false;
  }
  return true;
}
