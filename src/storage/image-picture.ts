import type { ByteSource } from './byte-source.ts';
import { DRAWN } from './inspect.ts';
import type { Bitmap } from './ocr.ts';
import type { PageImage } from './page-image.ts';
import { drawInProcess, LIMITS, type Wanted } from './picture-processes.ts';

const LARGEST = 50 * 2 ** 20;
const WIDEST = 4_096;

export const isPicture = (contentType: string | undefined): boolean =>
  (DRAWN as readonly (string | undefined)[]).includes(contentType);

/**
 * An image of type JPEG, PNG, WebP or GIF as a WebP image of `width` pixels, upright, never wider than it was. Null for
 * a page other than 1, and for an image that is broken, over 50 MB or 50 million pixels, or that takes more than the
 * limits (10 s, 512 MiB).
 */
export async function shrinkImage(
  source: ByteSource,
  page: number,
  width: number,
  limits = LIMITS,
): Promise<PageImage | null> {
  const wanted = Math.min(Math.max(Math.round(width), 1), WIDEST);
  const image = page === 1 ? await drawn(source, { form: 'webp', width: wanted }, limits) : null;
  return image && { ...image, contentType: 'image/webp' };
}

/** The pixels of such an image on white, upright, at most `side` wide and high. Null for the same reasons. */
export async function drawImage(source: ByteSource, side: number): Promise<Bitmap | null> {
  const image = await drawn(source, { form: 'pixels', width: side }, LIMITS);
  return image && { pixels: image.bytes, width: image.width, height: image.height };
}

async function drawn(source: ByteSource, wanted: Pick<Wanted, 'form' | 'width'>, limits: typeof LIMITS) {
  if (source.size > LARGEST) return null;
  const bytes = await source.read(0, source.size - 1);
  const image = await drawInProcess({ bytes, ...wanted }, limits);
  return image && { ...image, bytes: new Uint8Array(image.bytes) };
}
