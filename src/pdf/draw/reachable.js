import { PDFArray, PDFDict, PDFInvalidObject, PDFRef, PDFStream } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFContext} PDFContext */
/** @typedef {import('@cantoo/pdf-lib').PDFObject} PDFObject */

/**
 * Deletes unreferenced objects: those of earlier revisions of the file (ISO 32000-1 §7.5.6), object streams, and page contents
 * that were replaced. The library would write all objects that it has read.
 * @param {PDFContext} context
 */
export function deleteUnreachable(context) {
  /** @type {Set<PDFRef>} */
  const reachable = new Set();
  const { Root, Info } = context.trailerInfo;
  /** @type {PDFObject[]} */
  const stack = [Root, Info].filter((each) => each !== undefined);
  for (let object = stack.pop(); object; object = stack.pop()) {
    if (!(object instanceof PDFRef)) {
      stack.push(...valuesOf(object));
      continue;
    }
    if (reachable.has(object)) continue;
    reachable.add(object);
    const target = context.lookup(object);
    if (target) stack.push(target);
  }
  for (const [ref] of context.enumerateIndirectObjects()) if (!reachable.has(ref)) context.delete(ref);
}

/** The values and references within an object. @param {PDFObject} object @returns {PDFObject[]} */
function valuesOf(object) {
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
