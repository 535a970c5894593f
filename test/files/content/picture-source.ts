import { crc32, deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { sourceOf } from './bytes.ts';
import { drawPage } from './page-colours.ts';

/** A PNG in which these lines are written, as if scanned at 150 dots per inch. */
export async function writtenPicture(...lines: string[]): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([430, 40 + 24 * lines.length]);
  for (const [index, line] of lines.entries())
    page.drawText(line, { x: 20, y: page.getHeight() - 36 - 24 * index, size: 16 });
  const drawn = await drawPage(sourceOf(await pdf.save()), 1, 900);
  if (!drawn) throw new Error('nothing was drawn');
  const { width, height, pixels } = drawn;
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png()
    .toBuffer();
}

/** A PDF of these pages: a picture each, as scanners make them, or a line of text. */
export async function scannedPdf(...pages: (Buffer | string)[]): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  for (const each of pages) {
    const page = pdf.addPage([595, 842]);
    if (typeof each === 'string') page.drawText(each, { x: 50, y: 700 });
    else page.drawImage(await pdf.embedPng(each), { x: 20, y: 500, width: 540, height: 180 });
  }
  return Buffer.from(await pdf.save());
}

/** A whole PNG of so many pixels a side, in black and white stripes, in a few kilobytes. */
export function widePng(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 1; // a bit a pixel, in grey
  const row = Buffer.alloc(1 + Math.ceil(side / 8), 0xf0).fill(0, 0, 1);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => row)));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
