// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { allowScans, untrustedScan } from '../../../lib/untrusted-picture.js';
import { answerTasks, requestBytes } from '../../child/child-task.js';
import { tiffShape } from './tiff-shape.js';

/** @typedef {import('./scan.ts').ScanTask} ScanTask */

const WORN_OVER = 192 * 2 ** 20;

allowScans();

// Null for broken and for too large alike: sharp distinguishes them only in the text of the error.
answerTasks(async (/** @type {ScanTask} */ { size, wanted }) => {
  const bytes = await requestBytes(size);
  const answer = 'page' in wanted ? drawn(bytes, wanted.page, wanted.side) : counted(bytes);
  return answer.catch(() => null);
}, WORN_OVER);

/** Frames of other formats are no pages. @param {Uint8Array} bytes */
async function counted(bytes) {
  const { format, pages = 1 } = await untrustedScan(bytes, 0).metadata();
  return format === 'tiff' ? pages : 1;
}

/** A byte for each pixel, upright on white. @param {Uint8Array} bytes @param {number} page @param {number} side */
async function drawn(bytes, page, side) {
  const scan = untrustedScan(bytes, page);
  const { format, autoOrient, orientation = 1 } = await scan.metadata();
  const shape = format === 'tiff' ? tiffShape(bytes, page) : 1;
  const { data, info } = await scan
    .rotate()
    .resize({ ...sizeWithin(side, autoOrient, orientation > 4 ? 1 / shape : shape), fit: 'fill' })
    .flatten({ background: 'white' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/**
 * With square pixels, no larger than it was unless they are not.
 * @param {number} side
 * @param {{ width: number, height: number }} size
 * @param {number} shape how many times higher than wide a pixel is
 */
function sizeWithin(side, { width, height }, shape) {
  const [across, down] = shape > 1 ? [width, height * shape] : [width / shape, height];
  const scale = Math.min(1, side / across, side / down);
  return {
    width: Math.max(Math.round(across * scale), 1),
    height: Math.max(Math.round(down * scale), 1),
  };
}
