import sharp from 'sharp';
import type { ByteSource } from './byte-source.ts';
import type { DRAWN } from './inspect.ts';
import type { Bitmap } from './ocr.ts';
import type { PageImage } from './page-image.ts';

/** The decoders that hostile bytes may reach; all others are switched off. */
const DECODERS: Record<(typeof DRAWN)[number], string> = {
  'image/jpeg': 'VipsForeignLoadJpegBuffer',
  'image/png': 'VipsForeignLoadPngBuffer',
  'image/webp': 'VipsForeignLoadWebpBuffer',
  'image/gif': 'VipsForeignLoadNsgifBuffer',
};

sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: Object.values(DECODERS) });

const LARGEST = 50 * 2 ** 20;
const MOST_PIXELS = 50_000_000;
const SECONDS = 10;
const WIDEST = 4_096;

/** Decoding takes memory by the pixel: two images at once. */
const TURNS = 2;
let busy = 0;
const waiting: (() => void)[] = [];

export const isPicture = (contentType: string | undefined): boolean =>
  contentType !== undefined && contentType in DECODERS;

/**
 * An image of type JPEG, PNG, WebP or GIF as a WebP image of `width` pixels, upright, never wider than it was. Null for
 * a page other than 1, and for an image that is broken, over 50 MB or 50 million pixels, or takes longer than 10 s.
 */
export async function shrinkImage(
  source: ByteSource,
  page: number,
  width: number,
): Promise<PageImage | null> {
  const wanted = Math.min(Math.max(Math.round(width), 1), WIDEST);
  return page === 1 ? decoded(source, (bytes) => shrink(bytes, wanted)) : null;
}

/** The pixels of such an image on white, upright, at most `side` wide and high. Null for the same reasons. */
export const drawImage = (source: ByteSource, side: number): Promise<Bitmap | null> =>
  decoded(source, (bytes) => draw(bytes, side));

async function decoded<Picture>(
  source: ByteSource,
  decode: (bytes: Uint8Array) => Promise<Picture>,
): Promise<Picture | null> {
  if (source.size > LARGEST) return null;
  const bytes = await source.read(0, source.size - 1);
  await turn();
  try {
    return await decode(bytes);
  } catch {
    return null; // sharp tells broken, too large and too slow images apart by text alone
  } finally {
    busy--;
    waiting.shift()?.();
  }
}

async function turn(): Promise<void> {
  while (busy >= TURNS) await new Promise<void>((resolve) => waiting.push(resolve));
  busy++;
}

const upright = (bytes: Uint8Array) =>
  sharp(bytes, { limitInputPixels: MOST_PIXELS, sequentialRead: true })
    .rotate()
    .timeout({ seconds: SECONDS });

async function draw(bytes: Uint8Array, side: number): Promise<Bitmap> {
  const { data, info } = await upright(bytes)
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: new Uint8Array(data), width: info.width, height: info.height };
}

async function shrink(bytes: Uint8Array, width: number): Promise<PageImage> {
  const { data, info } = await upright(bytes)
    .resize({ width, withoutEnlargement: true })
    .webp({ quality: 82, effort: 3 })
    .toBuffer({ resolveWithObject: true });
  return {
    bytes: new Uint8Array(data),
    contentType: 'image/webp',
    width: info.width,
    height: info.height,
  };
}
