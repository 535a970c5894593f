// Plain JavaScript, for child processes only: decoders are native code, which nothing else confines.
import sharp from 'sharp';

const MAX_PIXELS = 50_000_000;

/** The decoders that untrusted bytes may reach; all others are blocked. */
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
 * Opens a JPEG, PNG, WebP or GIF and turns it upright. Reading it rejects for another format and for more than `maxPixels`.
 * @param {Uint8Array} bytes
 * @param {number} [maxPixels]
 * @param {'warning' | 'truncated'} [failOn] `truncated` rejects incomplete images and tolerates lesser faults
 */
export const untrustedPicture = (bytes, maxPixels = MAX_PIXELS, failOn = 'warning') =>
  sharp(bytes, { limitInputPixels: maxPixels, sequentialRead: true, failOn }).rotate();

/** Of scans, which are large and mostly of one bit a pixel. */
const MAX_SCAN_PIXELS = 100_000_000;

/** Lets TIFF and AVIF be decoded too, in a process that reads nothing else. */
export const allowScans = () =>
  sharp.unblock({ operation: ['VipsForeignLoadTiffBuffer', 'VipsForeignLoadHeifBuffer'] });

/**
 * Opens a page (from 0) of a scan. Warnings are tolerated: devices write tags of their own, and a fax has broken lines.
 * @param {Uint8Array} bytes
 * @param {number} page
 */
export const untrustedScan = (bytes, page) =>
  sharp(bytes, {
    page,
    pages: 1,
    limitInputPixels: MAX_SCAN_PIXELS,
    sequentialRead: true,
    failOn: 'error',
  });

/**
 * How a picture has to be turned to be upright: 1 (not at all) to 8, as in Exif, where all formats have it.
 * @param {Uint8Array} bytes
 */
export async function orientationOf(bytes) {
  const { orientation = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata();
  return orientation;
}

/**
 * Converts a picture to a PNG of at most `width` × `height` pixels, without metadata.
 * @param {Uint8Array} bytes
 * @param {{ width: number, height: number, maxPixels?: number }} size `maxPixels`: limit of the picture itself
 */
export const plainPng = (bytes, { width, height, maxPixels }) =>
  untrustedPicture(bytes, maxPixels, 'truncated')
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true });

/** Of the picture that a logo is made from. */
const MAX_LOGO_PIXELS = 16_000_000;
const LOGO_FORMATS = ['png', 'jpeg', 'webp'];

/**
 * Converts a PNG, JPEG or WebP to a square WebP image without metadata; what is not square gets transparent edges. Rejects
 * as `untrustedPicture` does, and for a GIF.
 * @param {Uint8Array} bytes
 * @param {number} side in pixels
 */
export async function squareLogo(bytes, side) {
  const picture = untrustedPicture(bytes, MAX_LOGO_PIXELS);
  const { format } = await picture.metadata();
  if (!LOGO_FORMATS.includes(format)) throw new Error(`A logo in the format ${format}.`);
  return picture
    .resize({ width: side, height: side, fit: 'contain', background: '#0000' })
    .toColourspace('srgb')
    .webp({ quality: 90, alphaQuality: 100 })
    .toBuffer({ resolveWithObject: true });
}

/** Brightest grey that is visible on white, of 255. */
const VISIBLE = 224;

/**
 * The share of the pixels of a PNG that are visible when it is drawn on white.
 * @param {Uint8Array} png
 */
export async function inkShare(png) {
  const pixels = await sharp(png).flatten({ background: 'white' }).greyscale().raw().toBuffer();
  let visible = 0;
  for (const pixel of pixels) if (pixel <= VISIBLE) visible++;
  return visible / pixels.length;
}
