// Plain JavaScript, as everything that pdf-worker.js loads.
import { MAX_ANNOTATIONS, readAnnotations } from './pdf-annotations.js';
import { characterAt } from './pdf-characters.js';

/** @typedef {import('./pdf-file.js').Reader} Reader */
/** @typedef {import('./pdf-page.js').Opened} Opened */

// From fpdf_flatten.h and fpdf_edit.h.
const AS_SHOWN = 0;
const FORM_OBJECT = 5;

const MAX_DEPTH = 16;

/** Milliseconds for the annotations of one page. */
const TIME = 2_000;

/**
 * The text of the annotations of a page (from 0): what their appearances show, then what is stored and not shown so, such as
 * the text of a note, or a value of which only a part fits into its field. Each begins a line.
 * @param {Reader} reader
 * @param {Opened} opened
 * @param {number} index
 * @param {number} most number of characters after which no more is read
 */
export function annotationText(reader, opened, index, most) {
  /** @type {string[]} */
  const stored = [];
  const end = Date.now() + TIME;
  let room = most;
  const first = flattenPage(reader, opened, index, (text) => {
    stored.push(text);
    room -= text.length;
    return room > 0 && Date.now() < end;
  });
  const shown = appearanceTexts(reader, opened, index, first);
  return [...shown, ...missingIn(shown, stored, end)].join('\n');
}

/**
 * Makes the appearances of the annotations a part of the page, in memory, so that it has them when it is loaded again, and
 * reads what is stored in them. Returns the number of objects of the page before.
 *
 * The page is loaded without its form: that would make appearances that are missing, of the values that are read anyway.
 * @param {Reader} reader
 * @param {Opened} opened
 * @param {number} index
 * @param {(text: string) => boolean} [add]
 */
export function flattenPage(reader, { document, form }, index, add = () => true) {
  const { pdfium } = reader;
  const page = pdfium.FPDF_LoadPage(document, index);
  const objects = pdfium.FPDFPage_CountObjects(page);
  readAnnotations(reader, form, page, add);
  if (pdfium.FPDFPage_GetAnnotCount(page) <= MAX_ANNOTATIONS) pdfium.FPDFPage_Flatten(page, AS_SHOWN);
  pdfium.FPDF_ClosePage(page);
  return objects;
}

/** Those of the texts whose words are not in the ones that are shown, nor in one before. @param {string[]} shown @param {string[]} stored @param {number} end */
function missingIn(shown, stored, end) {
  let all = ` ${wordsOf(shown.join(' '))} `;
  return stored.filter((text) => {
    const words = wordsOf(text);
    if (words === '' || Date.now() > end || all.includes(` ${words} `)) return false;
    all += `${words} `;
    return true;
  });
}

const wordsOf = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim();

/**
 * The text of each appearance of a flattened page, whose objects are behind the `first` ones.
 * @param {Reader} reader
 * @param {Opened} opened
 * @param {number} index
 * @param {number} first
 */
function appearanceTexts({ pdfium }, { document }, index, first) {
  const page = pdfium.FPDF_LoadPage(document, index);
  const owners = page && ownersOf(pdfium, page, first);
  const text = owners && owners.size > 0 && pdfium.FPDFText_LoadPage(page);
  const texts = text ? textsByOwner(pdfium, text, owners) : [];
  if (text) pdfium.FPDFText_ClosePage(text);
  if (page) pdfium.FPDF_ClosePage(page);
  return texts;
}

/**
 * The objects of the appearances, each with the number of its appearance: flattening adds one object that has all of them.
 * @param {Reader['pdfium']} pdfium
 * @param {number} page
 * @param {number} first
 */
function ownersOf(pdfium, page, first) {
  /** @type {Map<number, number>} */
  const owners = new Map();
  const visit = (/** @type {number} */ object, /** @type {number} */ owner, /** @type {number} */ depth) => {
    owners.set(object, owner);
    if (depth === MAX_DEPTH || pdfium.FPDFPageObj_GetType(object) !== FORM_OBJECT) return;
    const count = pdfium.FPDFFormObj_CountObjects(object);
    for (let part = 0; part < count; part++)
      visit(pdfium.FPDFFormObj_GetObject(object, part), depth === 0 ? part : owner, depth + 1);
  };
  for (let index = first; index < pdfium.FPDFPage_CountObjects(page); index++)
    visit(pdfium.FPDFPage_GetObject(page, index), 0, 0);
  return owners;
}

/** @param {Reader['pdfium']} pdfium @param {number} text @param {Map<number, number>} owners */
function textsByOwner(pdfium, text, owners) {
  /** @type {string[]} */
  const texts = [];
  const count = pdfium.FPDFText_CountChars(text);
  /** @type {number | undefined} */
  let owner;
  for (let index = 0; index < count; index++) {
    // Blanks and ends of lines that PDFium adds are of no object.
    const object = pdfium.FPDFText_GetTextObject(text, index);
    if (object) owner = owners.get(object);
    if (owner === undefined) continue;
    texts[owner] = (texts[owner] ?? '') + characterAt(pdfium, text, index);
  }
  return texts.map((each) => each.trim()).filter(Boolean);
}
