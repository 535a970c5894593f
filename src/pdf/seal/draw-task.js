// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.

import { answerTasks } from '../../files/child/child-task.js';
import { deleteUnreachable } from '../copy/reachable.js';
import { drawFields } from '../draw/fields.js';
import { loadFonts } from '../font/faces.js';
import { attachOriginal } from './attach-original.js';
import { addAuditPages } from './audit-page.js';
import { earlierSignatures } from './earlier-signatures.js';
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
  const earlier = job.original ? earlierSignatures(pdf, job.original) : [];
  const names = earlier.flatMap(({ signer, organization, reason }) => [signer, organization, reason]);
  const fonts = await loadFonts(pdf, [text, ...textsOf(job), ...names].join('\n'));
  if (job.contentType.startsWith('text/')) addText(pdf, fonts, text);
  if (pdf.getPageCount() === 0) throw new Error('the PDF has no pages');
  endForm(pdf);
  const boxes = await drawFields(pdf, fonts, job.fields);
  addAuditPages(pdf, fonts, job.audit, { removed: job.removed, earlier });
  if (job.original && earlier.length > 0) attachOriginal(pdf, job.original, job.signedAt);
  fonts.embed();
  const marker = addPlaceholder(pdf, job);
  deleteUnreachable(pdf.context);
  const bytes = await pdf.save({ useObjectStreams: false, updateFieldAppearances: false });
  return { bytes, pageCount: pdf.getPageCount(), hole: fillByteRange(bytes, marker), boxes, earlier };
}

/** All other text on the pages, for choosing fonts. @param {SealJob} job */
const textsOf = ({ fields, audit: { signers, ...audit } }) => [
  ...fields.flatMap(({ value, label }) => [value.startsWith('data:') ? '' : value, label ?? '']),
  ...signers.flatMap(({ fullName, email, userAgent }) => [fullName, email, userAgent ?? '']),
  audit.documentName,
  audit.organizationName,
  audit.revision.name,
];
