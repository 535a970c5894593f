// Plain JavaScript, as everything that pdf-worker.js loads.

/** @typedef {import('./pdf-file.js').Reader} Reader */
/** @typedef {{ document: number, form: number }} Opened a document, and the environment of its form */

/** Of a drawn page; a page that would exceed it is drawn narrower. */
const MAX_PIXELS = 12_000_000;
/** In pixels; WebP allows 16,383. */
const MAX_SIDE = 16_000;

// From fpdfview.h: annotations are drawn too, text as FPDF_FFLDraw draws that of fields, red comes first, and as a printer would.
const ANNOTATIONS = 0x01;
const AS_IN_FIELDS = 0x02;
const RED_FIRST = 0x10;
const PRINTED = 0x800;
const WHITE = 0xff_ff_ff_ff;

/**
 * With the environment of its form: it makes the appearances that fields lack, which FPDF_FFLDraw draws.
 * @param {Reader} reader
 * @param {number} document
 * @returns {Opened}
 */
export const openForm = ({ pdfium }, document) => ({
  document,
  form: pdfium.PDFiumExt_InitFormFillEnvironment(document, pdfium.PDFiumExt_OpenFormFillInfo()),
});

/**
 * What `use` returns for a page (from 0); null for a page that is broken.
 * @template Answer
 * @param {Reader} reader
 * @param {Opened} opened
 * @param {number} index
 * @param {(page: number) => Answer} use
 * @returns {Answer | null}
 */
export function withPage({ pdfium }, { document, form }, index, use) {
  const page = pdfium.FPDF_LoadPage(document, index);
  if (!page) return null;
  pdfium.FORM_OnAfterLoadPage(page, form);
  try {
    return use(page);
  } finally {
    pdfium.FORM_OnBeforeClosePage(page, form);
    pdfium.FPDF_ClosePage(page);
  }
}

/**
 * The page on white, four bytes a pixel; null if it is too large for the memory. `compared`: the text of the page is
 * smoothed as that of fields is, so that it does not matter of which it is part.
 * @param {Reader} reader
 * @param {Opened} opened
 * @param {number} page
 * @param {{ width: number, compared?: boolean, printed?: boolean }} how
 */
export function drawnPage({ pdfium, memory }, { form }, page, { width: requestedWidth, compared, printed }) {
  const { width, height } = pictureSize(
    pdfium.FPDF_GetPageWidthF(page),
    pdfium.FPDF_GetPageHeightF(page),
    requestedWidth,
  );
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
  if (!bitmap) return null;
  const flags = ANNOTATIONS | RED_FIRST | (compared ? AS_IN_FIELDS : 0) | (printed ? PRINTED : 0);
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
  pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, flags);
  const start = pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0;
  const pixels = new Uint8Array(memory.buffer, start, width * height * 4).slice();
  pdfium.FPDFBitmap_Destroy(bitmap);
  return { width, height, pixels };
}

/** @param {number} pageWidth @param {number} pageHeight @param {number} requestedWidth */
function pictureSize(pageWidth, pageHeight, requestedWidth) {
  const shape = pageHeight / pageWidth;
  const width = Math.min(requestedWidth, Math.floor(Math.sqrt(MAX_PIXELS / shape)));
  return { width: Math.max(width, 1), height: Math.min(Math.max(Math.round(width * shape), 1), MAX_SIDE) };
}
