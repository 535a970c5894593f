import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef, PDFStream } from '@cantoo/pdf-lib';
import { appendContents } from './contents.js';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('@cantoo/pdf-lib').PDFPage} PDFPage */
/** @typedef {{ left: number, bottom: number, right: number, top: number }} Rectangle */
/** @typedef {[number, number, number, number, number, number]} Matrix */

// ISO 32000-1 §12.5.3, table 165.
const HIDDEN = 2;
const NO_ROTATE = 16;
const NO_VIEW = 32;
const PRINT_LOCKED = 4 + 64 + 128;

const name = PDFName.of;

/**
 * Makes what annotations and fields show part of the pages, so that every viewer and printer shows it, and nothing else;
 * removes what is not shown on a screen. Links stay, as do signatures, which sealing deals with.
 * @param {PDFDocument} pdf
 */
export async function flattenAnnotations(pdf) {
  for (const page of pdf.getPages()) await flattenPage(page);
  endFields(pdf);
}

/** @param {PDFPage} page */
async function flattenPage(page) {
  const { node } = page;
  const { context } = node;
  const annotations = node.lookup(name('Annots'));
  if (!(annotations instanceof PDFArray)) return;
  const kept = context.obj([]);
  /** @type {Record<'marks' | 'fields', import('./contents.js').Shown[]>} in the order in which PDFium draws them */
  const shownAs = { marks: [], fields: [] };
  for (const entry of annotations.asArray()) {
    const dict = context.lookup(entry);
    if (!(dict instanceof PDFDict)) continue;
    if (isSignature(dict)) {
      kept.push(entry);
      continue;
    }
    const shown = appearanceOf(page, dict);
    if (shown === 'turned') kept.push(entry);
    else if (shown) shownAs[nameIn(dict, 'Subtype') === 'Widget' ? 'fields' : 'marks'].push(shown);
    if (nameIn(dict, 'Subtype') === 'Link') kept.push(withoutLook(context, entry, dict));
  }
  if (kept.size() > 0) node.set(name('Annots'), kept);
  else node.delete(name('Annots'));
  await appendContents(page, [...shownAs.marks, ...shownAs.fields]);
}

/** A link shows nothing by itself: viewers differ in how they draw its border. */
function withoutLook(/** @type {any} */ context, /** @type {any} */ entry, /** @type {PDFDict} */ link) {
  for (const key of ['AP', 'BS', 'C', 'H']) link.delete(name(key));
  link.set(name('Border'), context.obj([0, 0, 0]));
  return entry;
}

/** @param {PDFDict} dict */
const isSignature = (dict) => nameIn(dict, 'Subtype') === 'Widget' && inherited(dict, 'FT') === name('Sig');

/** @param {PDFDict} dict @param {string} key */
function inherited(dict, key) {
  /** @type {any} */
  let field = dict;
  for (let depth = 0; field instanceof PDFDict && depth < 50; depth++) {
    const value = field.lookup(name(key));
    if (value) return value;
    field = field.lookup(name('Parent'));
  }
  return undefined;
}

/**
 * What an annotation shows, and where; undefined for nothing. 'turned': it keeps upright on a turned page, so it stays an
 * annotation, with nothing but its appearance.
 * @param {PDFPage} page @param {PDFDict} dict
 */
function appearanceOf(page, dict) {
  const flags = numberIn(dict, 'F');
  const ref = appearanceStream(dict);
  const stream = ref && dict.context.lookup(ref);
  if (!ref || !(stream instanceof PDFStream) || flags & (HIDDEN | NO_VIEW)) return undefined;
  if (nameIn(dict, 'Subtype') === 'Popup') return undefined;
  if (flags & NO_ROTATE && page.getRotation().angle % 360 !== 0) {
    for (const [key] of dict.entries())
      if (!['Type', 'Rect', 'P', 'F', 'AP', 'AS', 'OC'].includes(key.decodeText())) dict.delete(key);
    dict.set(name('Subtype'), name('Stamp'));
    dict.set(name('F'), PDFNumber.of(flags | PRINT_LOCKED));
    return 'turned';
  }
  stream.dict.set(name('Type'), name('XObject'));
  stream.dict.set(name('Subtype'), name('Form'));
  const matrix = placement(stream.dict, dict);
  return matrix && { shown: ref, matrix, layer: dict.get(name('OC')) };
}

