import { PDFDocument } from '@cantoo/pdf-lib';
import { openCopy } from '../copy/open-copy.js';
import { sheets } from '../draw/sheets.js';
import { addPicture } from './picture-page.js';

const SIZE = 10;

/**
 * The document as a PDF: a PDF as it is, an image upright on one page, and no pages for a text (see `addText`).
 * @param {import('./job.ts').SealJob} job
 */
export async function toPdf({ content, contentType }) {
  if (contentType === 'application/pdf') return openCopy(content);
  const pdf = await PDFDocument.create({ updateMetadata: false });
  if (contentType.startsWith('image/')) await addPicture(pdf, content, contentType);
  return pdf;
}

/**
 * Adds as many pages as the text needs.
 * @param {PDFDocument} pdf @param {import('../font/faces.js').Fonts} fonts @param {string} text
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
