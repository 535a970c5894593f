import { createInflate } from 'node:zlib';
import { decodePDFRawStream, PDFArray, PDFDict, PDFName, PDFNumber, PDFRawStream } from '@cantoo/pdf-lib';

const name = PDFName.of;

/** Of one stream, in bytes. */
const MAX_LENGTH = 128 * 2 ** 20;

/** The short names are for inline images only, but readers accept them (ISO 32000-2 §8.9.7, table 92). */
const FLATE = ['FlateDecode', 'Fl'];

/**
 * The decoded bytes of a content stream. Of compressed data that is broken, those before the fault, as readers draw them.
 * Throws for an unknown filter.
 * @param {PDFRawStream} stream
 * @returns {Promise<Uint8Array>}
 */
export async function decodedContent(stream) {
  const filters = listOf(stream.dict.lookup(name('Filter')));
  if (filters.length === 0) return stream.contents;
  const parameters = listOf(stream.dict.lookup(name('DecodeParms')));
  if (parameters.some(predicts)) throw new Error('the content of a page has a predictor');
  const [first] = filters;
  const isFlate = filters.length === 1 && first instanceof PDFName && FLATE.includes(first.decodeText());
  return isFlate ? inflated(stream.contents) : decodePDFRawStream(stream).decode();
}

/** @param {import('@cantoo/pdf-lib').PDFObject | undefined} value */
function listOf(value) {
  if (value instanceof PDFArray) return value.asArray().map((_, index) => value.lookup(index));
  return value ? [value] : [];
}

/** @param {import('@cantoo/pdf-lib').PDFObject | undefined} parameters */
function predicts(parameters) {
  const predictor = parameters instanceof PDFDict ? parameters.lookup(name('Predictor')) : undefined;
  return predictor instanceof PDFNumber && predictor.asNumber() > 1;
}

/** @param {Uint8Array} compressed @returns {Promise<Uint8Array>} */
function inflated(compressed) {
  return new Promise((resolve, reject) => {
    /** @type {Buffer[]} */
    const chunks = [];
    let length = 0;
    const inflate = createInflate();
    inflate.on('data', (chunk) => {
      length += chunk.length;
      if (length > MAX_LENGTH) inflate.destroy(new Error('the content of a page is too long'));
      else chunks.push(chunk);
    });
    const isFault = (/** @type {NodeJS.ErrnoException} */ { code }) => code?.startsWith('Z_');
    inflate.on('error', (error) => (isFault(error) ? resolve(Buffer.concat(chunks)) : reject(error)));
    inflate.on('end', () => resolve(Buffer.concat(chunks)));
    inflate.end(compressed);
  });
}
