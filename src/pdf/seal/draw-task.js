// Plain JavaScript, so that Node loads it alike from the sources (vitest, tsx) and from dist.

import { answerTasks } from '../../files/child/child-task.js';
import { drawFields } from '../draw/fields.js';
import { deleteUnreachable } from '../draw/reachable.js';
import { embedFonts } from '../draw/text.js';
import { removeActiveContent } from './active-content.js';
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
    const { name, message } = /** @type {Error} */ (error);
    return { fault: { name, message } };
  }
}, MAX_MEMORY);

/** @param {SealJob} job @returns {Promise<Prepared>} */
async function prepare(job) {
  const pdf = await toPdf(job);
  const text = textOf(job);
  const earlier = earlierSignatures(pdf, job.content);
  const names = earlier.flatMap(({ signer, organization, reason }) => [signer, organization, reason]);
  const fonts = await embedFonts(pdf, [text, ...textsOf(job), ...names].join(''));
  if (job.contentType.startsWith('text/')) addText(pdf, fonts, text);
  const pages = pdf.getPageCount();
  if (pages === 0) throw new Error('the PDF has no pages');
  // The library repairs a broken page tree by dropping pages: that is not what was signed.
  if (job.pages !== null && job.pages !== pages)
    throw new Error(`only ${pages} of its ${job.pages} pages can be read`);
  const removed = removeActiveContent(pdf);
  endForm(pdf);
  await drawFields(pdf, fonts, job.fields);
  addAuditPages(pdf, fonts, job.audit, { removed, earlier });
  if (earlier.length > 0) attachOriginal(pdf, job.content, job.signedAt);
  const marker = addPlaceholder(pdf, job);
  deleteUnreachable(pdf.context);
  const bytes = await pdf.save({ useObjectStreams: false, updateFieldAppearances: false });
  return { bytes, pageCount: pdf.getPageCount(), hole: fillByteRange(bytes, marker), removed, earlier };
}

/** All other text on the pages, for choosing fonts. @param {SealJob} job */
const textsOf = ({ fields, audit: { signers, ...audit } }) => [
  ...fields.map(({ value }) => (value.startsWith('data:') ? '' : value)),
  ...signers.flatMap(({ fullName, email, userAgent }) => [fullName, email, userAgent ?? '']),
  audit.documentName,
  audit.organizationName,
  audit.revision.name,
];
