// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { inkShare, plainPng, squareLogo, untrustedPicture } from '../../../lib/untrusted-picture.js';
import { answerTasks } from '../../child/child-task.js';

/** @typedef {import('./pictures.ts').PictureTask} PictureTask */

const WORN_OVER = 192 * 2 ** 20;

/** Of a drawing, in bytes: a larger one is scaled down by halves. */
const LARGEST_DRAWING = 300 * 2 ** 10;

/** Share of the pixels of a drawing that are visible; less is a blank page. */
const LEAST_INK = 1e-4;

// Null for both broken and too large: sharp distinguishes them only in the text of the error.
answerTasks((/** @type {PictureTask} */ task) => convert(task).catch(() => null), WORN_OVER);

/** @param {PictureTask} task */
async function convert({ bytes, form, width }) {
  if (form === 'drawing') return drawing(bytes, width);
  const { data, info } = await encoded(form, bytes, width);
  return { bytes: data, width: info.width, height: info.height };
}

/** @param {'webp' | 'grays' | 'logo'} form @param {Uint8Array} bytes @param {number} width */
function encoded(form, bytes, width) {
  if (form === 'logo') return squareLogo(bytes, width);
  const image = form === 'webp' ? webp(bytes, width) : grays(bytes, width);
  return image.toBuffer({ resolveWithObject: true });
}

/** @param {Uint8Array} bytes @param {number} width */
const webp = (bytes, width) =>
  untrustedPicture(bytes).resize({ width, withoutEnlargement: true }).webp({ quality: 82, effort: 3 });

/** A byte for each pixel, on white. @param {Uint8Array} bytes @param {number} side */
const grays = (bytes, side) =>
  untrustedPicture(bytes)
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('b-w')
    .raw();

/**
 * @param {Uint8Array} bytes
 * @param {number} side
 * @returns {Promise<import('./pictures.ts').Picture>}
 */
async function drawing(bytes, side) {
  const { data, info } = await plainPng(bytes, { width: side, height: side });
  if (data.length > LARGEST_DRAWING && side > 64) return drawing(bytes, Math.floor(side / 2));
  const isBlank = (await inkShare(data)) < LEAST_INK;
  return { bytes: Uint8Array.from(data), width: info.width, height: info.height, isBlank };
}
