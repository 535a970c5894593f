// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { init } from '@embedpdf/pdfium';
import { clearedPage } from './pdf-cleared-page.js';
import { openDocument } from './pdf-file.js';
import { drawnPage, openForm, withPage } from './pdf-page.js';
import { comparePages } from './pdf-page-compare.js';
import { readTexts } from './pdf-page-text.js';
import { saveCopy } from './pdf-save.js';

/** @typedef {import('./pdf-file.js').Reader} Reader */
/** @typedef {import('./pdf-file.js').Files & import('./pdf-workers.ts').PdfQuestion} Job */
/** @typedef {import('@embedpdf/pdfium').WrappedPdfiumModule} Pdfium */

const MIB = 2 ** 20;

/** Limit of PDFium's memory, against decompression bombs; the last growth may exceed it by a fifth. */
const MEMORY_LIMIT = 256 * MIB;

/** FPDF_ERR_PASSWORD */
const WRONG_PASSWORD = 4;

if (!parentPort) throw new Error('pdf-worker.js runs in a worker thread only');
const port = parentPort;
const compiled = new WebAssembly.Module(
  readFileSync(new URL(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))),
);

port.on('message', async (/** @type {Job} */ job) => {
  // A new instance for each file, so that a malicious file cannot affect others through the memory.
  const answer = answerOf(await instantiate(), job);
  port.postMessage({ answer }, buffersOf(answer));
});
port.postMessage('ready');

async function instantiate() {
  /** @type {any} */
  let memory;
  const pdfium = await init({
    print() {},
    printErr() {},
    instantiateWasm(/** @type {any} */ imports, /** @type {any} */ receive) {
      const grow = imports.env.emscripten_resize_heap;
      const resize = (/** @type {number} */ bytes) => (bytes >>> 0 > MEMORY_LIMIT ? 0 : grow(bytes));
      const env = { ...imports.env, emscripten_resize_heap: resize };
      const instance = new WebAssembly.Instance(compiled, { ...imports, env });
      memory = instance.exports.memory;
      receive(instance, compiled);
      return instance.exports;
    },
  });
  pdfium.PDFiumExt_Init();
  return { pdfium, memory: /** @type {WebAssembly.Memory} */ (memory) };
}

/** What is moved to the other thread, not copied. @param {ReturnType<typeof answerOf>} answer */
function buffersOf(answer) {
  if (answer && 'pixels' in answer) return [answer.pixels.buffer];
  return answer && 'bytes' in answer ? [answer.bytes.buffer] : [];
}

/** @param {Reader} reader @param {Job} job */
function answerOf(reader, job) {
  try {
    const document = openDocument(reader, job, 0);
    if ('count' in job) return countPages(reader, document);
    if ('save' in job) return document ? saveCopy(reader, document) : { fault: faultOf(reader) };
    if (!document) return null;
    if ('compare' in job) return compare(reader, document, job);
    return 'draw' in job ? drawPage(reader, document, job) : readTexts(reader, document, job);
  } catch {
    // WebAssembly trapped: the file exceeds the memory limit or the stack.
    return 'count' in job || 'save' in job ? { fault: /** @type {const} */ ('COSTLY') } : null;
  }
}

/** Why the document did not open. @param {Reader} reader */
const faultOf = ({ pdfium }) =>
  pdfium.FPDF_GetLastError() === WRONG_PASSWORD
    ? /** @type {const} */ ('LOCKED')
    : /** @type {const} */ ('BROKEN');

/** @param {Reader} reader @param {number} document */
function countPages(reader, document) {
  if (!document) return { fault: faultOf(reader) };
  // PDFium trusts the root's /Count, so check that the last page exists.
  const { pdfium } = reader;
  const pages = pdfium.FPDF_GetPageCount(document);
  const width = pdfium.pdfium.wasmExports.malloc(16);
  return pages > 0 && pdfium.FPDF_GetPageSizeByIndex(document, pages - 1, width, width + 8)
    ? { pages }
    : { fault: 'BROKEN' };
}

/** @param {Reader} reader @param {number} document @param {{ draw: number, width: number, as: string }} requested */
function drawPage(reader, document, { draw, width, as }) {
  const opened = openForm(reader, document);
  if (as === 'rest') return clearedPage(reader, opened, draw, width);
  return withPage(reader, opened, draw, (page) => drawnPage(reader, opened, page, { width }));
}

/** @param {Reader} reader @param {number} document @param {Job & { compare: import('./comparison.ts').Comparison }} job */
function compare(reader, document, job) {
  const other = openDocument(reader, job, 1);
  return other
    ? comparePages(reader, openForm(reader, document), openForm(reader, other), job.compare)
    : null;
}
