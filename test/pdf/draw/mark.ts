import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import type { DrawnField } from '../../../src/pdf/draw/drawn-field.ts';
import { drawFields } from '../../../src/pdf/draw/fields.js';
import { loadFonts } from '../../../src/pdf/font/faces.js';
import { sourceOf } from '../../files/content/bytes.ts';
import { drawPage } from '../../files/content/page-colours.ts';

const magenta = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#ff00ff' } })
  .png()
  .toBuffer();

/** A drawn signature that is one magenta rectangle, twice as wide as high, in percent of the page. */
export const magentaMark = (
  pageIndex: number,
  box: { x: number; y: number; width: number; height: number },
) =>
  ({
    type: 'SIGNATURE',
    value: `data:image/png;base64,${magenta.toString('base64')}`,
    pageIndex,
    ...box,
  }) satisfies DrawnField;

/** The PDF with these fields drawn, as sealing and forms draw them. */
export async function withFields(bytes: Uint8Array, fields: DrawnField[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  const fonts = await loadFonts(pdf, '');
  await drawFields(pdf, fonts, fields);
  fonts.embed();
  return pdf.save({ updateFieldAppearances: false });
}

export interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Where magenta is in a picture of this many channels, in percent of it; null where it is not. */
export function magentaIn({
  pixels,
  width,
  height,
  channels = 4,
}: {
  pixels: Uint8Array;
  width: number;
  height: number;
  channels?: number;
}): Edges | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels;
      if (!(Number(pixels[at]) > 250 && Number(pixels[at + 1]) < 5 && Number(pixels[at + 2]) > 250)) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    }
  if (right < 0) return null;
  const across = (value: number) => (100 * value) / width;
  const down = (value: number) => (100 * value) / height;
  return { left: across(left), top: down(top), right: across(right), bottom: down(bottom) };
}

/** Where PDFium, which draws the pages for signers, draws magenta on a page (from 0). */
export async function drawnMark(bytes: Uint8Array, page: number, width = 600): Promise<Edges | null> {
  const picture = await drawPage(sourceOf(bytes), page + 1, width);
  return picture && magentaIn(picture);
}
