// Plain JavaScript, as everything that pdf-worker.js loads.
import { tidy } from '../../child/text-collect.js';
import { openForm } from './pdf-page.js';
import { uncoveredPictures } from './pdf-page-pictures.js';
import { annotationText } from './pdf-shown-text.js';

/** @typedef {import('./pdf-file.js').Reader} Reader */
/** @typedef {import('./pdf-page.js').Opened} Opened */
/** @typedef {import('@embedpdf/pdfium').WrappedPdfiumModule} Pdfium */

/** Milliseconds after which a batch ends, with the page it is at. */
const BATCH_TIME = 2_000;
const BATCH_TEXT = 1_000_000;
const BATCH_PAGES = 1_000;

/** PDFium's sign for a hyphen at the end of a line, where it takes a word apart. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it is
const HYPHEN = /\x02\r?\n?|\ufffe\r?\n?/g;

/**
 * The texts of the pages from one on, and their pictures, as many as are read in some seconds, and how many pages there are in
 * all. A page with which PDFium ends is the first of the next batch: then it throws.
 * @param {Reader} reader
 * @param {number} document
 * @param {{ textFrom: number, most: number, plain: boolean }} wanted
 */
export function readTexts(reader, document, { textFrom, most, plain }) {
  /** @type {Opened | undefined} */
  let opened;
  const open = () => (opened ??= openForm(reader, document));
  const pages = reader.pdfium.FPDF_GetPageCount(document);
  const last = Math.min(textFrom + (plain ? 1 : BATCH_PAGES), pages);
  const end = Date.now() + BATCH_TIME;
  const room = Math.min(most, BATCH_TEXT);
  /** @type {string[]} */
  const texts = [];
  /** @type {import('./pdf-page-pictures.js').PagePicture[][]} */
  const pictures = [];
  try {
    for (let length = 0; textFrom + texts.length < last && length < room && Date.now() < end; ) {
      const how = { most: most - length, plain, open };
      const page = pageContent(reader, document, textFrom + texts.length, how);
      length += page.text.length;
      texts.push(page.text);
      pictures.push(page.pictures);
    }
  } catch (error) {
    if (texts.length === 0) throw error;
  }
  return { texts, pictures, pages };
}

/**
 * What is written on a page, then on its annotations, and which pictures may have more text; nothing for a page that is broken.
 * @param {Reader} reader
 * @param {number} document
 * @param {number} index
 * @param {{ most: number, plain: boolean, open: () => Opened }} how
 */
function pageContent(reader, document, index, { most, plain, open }) {
  const { pdfium } = reader;
  const page = pdfium.FPDF_LoadPage(document, index);
  if (!page) return { text: '', pictures: [] };
  const isAnnotated = !plain && pdfium.FPDFPage_GetAnnotCount(page) > 0;
  const written = writtenText(reader, page);
  const pictures = plain ? [] : uncoveredPictures(reader, page, written.length);
  pdfium.FPDF_ClosePage(page);
  const noted = isAnnotated ? annotationText(reader, open(), index, most) : '';
  return { text: tidy(`${written}\n${noted}`.replace(HYPHEN, '')).slice(0, most), pictures };
}

/** @param {Reader} reader @param {number} page */
function writtenText({ pdfium, memory }, page) {
  const text = pdfium.FPDFText_LoadPage(page);
  if (!text) return '';
  const characters = charactersOf(pdfium, memory, text);
  pdfium.FPDFText_ClosePage(text);
  return characters;
}

/** @param {Pdfium} pdfium @param {WebAssembly.Memory} memory @param {number} text */
function charactersOf(pdfium, memory, text) {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const count = pdfium.FPDFText_CountChars(text);
  if (count <= 0) return '';
  // UTF-16, and a NUL behind it.
  const target = malloc(2 * (count + 1));
  if (!target) return '';
  const written = pdfium.FPDFText_GetText(text, 0, count, target);
  const units = new Uint8Array(memory.buffer, target >>> 0, 2 * Math.max(written - 1, 0)).slice();
  free(target);
  return new TextDecoder('utf-16le').decode(units);
}
