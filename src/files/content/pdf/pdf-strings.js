// Plain JavaScript, as everything that pdf-worker.js loads.
import { Parser } from 'htmlparser2';

/** @typedef {import('./pdf-file.js').Reader} Reader */

/** Bytes of one string; a longer one is not read. */
const MAX_BYTES = 2 ** 21;

/** Elements of XHTML after which a new line begins. */
const LINES = new Set(['p', 'br', 'div', 'li']);

/**
 * A string that PDFium writes as UTF-16 with a NUL behind it: `write` returns the number of bytes, and writes only where there
 * is room for all of them.
 * @param {Reader} reader
 * @param {(target: number, size: number) => number} write
 */
export function growingString({ pdfium, memory }, write) {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const size = write(0, 0);
  if (size <= 2 || size > MAX_BYTES) return '';
  const target = malloc(size);
  if (!target) return '';
  const written = write(target, size);
  const units = new Uint8Array(memory.buffer, target >>> 0, Math.min(written, size) - 2).slice();
  free(target);
  return new TextDecoder('utf-16le').decode(units);
}

/**
 * The value of an entry of an annotation: a string or a name, else nothing.
 * @param {Reader} reader
 * @param {number} annotation
 * @param {string} key
 */
export const annotationString = (reader, annotation, key) =>
  growingString(reader, (to, size) => reader.pdfium.FPDFAnnot_GetStringValue(annotation, key, to, size));

/** The text between the tags of rich text (ISO 32000-1 §12.7.3.4). @param {string} xhtml */
export function richText(xhtml) {
  let text = '';
  const add = (/** @type {string} */ part) => {
    text += part;
  };
  const endOfElement = (/** @type {string} */ name) => {
    if (LINES.has(name)) add('\n');
  };
  const parser = new Parser({ ontext: add, onclosetag: endOfElement }, { xmlMode: true });
  parser.end(xhtml);
  return text;
}
