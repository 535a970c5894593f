// Plain JavaScript, as everything that pdf-worker.js loads.
import { openForm, withPage } from './pdf-page.js';

/** @typedef {import('./pdf-file.js').Reader} Reader */

// From fpdf_save.h: all objects are written anew, and decrypted.
const NOT_INCREMENTAL = 0x02;
const WITHOUT_SECURITY = 0x04;

/** From fpdf_formfill.h: a form of XFA, which this build of PDFium cannot draw. */
const XFA_FULL = 2;

/**
 * The document as PDFium understands it, with the appearances that its fields lack.
 * @param {Reader} reader
 * @param {number} document
 * @returns {{ bytes: Uint8Array<ArrayBuffer>, pages: number } | { fault: 'XFA' | 'BROKEN' }}
 */
export function saveCopy(reader, document) {
  const { pdfium } = reader;
  if (pdfium.FPDF_GetFormType(document) === XFA_FULL) return { fault: 'XFA' };
  const opened = openForm(reader, document);
  const pages = pdfium.FPDF_GetPageCount(document);
  // Loading a page makes the appearances of its fields.
  for (let index = 0; index < pages; index++)
    if (withPage(reader, opened, index, () => true) === null) return { fault: 'BROKEN' };
  const bytes = written(reader, document);
  return bytes ? { bytes, pages } : { fault: 'BROKEN' };
}

/**
 * The chunks are gathered outside of PDFium's memory, which is limited.
 * @param {Reader} reader
 * @param {number} document
 */
function written({ pdfium, memory }, document) {
  const { wasmExports, addFunction } = pdfium.pdfium;
  /** @type {Uint8Array[]} */
  const chunks = [];
  const writeBlock = addFunction(
    (/** @type {number} */ _, /** @type {number} */ from, /** @type {number} */ size) => {
      chunks.push(new Uint8Array(memory.buffer, from >>> 0, size >>> 0).slice());
      return 1;
    },
    'iiii',
  );
  // The struct FPDF_FILEWRITE: version and callback.
  const writer = wasmExports.malloc(8);
  new Uint32Array(memory.buffer, writer, 2).set([1, writeBlock]);
  if (!pdfium.FPDF_SaveAsCopy(document, writer, NOT_INCREMENTAL | WITHOUT_SECURITY)) return null;
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let position = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, position);
    position += chunk.length;
  }
  return bytes;
}
