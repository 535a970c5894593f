// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { init } from '@embedpdf/pdfium';

/** @typedef {{ size: number, shared: SharedArrayBuffer }} Job length in bytes; 4 bytes of state, then one block */

const MIB = 2 ** 20;

/** Where PDFium's memory stops growing; the last step may overshoot by a fifth. A decompression bomb ends here. */
const MEMORY_LIMIT = 256 * MIB;
const WORN_OVER = 64 * MIB;
const CACHED_BLOCKS = 32;
const WAITING = -1;

if (!parentPort) throw new Error('pdf-worker.js runs in a worker thread only');
const port = parentPort;
const compiled = new WebAssembly.Module(
  readFileSync(new URL(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm'))),
);

port.on('message', async (/** @type {Job} */ job) => {
  // A new instance for each file: what a hostile one did to its memory reaches no other.
  const { pdfium, memory } = await instantiate();
  const pages = pagesOrNull(pdfium, memory, job);
  port.postMessage({ pages, worn: memory.buffer.byteLength > WORN_OVER });
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
 * @param {import('@embedpdf/pdfium').WrappedPdfiumModule} pdfium
 * @param {WebAssembly.Memory} memory
 * @param {Job} job
 */
function pagesOrNull(pdfium, memory, job) {
  try {
    return countPages(pdfium, memory, job);
  } catch {
    return null; // a trap of the WebAssembly, most often for want of memory
  }
}

/**
 * @param {import('@embedpdf/pdfium').WrappedPdfiumModule} pdfium
 * @param {WebAssembly.Memory} memory
 * @param {Job} job
 */
function countPages(pdfium, memory, job) {
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
  const document = pdfium.FPDF_LoadCustomDocument(access, '');
  if (!document) return null;
  // PDFium believes the root's /Count: it is true only if the last page is there.
  const pages = pdfium.FPDF_GetPageCount(document);
  const width = wasmExports.malloc(16);
  return pages > 0 && pdfium.FPDF_GetPageSizeByIndex(document, pages - 1, width, width + 8) ? pages : null;
}

/**
 * Reads from the job's file through the other thread, which this one sleeps for: PDFium's callback cannot wait.
 * @param {Job} job
 */
function blockReader({ size, shared }) {
  const state = new Int32Array(shared, 0, 1);
  const block = new Uint8Array(shared, 4);
  /** @type {Map<number, Uint8Array>} the blocks asked for last, oldest first */
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
