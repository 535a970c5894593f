// Plain JavaScript without Node, so that it also runs in a browser.

import { TAG, wholeElement } from '../../lib/der.js';
import { readReferences, requireObject, requireReference } from './cross-references.js';
import { nextNumber, Update } from './incremental-update.js';
import { dictionaryAt, fail, textOf } from './object-syntax.js';

/**
 * What a signature is checked with when its authorities no longer answer, each in DER: certificates, OCSPResponse (RFC 6960
 * §4.2.1) and CertificateList (RFC 5280 §5.1).
 * @typedef {{ certificates: readonly Uint8Array[], ocsp: readonly Uint8Array[], crls: readonly Uint8Array[] }} ValidationData
 */

/** The arrays of a DSS (ISO 32000-2 §12.8.4.3, table 261), in the order in which they are written, and what has their content. */
export const STORE_ARRAYS = /** @type {const} */ ([
  ['Certs', 'certificates'],
  ['OCSPs', 'ocsp'],
  ['CRLs', 'crls'],
]);

/**
 * Appends an update with a document security store (DSS, ISO 32000-2 §12.8.4.3, ETSI EN 319 142-1 §5.4.2) to a file that `seal`
 * wrote, or `addStampRoom`: a stream for each blob, the DSS, and the catalog with it, and nothing else. It is written alike for
 * the same file and data. Throws RangeError for any other file, for one that has a DSS, and for a blob that is not one SEQUENCE
 * in DER.
 * @param {Uint8Array} file @param {ValidationData} data @returns {Uint8Array<ArrayBuffer>}
 */
export function addValidationData(file, data) {
  const references = readReferences(file);
  const blobs = STORE_ARRAYS.flatMap(([, member]) => data[member]);
  if (blobs.length === 0) throw new RangeError('there is no validation data');
  const first = nextNumber(references, blobs.length + 1);
  const store = first + blobs.length;
  const catalog = withStore(references, store);
  const update = new Update(file);
  for (const [index, blob] of blobs.entries()) update.addObject(first + index, streamOf(blob));
  update.addObject(store, storeOf(data, first));
  update.addObject(catalog.number, catalog.value);
  update.addTable(references, store + 1);
  return update.finish();
}

/** @param {Uint8Array} blob */
function streamOf(blob) {
  if (wholeElement(blob).tag !== TAG.sequence) throw new RangeError('DER: a sequence was expected');
  return `<< /Length ${blob.length} >>\nstream\n${textOf(blob, 0, blob.length)}\nendstream`;
}

/** @param {ValidationData} data @param {number} first number of the first stream */
function storeOf(data, first) {
  let number = first;
  const arrays = STORE_ARRAYS.filter(([, member]) => data[member].length > 0).map(
    ([key, member]) => `/${key} [ ${data[member].map(() => `${number++} 0 R `).join('')}] `,
  );
  return `<< /Type /DSS ${arrays.join('')}>>`;
}

/** The catalog as it is in the file, with a DSS. @param {import('./cross-references.js').References} references @param {number} store */
function withStore(references, store) {
  const { file, newest } = references;
  const number = requireReference(file, newest.values, 'Root');
  const { start, end } = requireObject(references, number);
  const { values } = dictionaryAt(file, start);
  if (!values.has('AcroForm')) fail(start, 'the file has no form, and so no signature');
  if (values.has('DSS')) fail(start, 'the catalog has a DSS');
  return { number, value: `${textOf(file, start, end - 2)} /DSS ${store} 0 R >>` };
}
