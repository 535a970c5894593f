// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { init } from '@embedpdf/pdfium';
import { readTexts } from './pdf-page-text.js';

/** @typedef {{ size: number, shared: SharedArrayBuffer }} File length in bytes; 4 bytes of state, then one block */
/** @typedef {File & import('./pdf-workers.ts').PdfQuestion} Job */
/** @typedef {import('@embedpdf/pdfium').WrappedPdfiumModule} Pdfium */

const MIB = 2 ** 20;

/** Limit of PDFium's memory, against decompression bombs; the last growth may exceed it by a fifth. */
const MEMORY_LIMIT = 256 * MIB;
const CACHED_BLOCKS = 32;
const WAITING = -1;

/** Of a drawn page; a page that would exceed it is drawn narrower. */
const MAX_PIXELS = 12_000_000;
/** In pixels; WebP allows 16,383. */
const MAX_SIDE = 16_000;

// From fpdfview.h: annotations and filled fields are drawn too, and red comes first.
const ANNOTATIONS = 0x01;
const RED_FIRST = 0x10;
const WHITE = 0xff_ff_ff_ff;
/** FPDF_ERR_PASSWORD */
const WRONG_PASSWORD = 4;

if (!parentPort) throw new Error('pdf-worker.js runs in a worker thread only');
const port = parentPort;
const compiled = new WebAssembly.Module(
  readFileSync(new URL(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))),
);

port.on('message', async (/** @type {Job} */ job) => {
  // A new instance for each file, so that a malicious file cannot affect others through the memory.
  const { pdfium, memory } = await instantiate();
  const answer = answerOf(pdfium, memory, job);
  port.postMessage({ answer }, answer && 'pixels' in answer ? [answer.pixels.buffer] : []);
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

/**
 * @param {Pdfium} pdfium
 * @param {WebAssembly.Memory} memory
 * @param {Job} job
 */
function answerOf(pdfium, memory, job) {
  try {
    const document = openDocument(pdfium, memory, job);
    if ('count' in job) return countPages(pdfium, document);
    if (!document) return null;
    return 'draw' in job ? drawPage(pdfium, memory, document, job) : readTexts(pdfium, memory, document, job);
  } catch {
    // WebAssembly trapped: the file exceeds the memory limit or the stack.
    return 'count' in job ? { fault: 'COSTLY' } : null;
  }
}

/**
 * The handle of the document, 0 when PDFium cannot open it.
 * @param {Pdfium} pdfium
 * @param {WebAssembly.Memory} memory
 * @param {Job} job
 */
function openDocument(pdfium, memory, job) {
  const { wasmExports, addFunction } = pdfium.pdfium;
  const copy = blockReader(job);
  const getBlock = addFunction(
    (
      /** @type {number} */ _,
      /** @type {number} */ from,
      /** @type {number} */ to,
      /** @type {number} */ size,
    ) => (copy(from >>> 0, new Uint8Array(memory.buffer, to >>> 0, size >>> 0)) ? 1 : 0),
    'iiiii',
  );
  // The struct FPDF_FILEACCESS: length, callback, and the parameter that the callback does not need.
  const access = wasmExports.malloc(12);
  new Uint32Array(memory.buffer, access, 3).set([job.size, getBlock, 0]);
  return pdfium.FPDF_LoadCustomDocument(access, '');
}

/**
 * @param {Pdfium} pdfium
 * @param {number} document
 */
function countPages(pdfium, document) {
  if (!document) return { fault: pdfium.FPDF_GetLastError() === WRONG_PASSWORD ? 'LOCKED' : 'BROKEN' };
  // PDFium trusts the root's /Count, so check that the last page exists.
  const pages = pdfium.FPDF_GetPageCount(document);
  const width = pdfium.pdfium.wasmExports.malloc(16);
  return pages > 0 && pdfium.FPDF_GetPageSizeByIndex(document, pages - 1, width, width + 8)
    ? { pages }
    : { fault: 'BROKEN' };
}

/**
 * @param {Pdfium} pdfium
 * @param {WebAssembly.Memory} memory
 * @param {number} document
 * @param {{ draw: number, width: number }} requested
 */
function drawPage(pdfium, memory, document, requested) {
  const page = pdfium.FPDF_LoadPage(document, requested.draw);
  if (!page) return null;
  const { width, height } = pictureSize(
    pdfium.FPDF_GetPageWidthF(page),
    pdfium.FPDF_GetPageHeightF(page),
    requested.width,
  );
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
  if (!bitmap) return null;
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, ANNOTATIONS | RED_FIRST);
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0;
  return { width, height, pixels: new Uint8Array(memory.buffer, start, width * height * 4).slice() };
}

/** @param {number} pageWidth @param {number} pageHeight @param {number} requestedWidth */
function pictureSize(pageWidth, pageHeight, requestedWidth) {
  const shape = pageHeight / pageWidth;
  const width = Math.min(requestedWidth, Math.floor(Math.sqrt(MAX_PIXELS / shape)));
  return { width: Math.max(width, 1), height: Math.min(Math.max(Math.round(width * shape), 1), MAX_SIDE) };
}

/**
 * Reads the job's file through the other thread, and blocks until it responds: PDFium's callback is synchronous.
 * @param {File} job
 */
function blockReader({ size, shared }) {
  const state = new Int32Array(shared, 0, 1);
  const block = new Uint8Array(shared, 4);
  /** @type {Map<number, Uint8Array>} the last requested blocks, oldest first */
  const cache = new Map();

  const fetchBlock = (/** @type {number} */ index) => {
    Atomics.store(state, 0, WAITING);
    port.postMessage({ block: index });
    Atomics.wait(state, 0, WAITING);
    return block.slice(0, Atomics.load(state, 0));
  };

  const blockAt = (/** @type {number} */ index) => {
    const bytes = cache.get(index) ?? fetchBlock(index);
    cache.delete(index);
    cache.set(index, bytes);
    if (cache.size > CACHED_BLOCKS) cache.delete(/** @type {number} */ (cache.keys().next().value));
    return bytes;
  };

  /** Fills `target` with the bytes from `position` on; false when the file ends before. */
  return (/** @type {number} */ position, /** @type {Uint8Array} */ target) => {
    if (position + target.length > size) return false;
    for (let done = 0; done < target.length; ) {
      const offset = (position + done) % block.length;
      const index = (position + done - offset) / block.length;
      const part = blockAt(index).subarray(offset, offset + target.length - done);
      if (part.length === 0) return false;
      target.set(part, done);
      done += part.length;
    }
    return true;
  };
}
