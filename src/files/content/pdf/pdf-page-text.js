// Plain JavaScript, as everything that pdf-worker.js loads.
import { tidy } from '../../child/text-collect.js';

/** @typedef {import('@embedpdf/pdfium').WrappedPdfiumModule} Pdfium */

/** Milliseconds after which a batch ends, with the page it is at. */
const BATCH_TIME = 2_000;
const BATCH_TEXT = 1_000_000;
const BATCH_PAGES = 1_000;

/** PDFium's sign for a hyphen at the end of a line, where it takes a word apart. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it is
const HYPHEN = /\x02\r?\n?|\ufffe\r?\n?/g;

/**
 * The texts of the pages from one on, as many as are read in some seconds, and how many pages there are in all.
 * @param {Pdfium} pdfium
 * @param {WebAssembly.Memory} memory
 * @param {number} document
 * @param {{ textFrom: number, most: number }} wanted
 */
export function readTexts(pdfium, memory, document, { textFrom, most }) {
  const pages = pdfium.FPDF_GetPageCount(document);
  const last = Math.min(textFrom + BATCH_PAGES, pages);
  const end = Date.now() + BATCH_TIME;
  const room = Math.min(most, BATCH_TEXT);
  /** @type {string[]} */
  const texts = [];
  for (let length = 0; textFrom + texts.length < last && length < room && Date.now() < end; ) {
    const text = pageText(pdfium, memory, document, textFrom + texts.length).slice(0, most - length);
    length += text.length;
    texts.push(tidy(text.replace(HYPHEN, '')));
  }
  return { texts, pages };
}

/**
 * Empty for a page that is broken.
 * @param {Pdfium} pdfium
 * @param {WebAssembly.Memory} memory
 * @param {number} document
 * @param {number} index
 */
function pageText(pdfium, memory, document, index) {
  const page = pdfium.FPDF_LoadPage(document, index);
  const text = page && pdfium.FPDFText_LoadPage(page);
  try {
    return text ? charactersOf(pdfium, memory, text) : '';
  } finally {
    if (text) pdfium.FPDFText_ClosePage(text);
    if (page) pdfium.FPDF_ClosePage(page);
  }
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
