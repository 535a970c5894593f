import { PDFArray, PDFDict, PDFRef, PDFStream } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFContext} PDFContext */
/** @typedef {import('@cantoo/pdf-lib').PDFObject} PDFObject */

/**
 * Deletes unreferenced objects, which the library would write: what was removed, and what was never part of the document.
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
  return object instanceof PDFDict ? object.values() : [];
}
