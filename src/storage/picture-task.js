// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import sharp from 'sharp';
import { answerTasks } from './child-task.js';

/** @typedef {import('./pictures.ts').PictureTask} PictureTask */

const WORN_OVER = 192 * 2 ** 20;
const MOST_PIXELS = 50_000_000;

/** Of a drawn signature, in bytes of PNG: what it is scaled down for, by halves. */
const LARGEST_DRAWING = 300 * 2 ** 10;

/** The decoders that untrusted bytes may reach; all others are switched off. */
const DECODERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadNsgifBuffer',
];

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: DECODERS });
sharp.cache(false);
sharp.concurrency(1);

// Null for broken and for too large alike: sharp tells them apart in text only.
answerTasks((/** @type {PictureTask} */ task) => convert(task).catch(() => null), WORN_OVER);

/** @param {PictureTask} task */
async function convert({ bytes, form, width }) {
  const upright = sharp(bytes, { limitInputPixels: MOST_PIXELS, sequentialRead: true }).rotate();
  if (form === 'drawing') return drawing(bytes, width);
  const image = form === 'webp' ? webp(upright, width) : pixels(upright, width);
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}

/** @param {import('sharp').Sharp} image @param {number} width */
const webp = (image, width) =>
  image.resize({ width, withoutEnlargement: true }).webp({ quality: 82, effort: 3 });

/** Four bytes each, red first, on white. @param {import('sharp').Sharp} image @param {number} side */
const pixels = (image, side) =>
  image
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw();

/**
 * A plain PNG without metadata, decoded to its last line: a truncated image is none.
 * @param {Uint8Array} bytes
 * @param {number} side
 * @returns {Promise<{ bytes: Uint8Array, width: number, height: number }>}
 */
async function drawing(bytes, side) {
  const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, sequentialRead: true, failOn: 'truncated' });
  const { data, info } = await image
    .rotate()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true });
  if (data.length > LARGEST_DRAWING && side > 64) return drawing(bytes, Math.floor(side / 2));
  return { bytes: data, width: info.width, height: info.height };
}