/**
 * The normal appearance, of the state that the annotation has.
 * @param {PDFDict} dict @returns {PDFRef | undefined}
 */
function appearanceStream(dict) {
  const appearances = dict.lookup(name('AP'));
  if (!(appearances instanceof PDFDict)) return undefined;
  const normal = appearances.get(name('N'));
  const states = dict.context.lookup(normal);
  if (states instanceof PDFStream) return normal instanceof PDFRef ? normal : undefined;
  if (!(states instanceof PDFDict)) return undefined;
  const value = inherited(dict, 'V');
  const byValue = value instanceof PDFName && states.has(value) ? value : name('Off');
  const state = dict.lookup(name('AS'));
  const chosen = states.get(state instanceof PDFName ? state : byValue);
  return chosen instanceof PDFRef ? chosen : undefined;
}

/**
 * The matrix that fits the box of an appearance into the rectangle of its annotation (ISO 32000-1 §12.5.5, algorithm 8.1).
 * @param {PDFDict} form @param {PDFDict} dict
 * @returns {Matrix | undefined}
 */
function placement(form, dict) {
  const [box, target] = [rectangleIn(form, 'BBox'), rectangleIn(dict, 'Rect')];
  if (!box || !target) return undefined;
  const matrix = numbersIn(form, 'Matrix');
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix.length === 6 ? matrix : [];
  const corners = [box.left, box.right].flatMap((x) =>
    [box.bottom, box.top].map((y) => [a * x + c * y + e, b * x + d * y + f]),
  );
  const [xs, ys] = [corners.map(([x = 0]) => x), corners.map(([, y = 0]) => y)];
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - bottom];
  if (width === 0 || height === 0) return undefined;
  const [scaleX, scaleY] = [(target.right - target.left) / width, (target.top - target.bottom) / height];
  return [scaleX, 0, 0, scaleY, target.left - scaleX * left, target.bottom - scaleY * bottom];
}

/** @param {PDFDict} dict @param {string} key @returns {Rectangle | undefined} */
function rectangleIn(dict, key) {
  const [x1, y1, x2, y2] = numbersIn(dict, key);
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return undefined;
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
}

/** @param {PDFDict} dict @param {string} key */
function numbersIn(dict, key) {
  const list = dict.lookup(name(key));
  if (!(list instanceof PDFArray)) return [];
  return list.asArray().map((_, index) => {
    const each = list.lookup(index);
    return each instanceof PDFNumber ? each.asNumber() : 0;
  });
}

/** @param {PDFDict} dict @param {string} key */
function numberIn(dict, key) {
  const value = dict.lookup(name(key));
  return value instanceof PDFNumber ? value.asNumber() : 0;
}

/** @param {PDFDict} dict @param {string} key */
function nameIn(dict, key) {
  const value = dict.lookup(name(key));
  return value instanceof PDFName ? value.decodeText() : '';
}

/** Removes all fields but signatures: their values are part of the pages now. @param {PDFDocument} pdf */
function endFields({ catalog }) {
  catalog.delete(name('NeedsRendering'));
  if (!(catalog.lookup(name('AcroForm')) instanceof PDFDict)) return;
  const form = catalog.getOrCreateAcroForm();
  for (const key of ['NeedAppearances', 'XFA', 'CO']) form.dict.delete(name(key));
  const fields = form.getAllFields();
  for (const [field] of fields)
    if (field.getInheritableAttribute(name('FT')) !== name('Sig')) form.removeField(field);
  if (form.getAllFields().length === 0) catalog.delete(name('AcroForm'));
}
