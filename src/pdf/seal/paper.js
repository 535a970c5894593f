import { PDFDocument } from '@cantoo/pdf-lib';
import { openPdf } from '../draw/open-pdf.js';
import { HEIGHT, sheets, WIDTH } from '../draw/sheets.js';

const SIZE = 10;

/** Of an image on a page, in pixels: 400 dots per inch of A4. */
const SIDE = 4_700;
/** Of a document that is an image; to decode so many takes some seconds. */
const MOST_PIXELS = 500_000_000;

/**
 * The document as a PDF: as it is, or put on paper when it is an image. Of a text there is nothing yet.
 * @param {import('./job.ts').SealJob} job
 */
export async function onPaper({ content, contentType }) {
  if (contentType === 'application/pdf') return openPdf(content);
  const pdf = await PDFDocument.create({ updateMetadata: false });
  if (contentType === 'image/png') addImage(pdf, await pdf.embedPng(await scaledDown(content)));
  if (contentType === 'image/jpeg') addImage(pdf, await pdf.embedJpg(content));
  return pdf;
}

/**
 * A PNG is decoded to be embedded: one of more pixels than any page needs takes too much memory.
 * @param {Uint8Array} png
 */
async function scaledDown(png) {
  // The header chunk: PNG (third edition) §11.2.1.
  const header = new DataView(png.buffer, png.byteOffset, png.length);
  if (png.length < 24 || header.getUint32(16) * header.getUint32(20) <= SIDE ** 2) return png;
  const { plainPng } = await import('../../lib/untrusted-picture.js');
  return (await plainPng(png, { width: SIDE, height: SIDE, most: MOST_PIXELS })).data;
}

/**
 * On one page of its shape, the longer side that of A4.
 * @param {PDFDocument} pdf @param {import('@cantoo/pdf-lib').PDFImage} image
 */
function addImage(pdf, image) {
  const { width, height } = image.scaleToFit(
    image.width > image.height ? HEIGHT : WIDTH,
    image.width > image.height ? WIDTH : HEIGHT,
  );
  pdf.addPage([width, height]).drawImage(image, { x: 0, y: 0, width, height });
}

/**
 * On as many pages as it takes.
 * @param {PDFDocument} pdf @param {import('../draw/text.js').Fonts} fonts @param {string} text
 */
export const addText = (pdf, { plain }, text) => sheets(pdf).write(text, { font: plain, size: SIZE });

/**
 * What a text says: UTF-8, or UTF-16 that says so; what is neither is read as Windows-1252. '' for another type.
 * @param {import('./job.ts').SealJob} job
 */
export function textOf({ content: bytes, contentType }) {
  if (!contentType.startsWith('text/')) return '';
  const marked = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-16be';
  const wide = marked === 'utf-16le' || (bytes[0] === 0xfe && bytes[1] === 0xff);
  try {
    return new TextDecoder(wide ? marked : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
