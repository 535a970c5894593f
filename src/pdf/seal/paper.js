import { PDFDocument } from '@cantoo/pdf-lib';
import { openCopy } from '../copy/open-copy.js';
import { HEIGHT, sheets, WIDTH } from '../draw/sheets.js';

const SIZE = 10;

/** Longer side of an image on a page, in pixels: 400 dots per inch of A4. */
const MAX_SIDE = 4_700;
/** Of a document that is an image; decoding that many takes some seconds. */
const MAX_PIXELS = 500_000_000;

/**
 * The document as a PDF: a PDF as it is, an image on one page, and no pages for a text (see `addText`).
 * @param {import('./job.ts').SealJob} job
 */
export async function toPdf({ content, contentType }) {
  if (contentType === 'application/pdf') return openCopy(content);
  const pdf = await PDFDocument.create({ updateMetadata: false });
  if (contentType === 'image/png') addImage(pdf, await pdf.embedPng(await scaledDown(content)));
  if (contentType === 'image/jpeg') addImage(pdf, await pdf.embedJpg(content));
  return pdf;
}

/**
 * Embedding decodes a PNG, which takes too much memory for one with more pixels than a page needs.
 * @param {Uint8Array} png
 */
async function scaledDown(png) {
  // The header chunk: PNG (third edition) §11.2.1.
  const header = new DataView(png.buffer, png.byteOffset, png.length);
  if (png.length < 24 || header.getUint32(16) * header.getUint32(20) <= MAX_SIDE ** 2) return png;
  const { plainPng } = await import('../../lib/untrusted-picture.js');
  return (await plainPng(png, { width: MAX_SIDE, height: MAX_SIDE, maxPixels: MAX_PIXELS })).data;
}

/**
 * Adds a page of the image's proportions, whose longer side is that of A4.
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
 * Adds as many pages as the text needs.
 * @param {PDFDocument} pdf @param {import('../draw/text.js').Fonts} fonts @param {string} text
 */
export const addText = (pdf, { plain }, text) => sheets(pdf).write(text, { font: plain, size: SIZE });

/**
 * Decodes a text: UTF-16 with a byte order mark, UTF-8, else Windows-1252. '' for other content types.
 * @param {import('./job.ts').SealJob} job
 */
export function textOf({ content: bytes, contentType }) {
  if (!contentType.startsWith('text/')) return '';
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-16be';
  const isUtf16 = utf16 === 'utf-16le' || (bytes[0] === 0xfe && bytes[1] === 0xff);
  try {
    return new TextDecoder(isUtf16 ? utf16 : 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
