// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.
import { PDFArray, PDFDict, PDFName } from '@cantoo/pdf-lib';
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

/** A form of XFA without fields that other viewers show. @param {import('@cantoo/pdf-lib').PDFDocument} pdf */
function hasXfaOnly({ catalog }) {
  const form = catalog.lookup(PDFName.of('AcroForm'));
  if (!(form instanceof PDFDict) || !form.has(PDFName.of('XFA'))) return false;
  const fields = form.lookup(PDFName.of('Fields'));
  return !(fields instanceof PDFArray && fields.size() > 0);
}
