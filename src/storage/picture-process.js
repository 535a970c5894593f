// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { writeFileSync } from 'node:fs';
import sharp from 'sharp';

/** @typedef {import('./picture-processes.ts').Wanted} Wanted */
/** @typedef {import('./picture-processes.ts').Verdict} Verdict */

const WORN_OVER = 192 * 2 ** 20;
const WATCHED_EVERY = 20;

const MOST_PIXELS = 50_000_000;

/** The decoders that hostile bytes may reach; all others are switched off. */
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

endFirst();
process.on('message', async (/** @type {Wanted} */ wanted) => {
  // Decoding runs in a thread of its own, so that this one can see how it goes.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() > wanted.memory) process.exit(1);
  }, WATCHED_EVERY);
  const image = await draw(wanted).catch(() => null); // sharp tells broken from too large by text alone
  clearInterval(watch);
  /** @type {Verdict} */
  const verdict = { image, worn: process.memoryUsage.rss() > WORN_OVER };
  process.send?.(verdict);
});
process.once('disconnect', () => process.exit());

/** On a machine that has no memory left, this process is to go rather than the server. */
function endFirst() {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Only Linux has it.
  }
}

/** @param {Wanted} wanted */
async function draw({ bytes, form, width }) {
  const upright = sharp(bytes, { limitInputPixels: MOST_PIXELS, sequentialRead: true }).rotate();
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
