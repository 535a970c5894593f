import { grayscale, PDFDocument, type PDFPage, TextRenderingMode } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { CATALOG, pdf } from '../pdf-source.ts';

/** A4 in points. */
const [WIDTH, HEIGHT] = [595, 842];

export type Draw = (page: PDFPage, document: PDFDocument) => Promise<void> | void;

/** A PDF of A4 pages, each drawn by some steps. */
export async function drawnPdf(...pages: Draw[][]): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (const steps of pages) {
    const page = document.addPage([WIDTH, HEIGHT]);
    for (const draw of steps) await draw(page, document);
  }
  return Buffer.from(await document.save());
}

/** A picture of the width of the page, as high as it is, so far from the top. */
export const picture =
  (png: Buffer, top = 100, width = WIDTH): Draw =>
  async (page, document) => {
    const image = await document.embedPng(png);
    const height = (image.height * width) / image.width;
    page.drawImage(image, { x: 0, y: HEIGHT - top - height, width, height });
  };

export const words =
  (text: string, top: number, { left = 40, size = 9, hidden = false, grey = 0 } = {}): Draw =>
  (page) =>
    page.drawText(text, {
      x: left,
      y: HEIGHT - top,
      size,
      color: grayscale(grey),
      ...(hidden && { renderMode: TextRenderingMode.Invisible }),
    });

/** A picture in horizontal strips, as some scanners write a page. */
export async function strips(png: Buffer, count: number): Promise<Draw> {
  const { width = 0, height = 0 } = await sharp(png).metadata();
  const part = Math.ceil(height / count);
  const draws: Draw[] = [];
  for (let top = 0; top < height; top += part) {
    const area = { left: 0, top, width, height: Math.min(part, height - top) };
    draws.push(picture(await sharp(png).extract(area).png().toBuffer(), 100 + (top * WIDTH) / width));
  }
  return async (page, document) => {
    for (const draw of draws) await draw(page, document);
  };
}

const blackAndWhite = (png: Buffer) =>
  sharp(png).greyscale().threshold(160).raw().toBuffer({ resolveWithObject: true });

/** Pixels of a side of what is drawn as one path, about a letter. */
const LETTER = 14;

/** What is black in a picture as filled paths, as a program writes text whose font it may not embed. */
export async function outlines(png: Buffer): Promise<Draw> {
  const { data, info } = await blackAndWhite(png);
  const scale = WIDTH / info.width;
  const paths = new Map<string, string>();
  for (const [index, pixel] of data.entries()) {
    if (pixel > 127) continue;
    const [row, column] = [Math.floor(index / info.width), index % info.width];
    const name = `${Math.floor(row / LETTER)} ${Math.floor(column / LETTER)}`;
    paths.set(name, `${paths.get(name) ?? ''}M${column} ${row}h1v1h-1z`);
  }
  return (page) => {
    for (const path of paths.values())
      page.drawSvgPath(path, { x: 0, y: HEIGHT - 100, scale, color: grayscale(0) });
  };
}

/** One page with one bit for each pixel of a picture, within its contents or as a mask, and a line of text. */
export async function bitPdf(kind: 'inline' | 'mask', png: Buffer, line: string): Promise<Buffer> {
  const { data, info } = await blackAndWhite(png);
  const bits = Buffer.alloc(Math.ceil(info.width / 8) * info.height);
  for (const [index, pixel] of data.entries()) {
    const [row, column] = [Math.floor(index / info.width), index % info.width];
    const at = row * Math.ceil(info.width / 8) + (column >> 3);
    if (pixel > 127) bits[at] = (bits[at] ?? 0) | (0x80 >> (column & 7));
  }
  const hex = `${bits.toString('hex')}>`;
  const height = (info.height * WIDTH) / info.width;
  const start = `q ${WIDTH} 0 0 ${height} 0 ${HEIGHT - 100 - height} cm`;
  const drawn =
    kind === 'inline' ? `BI /W ${info.width} /H ${info.height} /BPC 1 /CS /G /F /AHx ID ${hex} EI` : '/I Do';
  const contents = `${start} ${drawn} Q BT /F 9 Tf 40 ${HEIGHT - 40} Td (${line}) Tj ET`;
  return pdf([
    CATALOG,
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${WIDTH} ${HEIGHT}]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</I 6 0 R>>>>>>`,
    `<</Length ${contents.length}>>\nstream\n${contents}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Type/XObject/Subtype/Image/ImageMask true/Width ${info.width}/Height ${info.height}/BitsPerComponent 1/Filter/ASCIIHexDecode/Length ${hex.length}>>\nstream\n${hex}\nendstream`,
  ]);
}
