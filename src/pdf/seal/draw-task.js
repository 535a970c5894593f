// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.

import { answerTasks } from '../../files/child/child-task.js';
import { drawFields } from '../draw/fields.js';
import { embedFonts } from '../draw/text.js';
import { removeActiveContent } from './active-content.js';
import { addAuditPages } from './audit-page.js';
import { addText, onPaper, textOf } from './paper.js';
import { addPlaceholder, endForm, openHole } from './placeholder.js';

/** @typedef {import('./job.ts').SealJob} SealJob */
/** @typedef {import('./job.ts').Prepared} Prepared */

const WORN_OVER = 256 * 2 ** 20;

answerTasks(async (/** @type {SealJob} */ job) => {
  try {
    return { prepared: await prepare(job) };
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    return { fault: { name, message } };
  }
}, WORN_OVER);

/** @param {SealJob} job @returns {Promise<Prepared>} */
async function prepare(job) {
  const pdf = await onPaper(job);
  const text = textOf(job);
  const fonts = await embedFonts(pdf, [text, ...textsOf(job)].join(''));
  if (job.contentType.startsWith('text/')) addText(pdf, fonts, text);
  const pages = pdf.getPageCount();
  if (pages === 0) throw new Error('the PDF has no pages');
  // A broken page tree is mended by leaving pages out: nobody signed that.
  if (job.pages !== null && job.pages !== pages)
    throw new Error(`only ${pages} of its ${job.pages} pages can be read`);
  const removed = removeActiveContent(pdf);
  endForm(pdf);
  await drawFields(pdf, fonts, job.fields);
  addAuditPages(pdf, fonts, job.audit, removed);
  const marker = addPlaceholder(pdf, job);
  const bytes = await pdf.save({ useObjectStreams: false, updateFieldAppearances: false });
  return { bytes, pageCount: pdf.getPageCount(), hole: openHole(bytes, marker), removed };
}

/** What people wrote, and what programs call themselves. @param {SealJob} job */
const textsOf = ({ fields, audit: { signers, ...audit } }) => [
  ...fields.map(({ value }) => (value.startsWith('data:') ? '' : value)),
  ...signers.flatMap(({ fullName, email, userAgent }) => [fullName, email, userAgent ?? '']),
  audit.documentName,
  audit.organizationName,
  audit.revision.name,
];
