import type { ByteSource } from './byte-source.ts';
import type { Bitmap } from './ocr.ts';
import { askPdf } from './pdf-workers.ts';

/** A page as a picture; `width` and `height` are its own, in pixels. */
export interface PageImage {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: 'image/webp';
  width: number;
  height: number;
}

/** WebP's own limit is 16,383 a side. */
const WIDEST = 4_096;

/** Text stays sharp, and a scanned page stays well under 500 KB. */
const QUALITY = 82;

/**
 * Page `page` (from 1) of a PDF as a WebP image of `width` pixels (1 to 4,096); a page so long that it would exceed
 * 12 million pixels comes out narrower. Null when there is no such page, or no picture of it: broken, locked with a
 * password, over 4 GiB, too costly in memory, or not drawn within `timeLimit` ms (10 s; before which it waits at most
 * 30 s for one of two workers). Rejects when `read` does or no worker can start.
 */
export async function renderPage(
  source: ByteSource,
  page: number,
  width: number,
  timeLimit?: number,
): Promise<PageImage | null> {
  if (!Number.isInteger(page) || page < 1) return null;
  const wanted = Math.min(Math.max(Math.round(width), 1), WIDEST);
  const bitmap = await drawPage(source, page, wanted, timeLimit);
  return bitmap && encode(bitmap);
}

/** The same, as its pixels: of a page that need not be there, in a width that has to be right. */
export const drawPage = (
  source: ByteSource,
  page: number,
  width: number,
  timeLimit?: number,
): Promise<Bitmap | null> => askPdf<Bitmap>(source, { draw: page - 1, width }, timeLimit);

/** The library is loaded where a page is drawn: few servers ever do, and it takes 30 MiB. */
async function encode({ pixels, width, height }: Bitmap): Promise<PageImage> {
  const { default: sharp } = await import('sharp');
  const bytes = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .webp({ quality: QUALITY, effort: 3 })
    .toBuffer();
  return { bytes: new Uint8Array(bytes), contentType: 'image/webp', width, height };
}
