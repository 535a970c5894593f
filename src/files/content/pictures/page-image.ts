import type { ByteSource } from '../../store/byte-source.ts';
import type { Bitmap } from '../ocr/ocr.ts';
import { askPdf, type PdfCall } from '../pdf/pdf-workers.ts';

/** A page as a picture; its `width` and `height` are in pixels. */
export interface PageImage {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: 'image/webp';
  width: number;
  height: number;
}

/** In pixels; WebP allows 16,383. */
const MAX_WIDTH = 4_096;

/**
 * Draws page `page` (from 1) of a PDF as a WebP image of `width` pixels (1 to 4,096); a page that would exceed 12 million
 * pixels is drawn narrower. Null if the page does not exist or cannot be drawn: broken, locked with a password, over
 * 4 GiB, too complex. Throws as askPdf does.
 */
export async function renderPage(
  source: ByteSource,
  page: number,
  width: number,
  timeLimit?: number,
): Promise<PageImage | null> {
  if (!Number.isInteger(page) || page < 1) return null;
  const pixels = Math.min(Math.max(Math.round(width), 1), MAX_WIDTH);
  const question = { draw: page - 1, width: pixels, as: 'webp' as const };
  const image = await askPdf<Omit<PageImage, 'contentType'>>(source, question, { timeLimit });
  return image && { ...image, bytes: new Uint8Array(image.bytes), contentType: 'image/webp' };
}

/** A page as a picture, or that nothing was left when its text was removed. */
export type PageBitmap = Bitmap | { isBlank: true };

/** Draws page `page` (from 1), `width` pixels wide, without the text that can be read from the file; null as for `renderPage`. */
export function drawRest(
  source: ByteSource,
  page: number,
  width: number,
  call: PdfCall,
): Promise<PageBitmap | null> {
  // Not copied: a page at 300 dots per inch has 9 million pixels, and a copy of them holds up every request.
  return askPdf<PageBitmap>(source, { draw: page - 1, width, as: 'rest' }, call);
}
