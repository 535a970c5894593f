// Plain JavaScript, as everything that pdf-worker.js loads.
import { parentPort } from 'node:worker_threads';

/** @typedef {import('@embedpdf/pdfium').WrappedPdfiumModule} Pdfium */
/** @typedef {{ pdfium: Pdfium, memory: WebAssembly.Memory }} Reader */
/** @typedef {{ sizes: number[], shared: SharedArrayBuffer }} Files lengths in bytes; 4 bytes of state, then one block */

const CACHED_BLOCKS = 32;
const WAITING = -1;

/**
 * The handle of a document, 0 when PDFium cannot open it.
 * @param {Reader} reader
 * @param {Files} files
 * @param {number} file which of them
 */
export function openDocument({ pdfium, memory }, files, file) {
  const { wasmExports, addFunction } = pdfium.pdfium;
  const copy = blockReader(files, file);
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
  new Uint32Array(memory.buffer, access, 3).set([files.sizes[file] ?? 0, getBlock, 0]);
  return pdfium.FPDF_LoadCustomDocument(access, '');
}

/**
 * Reads a file of the job through the other thread, and blocks until it responds: PDFium's callback is synchronous.
 * @param {Files} files
 * @param {number} file
 */
function blockReader({ sizes, shared }, file) {
  const size = sizes[file] ?? 0;
  const state = new Int32Array(shared, 0, 1);
  const block = new Uint8Array(shared, 4);
  /** @type {Map<number, Uint8Array>} the last requested blocks, oldest first */
  const cache = new Map();

  const fetchBlock = (/** @type {number} */ index) => {
    Atomics.store(state, 0, WAITING);
    parentPort?.postMessage({ block: index, file });
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
