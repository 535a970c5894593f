// Plain JavaScript without Node, so that it also runs in a browser.

import { readReferences, requireObject, requireReference } from './cross-references.js';
import { nextNumber, Update } from './incremental-update.js';
import { arrayAt, bytesOf, dictionaryAt, fail, referenceAt, textOf } from './object-syntax.js';

/** @typedef {import('./cross-references.js').References} References */
/** @typedef {{ start: number, end: number }} Range */

/** An array of the file, and the object that has it. @typedef {{ number: number, array: ReturnType<typeof arrayAt> }} Found */

/** Print and Locked (ISO 32000-2 §12.5.3, table 167). */
const ANNOTATION_FLAGS = 4 + 128;

const RANGE_WIDTH = '[ 0 9999999999 9999999999 9999999999 ]'.length;

/**
 * Appends an update with a document time-stamp (ISO 32000-2 §12.8.5, ETSI EN 319 142-1 §5.4.3) to a file that `seal` wrote, or
 * this function: the signature, its field and widget on the page of the last field, and nothing else. It is written alike for
 * the same file and length. The signature has its byte range, and zeros in place of the token, which is over all bytes but
 * `hole`: from the `<` to after the `>`. `stampBytes`: the room for the token in DER. Throws RangeError for any other file.
 * @param {Uint8Array} file @param {number} stampBytes
 * @returns {{ bytes: Uint8Array<ArrayBuffer>, hole: Range }}
 */
export function addStampRoom(file, stampBytes) {
  if (!Number.isSafeInteger(stampBytes) || stampBytes < 1) throw new RangeError('not a number of bytes');
  const references = readReferences(file);
  const signature = nextNumber(references, 2);
  const widget = signature + 1;
  const { fields, annotations, page } = findForm(references);
  const update = new Update(file);
  for (const owner of [fields, annotations].sort((a, b) => a.number - b.number))
    update.addObject(owner.number, withReference(references, owner, widget));
  const range = update.addObject(
    signature,
    `${SIGNATURE}${' '.repeat(RANGE_WIDTH)} /Contents <${'0'.repeat(2 * stampBytes)}> >>`,
  );
  const name = `Timestamp ${fields.array.count}`;
  update.addObject(widget, widgetOf(name, page, signature));
  update.addTable(references, widget + 1);
  const start = range + SIGNATURE.length + RANGE_WIDTH + ' /Contents '.length;
  const hole = { start, end: start + 2 * stampBytes + 2 };
  const bytes = update.finish();
  const byteRange = `[ 0 ${start} ${hole.end} ${bytes.length - hole.end} ]`.padEnd(RANGE_WIDTH);
  bytes.set(bytesOf(byteRange), range + SIGNATURE.length);
  return { bytes, hole };
}

const SIGNATURE = '<< /Type /DocTimeStamp /Filter /Adobe.PPKLite /SubFilter /ETSI.RFC3161 /ByteRange ';

/** @param {string} name @param {number} page @param {number} signature */
const widgetOf = (name, page, signature) =>
  `<< /Type /Annot /Subtype /Widget /FT /Sig /T (${name}) /Rect [ 0 0 0 0 ] /F ${ANNOTATION_FLAGS} /P ${page} 0 R /V ${signature} 0 R >>`;

/**
 * Writes a token or a signature into the space reserved for it, followed by zeros. Throws RangeError if it is larger.
 * @param {Uint8Array} bytes @param {Range} hole @param {Uint8Array} token
 */
export function fillRoom(bytes, { start, end }, token) {
  if (2 * token.length > end - start - 2)
    throw new RangeError('the signature is larger than the reserved space');
  bytes.fill(ZERO, start + 1, end - 1);
  for (const [index, byte] of token.entries())
    bytes.set(bytesOf(byte.toString(16).padStart(2, '0')), start + 1 + 2 * index);
}

const ZERO = '0'.charCodeAt(0);

/**
 * The fields of the form, the annotations of the page that has the last of them, and the number of that page.
 * @param {References} references
 */
function findForm(references) {
  const { file, newest } = references;
  const root = requireReference(file, newest.values, 'Root');
  const form = follow(references, { number: root, at: requireObject(references, root).start }, 'AcroForm');
  const fields = arrayOf(references, follow(references, form, 'Fields'));
  const last = fields.array.last === undefined ? undefined : referenceAt(file, fields.array.last);
  if (!last) return fail(fields.array.close, 'the form has no signature');
  const widget = dictionaryAt(file, requireObject(references, last.number).start);
  const page = requireReference(file, widget.values, 'P');
  const start = requireObject(references, page).start;
  const annotations = arrayOf(references, follow(references, { number: page, at: start }, 'Annots'));
  if (annotations.number === fields.number)
    return fail(start, 'one object with the fields and the annotations');
  return { fields, annotations, page };
}

/**
 * The value of a key, in the same object or in one of its own.
 * @param {References} references @param {{ number: number, at: number }} dictionary @param {string} key
 */
function follow(references, { number, at }, key) {
  const { file } = references;
  const value = dictionaryAt(file, at).values.get(key) ?? fail(at, `there is no ${key}`);
  const reference = referenceAt(file, value);
  if (!reference) return { number, at: value };
  return { number: reference.number, at: requireObject(references, reference.number).start };
}

/** @param {References} references @param {{ number: number, at: number }} found @returns {Found} */
const arrayOf = ({ file }, { number, at }) => ({ number, array: arrayAt(file, at) });

/**
 * An object as it is in the file, with a reference more in one of its arrays.
 * @param {References} references @param {Found} found @param {number} referred
 */
function withReference(references, { number, array }, referred) {
  const { file } = references;
  const { start, end } = requireObject(references, number);
  const separator = file[array.close - 1] === ' '.charCodeAt(0) ? '' : ' ';
  return `${textOf(file, start, array.close)}${separator}${referred} 0 R ${textOf(file, array.close, end)}`;
}
