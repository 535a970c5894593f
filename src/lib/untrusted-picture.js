// Plain JavaScript, for child processes only: decoders are native code, which nothing else confines.
import sharp from 'sharp';

const MOST_PIXELS = 50_000_000;

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

/**
 * A JPEG, PNG, WebP or GIF, upright. What is made of it rejects where it is none, or has more than `most` pixels.
 * @param {Uint8Array} bytes
 * @param {number} [most]
 * @param {'warning' | 'truncated'} [failOn] `truncated`: an image that lacks its end is none, but lesser faults are borne
 */
export const untrustedPicture = (bytes, most = MOST_PIXELS, failOn = 'warning') =>
  sharp(bytes, { limitInputPixels: most, sequentialRead: true, failOn }).rotate();

/**
 * A PNG of it within these sides in pixels, without metadata.
 * @param {Uint8Array} bytes
 * @param {{ width: number, height: number, most?: number }} size `most`: pixels that it may have
 */
export const plainPng = (bytes, { width, height, most }) =>
  untrustedPicture(bytes, most, 'truncated')
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true });
