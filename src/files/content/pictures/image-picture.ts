import type { ChildLimits } from '../../child/child-pool.ts';
import type { ByteSource } from '../../store/byte-source.ts';
import type { Bitmap } from '../ocr/ocr.ts';
import { DRAWABLE_TYPES } from '../sniff/inspect.ts';
import type { PageImage } from './page-image.ts';
import { convertPicture, type Picture, type PictureTask } from './pictures.ts';

const MAX_BYTES = 50 * 2 ** 20;
const MAX_WIDTH = 4_096;

export const isPicture = (contentType: string | undefined): boolean =>
  (DRAWABLE_TYPES as readonly (string | undefined)[]).includes(contentType);

/**
 * An image of type JPEG, PNG, WebP or GIF as a WebP image of `width` pixels, upright, never wider than it was. Null for
 * a page other than 1, and for an image that is broken, over 50 MB or 50 million pixels. Throws Busy, or ChildFailed
 * where it takes more than the limits.
 */
export async function shrinkImage(
  source: ByteSource,
  page: number,
  width: number,
  limits?: ChildLimits,
): Promise<PageImage | null> {
  const pixels = Math.min(Math.max(Math.round(width), 1), MAX_WIDTH);
  const image = page === 1 ? await convert(source, { form: 'webp', width: pixels }, limits) : null;
  return image && { ...image, contentType: 'image/webp' };
}

/** The gray pixels of such an image on white, upright, at most `side` wide and high. Null for the same reasons. */
export async function drawImage(source: ByteSource, side: number): Promise<Bitmap | null> {
  const image = await convert(source, { form: 'grays', width: side });
  return image && { pixels: image.bytes, width: image.width, height: image.height };
}

async function convert(
  { size, read, organizationId = '' }: ByteSource,
  options: Pick<PictureTask, 'form' | 'width'>,
  limits?: ChildLimits,
): Promise<Picture | null> {
  if (size > MAX_BYTES) return null;
  const bytes = await read(0, size - 1);
  return convertPicture({ bytes, ...options }, organizationId, limits);
}
