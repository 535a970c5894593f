import { PDFArray, PDFDict, PDFInvalidObject, PDFRef, PDFStream } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFContext} PDFContext */
/** @typedef {import('@cantoo/pdf-lib').PDFObject} PDFObject */

/**
 * Deletes the objects that nothing refers to: of earlier revisions of the file (ISO 32000-1 §7.5.6), and the streams that
 * objects were packed in. The library writes all that it has read.
 * @param {PDFContext} context
 */
export function deleteUnreachable(context) {
  /** @type {Set<PDFRef>} */
  const reached = new Set();
  const { Root, Info } = context.trailerInfo;
  /** @type {PDFObject[]} */
  const stack = [Root, Info].filter((each) => each !== undefined);
  for (let object = stack.pop(); object; object = stack.pop()) {
    if (!(object instanceof PDFRef)) {
      stack.push(...directly(object));
      continue;
    }
    if (reached.has(object)) continue;
    reached.add(object);
    const target = context.lookup(object);
    if (target) stack.push(target);
  }
  for (const [ref] of context.enumerateIndirectObjects()) if (!reached.has(ref)) context.delete(ref);
}

/** What an object holds or refers to. @param {PDFObject} object @returns {PDFObject[]} */
function directly(object) {
  if (object instanceof PDFArray) return object.asArray();
  if (object instanceof PDFStream) return object.dict.values();
  if (object instanceof PDFDict) return object.values();
  return object instanceof PDFInvalidObject ? referencesIn(object) : [];
}

/** @param {PDFInvalidObject} object */
function referencesIn(object) {
  const bytes = Buffer.alloc(object.sizeInBytes());
  object.copyBytesInto(bytes, 0);
  return [...bytes.toString('latin1').matchAll(/(\d{1,10})\s+(\d{1,5})\s+R\b/g)].map(
    ([, number, generation]) => PDFRef.of(Number(number), Number(generation)),
  );
}
