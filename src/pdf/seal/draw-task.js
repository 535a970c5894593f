// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.

import { answerTasks } from '../../files/child/child-task.js';
import { drawFields } from '../draw/fields.js';
import { embedFonts } from '../draw/text.js';
import { addAuditPages } from './audit-page.js';
import { addText, textOf, toPdf } from './paper.js';
import { addPlaceholder, endForm, fillByteRange } from './placeholder.js';

/** @typedef {import('./job.ts').SealJob} SealJob */
/** @typedef {import('./job.ts').Prepared} Prepared */

const MAX_MEMORY = 256 * 2 ** 20;

answerTasks(async (/** @type {SealJob} */ job) => {
  try {
    return { prepared: await prepare(job) };
  } catch (error) {
    return { fault: { message: /** @type {Error} */ (error).message } };
  }
}, MAX_MEMORY);

/** @param {SealJob} job @returns {Promise<Prepared>} */
async function prepare(job) {
  const pdf = await toPdf(job);
  const text = textOf(job);
  const fonts = await embedFonts(pdf, [text, ...textsOf(job)].join(''));
  if (job.contentType.startsWith('text/')) addText(pdf, fonts, text);
  if (pdf.getPageCount() === 0) throw new Error('the PDF has no pages');
  endForm(pdf);
  const boxes = await drawFields(pdf, fonts, job.fields);
  addAuditPages(pdf, fonts, job.audit, job.removed);
  const marker = addPlaceholder(pdf, job);
  const bytes = await pdf.save({ useObjectStreams: false, updateFieldAppearances: false });
  return { bytes, pageCount: pdf.getPageCount(), hole: fillByteRange(bytes, marker), boxes };
}

/** All other text on the pages, for choosing fonts. @param {SealJob} job */
const textsOf = ({ fields, audit: { signers, ...audit } }) => [
  ...fields.map(({ value }) => (value.startsWith('data:') ? '' : value)),
  ...signers.flatMap(({ fullName, email, userAgent }) => [fullName, email, userAgent ?? '']),
  audit.documentName,
  audit.organizationName,
  audit.revision.name,
];
