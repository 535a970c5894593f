import { clustersOf } from '../font/clusters.js';
import { directionOf } from '../font/direction.js';

/** @typedef {import('../font/faces.js').Face} Face */
/** @typedef {{ text: string, direction: import('../font/direction.js').Direction }} Line with the direction of its paragraph */

/** Line height, as a multiple of the font size. */
export const LINE = 1.3;

/**
 * Breaks the text into lines no wider than `width`: at spaces, and within words that are longer than a line.
 * @param {string} text @param {Face} font @param {number} size @param {number} width
 */
export const wrap = (text, font, size, width) =>
  text.split('\n').flatMap((paragraph) => {
    const direction = directionOf(paragraph);
    return wrapParagraph(paragraph, font, size, width).map((line) => ({ text: line, direction }));
  });

/** A mark after a space belongs to it. */
const AFTER_SPACE = /(?<= )(?!\p{M})/u;

/** @param {string} paragraph @param {Face} font @param {number} size @param {number} width */
function wrapParagraph(paragraph, font, size, width) {
  const lines = [];
  let line = '';
  let used = 0;
  for (const word of paragraph.split(AFTER_SPACE)) {
    if (used + font.width(word.trimEnd(), size) > width) {
      if (line.trim()) lines.push(line.trimEnd());
      const pieces = splitWord(word, font, size, width);
      lines.push(...pieces.slice(0, -1));
      line = /** @type {string} */ (pieces.at(-1));
      used = font.width(line, size);
    } else {
      line += word;
      used += font.width(word, size);
    }
  }
  return [...lines, line.trimEnd()];
}

/** @param {string} word @param {Face} font @param {number} size @param {number} width */
function splitWord(word, font, size, width) {
  const pieces = [''];
  let used = 0;
  for (const cluster of clustersOf(word)) {
    const wide = font.width(cluster, size);
    const last = /** @type {string} */ (pieces.at(-1));
    if (last !== '' && used + wide > width) {
      pieces.push(cluster);
      used = wide;
    } else {
      pieces[pieces.length - 1] = last + cluster;
      used += wide;
    }
  }
  return pieces;
}

/** In points: smaller text is not legible on paper. */
export const LEAST_SIZE = 6;

/**
 * The largest font size, up to `maxSize`, at which the text fits the box, and its lines; with `single`, a second line is used
 * only at the smallest size. `isWhole`: whether all of it fits; otherwise the lines leave room for one more.
 * @param {string} text @param {Face} font
 * @param {{ width: number, height: number, maxSize: number, single: boolean }} box
 */
export function fitInto(text, font, { width, height, maxSize, single }) {
  const least = Math.min(LEAST_SIZE, maxSize);
  for (let size = maxSize; size > least; size -= 0.5) {
    const lines = wrap(text, font, size, width);
    const fits = lines.length * size * LINE <= height || lines.length === 1;
    if (fits && (lines.length === 1 || !single)) return { size, lines, isWhole: true };
  }
  const lines = wrap(text, font, least, width);
  const room = Math.max(1, Math.floor(height / (least * LINE)));
  const isWhole = lines.length <= room;
  return { size: least, lines: isWhole ? lines : lines.slice(0, room - 1), isWhole };
}
