// Plain JavaScript, as everything that pdf-worker.js loads.
import { annotationString, growingString, richText } from './pdf-strings.js';

/** @typedef {import('./pdf-file.js').Reader} Reader */

// From fpdf_annot.h and ISO 32000-1 §12.5.3.
const HIDDEN = 1 << 1;
const NO_VIEW = 1 << 5;
const SUBTYPE = { text: 1, popup: 16, stamp: 13, file: 17, widget: 20 };

// From fpdf_formfill.h and ISO 32000-1 §12.7.4.3.
const FIELD = { checkBox: 2, radioButton: 3, comboBox: 4, listBox: 5 };
const PASSWORD = 1 << 13;

/** Annotations of a page that are read, their options, and the longest chain of replies. */
export const MAX_ANNOTATIONS = 5_000;
const MAX_OPTIONS = 1_000;
const MAX_REPLIES = 32;

/** What a reader draws for a stamp without an appearance (ISO 32000-1 §12.5.6.12). */
const STAMP =
  /^(Approved|Experimental|NotApproved|AsIs|Expired|NotForPublicRelease|Confidential|Final|Sold|Departmental|ForComment|TopSecret|Draft|ForPublicRelease)$/;

/**
 * The texts of the annotations of a page as they are stored: values of fields, as a person sees them, and comments. Hides
 * what is not to be read from the appearances: passwords, and the marks of check boxes and radio buttons.
 *
 * Not read: annotations that are hidden, not shown on screens, or without any area; pop-up windows, whose text is that of
 * their parent. A reply is shown with what it replies to, so its own flags do not count (Acrobat hides all of them); one
 * that only sets a state ("Accepted") is not read.
 * @param {Reader} reader
 * @param {number} form
 * @param {number} page
 * @param {(text: string) => boolean} add false when there is no room for more
 */
export function readAnnotations(reader, form, page, add) {
  const { pdfium } = reader;
  const count = Math.min(pdfium.FPDFPage_GetAnnotCount(page), MAX_ANNOTATIONS);
  for (let index = 0, goesOn = true; index < count && goesOn; index++) {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index);
    if (!annotation) continue;
    for (const text of textsOf(reader, form, annotation)) goesOn = goesOn && add(text);
    pdfium.FPDFPage_CloseAnnot(annotation);
  }
}

/** @param {Reader} reader @param {number} form @param {number} annotation @returns {string[]} */
function textsOf(reader, form, annotation) {
  const { pdfium } = reader;
  const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
  if (subtype === SUBTYPE.popup) return [];
  if (!isShown(reader, annotation)) return hidden(reader, annotation);
  if (subtype === SUBTYPE.widget) return fieldTexts(reader, form, annotation);
  const rich = growingString(reader, (to, size) => pdfium.EPDFAnnot_GetRichContent(annotation, to, size));
  return [
    ...(subtype === SUBTYPE.file ? fileTexts(reader, annotation) : []),
    ...(subtype === SUBTYPE.stamp ? stampTexts(reader, annotation) : []),
    annotationString(reader, annotation, 'Contents'),
    richText(rich),
  ];
}

/** Has no text, and shows none. @param {Reader} reader @param {number} annotation @returns {string[]} */
function hidden({ pdfium }, annotation) {
  pdfium.FPDFAnnot_SetFlags(annotation, pdfium.FPDFAnnot_GetFlags(annotation) | HIDDEN);
  return [];
}

/** @param {Reader} reader @param {number} annotation */
function isShown(reader, annotation) {
  const { pdfium } = reader;
  let shown = annotation;
  for (let depth = 0; isReply(reader, shown); depth++) {
    const isState = annotationString(reader, shown, 'StateModel') !== '';
    const parent = isState || depth === MAX_REPLIES ? 0 : pdfium.FPDFAnnot_GetLinkedAnnot(shown, 'IRT');
    if (shown !== annotation) pdfium.FPDFPage_CloseAnnot(shown);
    if (!parent) return false;
    shown = parent;
  }
  const isVisible = (pdfium.FPDFAnnot_GetFlags(shown) & (HIDDEN | NO_VIEW)) === 0;
  const hasPlace = pdfium.FPDFAnnot_GetSubtype(shown) === SUBTYPE.text || hasArea(reader, shown);
  if (shown !== annotation) pdfium.FPDFPage_CloseAnnot(shown);
  return isVisible && hasPlace;
}

/** Members of a group have flags of their own. @param {Reader} reader @param {number} annotation */
const isReply = (reader, annotation) =>
  reader.pdfium.FPDFAnnot_HasKey(annotation, 'IRT') && annotationString(reader, annotation, 'RT') !== 'Group';

/** @param {Reader} reader @param {number} annotation */
function hasArea({ pdfium, memory }, annotation) {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const room = malloc(16);
  const hasRectangle = pdfium.FPDFAnnot_GetRect(annotation, room);
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(memory.buffer, room, 4);
  free(room);
  return hasRectangle && left !== right && top !== bottom;
}

/** @param {Reader} reader @param {number} form @param {number} widget @returns {string[]} */
function fieldTexts(reader, form, widget) {
  const { pdfium } = reader;
  const type = pdfium.FPDFAnnot_GetFormFieldType(form, widget);
  const isMark = type === FIELD.checkBox || type === FIELD.radioButton;
  const isPassword = (pdfium.FPDFAnnot_GetFormFieldFlags(form, widget) & PASSWORD) !== 0;
  if (isMark || isPassword) return hidden(reader, widget);
  const selected = type === FIELD.comboBox || type === FIELD.listBox ? labels(reader, form, widget) : [];
  if (selected.length > 0) return selected;
  return [growingString(reader, (to, size) => pdfium.FPDFAnnot_GetFormFieldValue(form, widget, to, size))];
}

/** The selected options as they are shown, not as they are exported. @param {Reader} reader @param {number} form @param {number} widget */
function labels(reader, form, widget) {
  const { pdfium } = reader;
  const count = Math.min(pdfium.FPDFAnnot_GetOptionCount(form, widget), MAX_OPTIONS);
  const selected = [];
  for (let option = 0; option < count; option++)
    if (pdfium.FPDFAnnot_IsOptionSelected(form, widget, option))
      selected.push(
        growingString(reader, (to, size) => pdfium.FPDFAnnot_GetOptionLabel(form, widget, option, to, size)),
      );
  return selected;
}

/** The name of the file and what is said about it. @param {Reader} reader @param {number} annotation */
function fileTexts(reader, annotation) {
  const { pdfium } = reader;
  const file = pdfium.FPDFAnnot_GetFileAttachment(annotation);
  if (!file) return [];
  return [
    growingString(reader, (to, size) => pdfium.FPDFAttachment_GetName(file, to, size)),
    growingString(reader, (to, size) => pdfium.EPDFAttachment_GetDescription(file, to, size)),
  ];
}

/** @param {Reader} reader @param {number} annotation */
function stampTexts(reader, annotation) {
  const name = annotationString(reader, annotation, 'Name');
  if (!STAMP.test(name) || reader.pdfium.EPDFAnnot_HasAppearanceStream(annotation, 0)) return [];
  return [name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')];
}
