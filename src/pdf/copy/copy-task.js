// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { PDFDict, PDFName } from '@cantoo/pdf-lib';
import { answerTasks } from '../../files/child/child-task.js';
import { removeActiveContent } from './active-content.js';
import { flattenAnnotations } from './annotations.js';
import { dropMissingContents } from './contents.js';
import { fixLayers } from './layers.js';
import { openCopy } from './open-copy.js';
import { removePrintVersions } from './print-only.js';

/** @typedef {import('./signing-copy.ts').FixedCopy} FixedCopy */

const MAX_MEMORY = 256 * 2 ** 20;

answerTasks(async (/** @type {{ bytes: Uint8Array }} */ { bytes }) => {
  try {
    return await fix(bytes);
  } catch (error) {
    return { fault: /** @type {Error} */ (error).message };
  }
}, MAX_MEMORY);

/**
 * Writes a PDF such that every viewer and printer shows it as it is drawn on a screen.
 * @param {Uint8Array} bytes
 * @returns {Promise<FixedCopy>}
 */
async function fix(bytes) {
  const pdf = openCopy(bytes);
  if (hasXfaOnly(pdf)) return { fault: 'XFA' };
  const removed = removeActiveContent(pdf);
  fixLayers(pdf);
  removePrintVersions(pdf);
  for (const page of pdf.getPages()) dropMissingContents(page);
  await flattenAnnotations(pdf);
  const fixed = await pdf.save({ useObjectStreams: false, updateFieldAppearances: false });
  return { bytes: fixed, pageCount: pdf.getPageCount(), removed };
}

/**
 * A form of XFA of which no page has a field: its pages, as one that says "Please wait", are drawn by a few viewers from the
 * XML, whatever the tree of its fields has.
 * @param {import('@cantoo/pdf-lib').PDFDocument} pdf
 */
function hasXfaOnly(pdf) {
  const form = pdf.catalog.lookup(PDFName.of('AcroForm'));
  if (!(form instanceof PDFDict) || !form.has(PDFName.of('XFA'))) return false;
  return !pdf
    .getPages()
    .some(({ node }) => (node.Annots()?.asArray() ?? []).some((each) => isWidget(pdf, each)));
}

/** @param {import('@cantoo/pdf-lib').PDFDocument} pdf @param {import('@cantoo/pdf-lib').PDFObject} reference */
function isWidget({ context }, reference) {
  const annotation = context.lookup(reference);
  return annotation instanceof PDFDict && annotation.lookup(PDFName.of('Subtype')) === PDFName.of('Widget');
}
