import { PDFArray, PDFDict, PDFName, PDFNumber } from '@cantoo/pdf-lib';

/** @typedef {import('@cantoo/pdf-lib').PDFObject} PDFObject */
/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {import('@cantoo/pdf-lib').PDFRef} PDFRef */

const name = PDFName.of;
const MAX_NODES = 100_000;

/**
 * Points the structure elements of a tagged page to its content in a form XObject (ISO 32000-2 §14.7.5), so that screen
 * readers still find it.
 * @param {PDFPage} page @param {PDFDict} form its dictionary @param {PDFRef} stream
 */
export function moveMarkedContent(page, form, stream) {
  const { node, doc } = page;
  const key = node.lookup(name('StructParents'));
  const root = doc.catalog.lookup(name('StructTreeRoot'));
  if (!(key instanceof PDFNumber) || !(root instanceof PDFDict)) return;
  const parents = inNumberTree(root.lookup(name('ParentTree')), key.asNumber());
  const elements =
    parents instanceof PDFArray ? parents.asArray().map((each) => doc.context.lookup(each)) : [];
  for (const element of new Set(elements)) if (element instanceof PDFDict) redirect(element, page, stream);
  form.set(name('StructParents'), key);
  node.delete(name('StructParents'));
}

/** @param {PDFDict} element @param {PDFPage} page @param {PDFRef} stream */
function redirect(element, page, stream) {
  const content = element.lookup(name('K'));
  const kids = content instanceof PDFArray ? content.asArray() : [element.get(name('K'))];
  const moved = kids.map((kid) => redirected(kid, { element, page, stream }) ?? kid);
  element.set(name('K'), element.context.obj(moved));
}

/** @param {PDFObject | undefined} kid @param {{ element: PDFDict, page: PDFPage, stream: PDFRef }} where */
function redirected(kid, { element, page, stream }) {
  const { context } = element;
  const value = kid && context.lookup(kid);
  const isReference = value instanceof PDFDict && value.lookup(name('Type')) === name('MCR');
  if (!(value instanceof PDFNumber) && !isReference) return undefined;
  const pageOf = (isReference && value.get(name('Pg'))) || element.get(name('Pg'));
  if (pageOf !== page.ref || (isReference && value.has(name('Stm')))) return undefined;
  const id = isReference ? value.get(name('MCID')) : value;
  return context.obj({ Type: 'MCR', Pg: page.ref, Stm: stream, ...(id && { MCID: id }) });
}

/** @param {PDFObject | undefined} root @param {number} key @returns {PDFObject | undefined} */
function inNumberTree(root, key) {
  const stack = [root];
  for (let left = MAX_NODES; stack.length > 0 && left > 0; left--) {
    const node = stack.pop();
    if (!(node instanceof PDFDict)) continue;
    const numbers = node.lookup(name('Nums'));
    for (let at = 0; numbers instanceof PDFArray && at + 1 < numbers.size(); at += 2) {
      const number = numbers.lookup(at);
      if (number instanceof PDFNumber && number.asNumber() === key) return numbers.lookup(at + 1);
    }
    const kids = node.lookup(name('Kids'));
    if (kids instanceof PDFArray) stack.push(...kids.asArray().map((_, index) => kids.lookup(index)));
  }
  return undefined;
}
