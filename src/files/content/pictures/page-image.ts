import type { ByteSource } from '../../store/byte-source.ts';
import type { Bitmap } from '../ocr/ocr.ts';
import { askPdf } from '../pdf/pdf-workers.ts';

/** A page as a picture; `width` and `height` are its own, in pixels. */
export interface PageImage {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: 'image/webp';
  width: number;
  height: number;
}

/** WebP's own limit is 16,383 a side. */
const WIDEST = 4_096;

/**
 * Page `page` (from 1) of a PDF as a WebP image of `width` pixels (1 to 4,096); a page so long that it would exceed
 * 12 million pixels comes out narrower. Null where the file has no such page, or no picture of it: broken, locked with
 * a password, over 4 GiB, too complex. Throws as askPdf does.
 */
export async function renderPage(
  source: ByteSource,
  page: number,
  width: number,
  timeLimit?: number,
): Promise<PageImage | null> {
  if (!Number.isInteger(page) || page < 1) return null;
  const pixels = Math.min(Math.max(Math.round(width), 1), WIDEST);
  const question = { draw: page - 1, width: pixels, as: 'webp' as const };
  const image = await askPdf<Omit<PageImage, 'contentType'>>(source, question, timeLimit);
  return image && { ...image, bytes: new Uint8Array(image.bytes), contentType: 'image/webp' };
}

/** The same, as its pixels: of a page that need not be there, in a width that has to be right. */
export async function drawPage(
  source: ByteSource,
  page: number,
  width: number,
  timeLimit?: number,
): Promise<Bitmap | null> {
  const bitmap = await askPdf<Bitmap>(source, { draw: page - 1, width, as: 'pixels' }, timeLimit);
  return bitmap && { ...bitmap, pixels: new Uint8Array(bitmap.pixels) };
}
