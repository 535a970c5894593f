import { rgb } from '@cantoo/pdf-lib';
import { MARGIN, sheets } from '../draw/sheets.js';
import { LINE } from '../draw/text.js';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('../draw/text.js').Fonts} Fonts */
/** @typedef {[name: string, value: string][]} Facts */

/** @type {Record<import('../copy/signing-copy.ts').ActiveContent, string>} */
const REMOVED = {
  JAVASCRIPT: 'JavaScript',
  LAUNCH: 'actions that start programs',
  FORM_ACTION: 'actions that send or fill forms',
  EXTERNAL_FILE: 'references to other files',
  EMBEDDED_FILE: 'attached files',
  MEDIA: 'audio, video and 3D',
  XFA: 'an XFA form',
  OTHER_ACTION: 'automatic actions',
};

const NAMES = 130;
const SIZE = 8.5;
const GREY = rgb(0.4, 0.4, 0.4);

/**
 * Appends the record of the signing, on as many pages as needed.
 * @param {PDFDocument} pdf @param {Fonts} fonts @param {import('./job.ts').AuditFacts} audit
 * @param {readonly import('../copy/signing-copy.ts').ActiveContent[]} removed
 */
export function addAuditPages(pdf, fonts, audit, removed) {
  const writer = pageWriter(pdf, fonts);
  writer.heading('Record of the signing', 16);
  writer.facts(aboutDocument(audit));
  if (removed.length > 0)
    writer.facts([['Left out of that copy', removed.map((kind) => REMOVED[kind]).join(', ')]]);
  for (const signer of audit.signers) {
    writer.heading(`Signer ${signer.rank}: ${signer.fullName}`, 11);
    writer.facts(aboutSigner(signer));
  }
  writer.heading('How to check this', 11);
  writer.paragraph(
    'This page was added when the last signer had signed, and then the whole file was sealed with one digital signature: ' +
      'a PDF reader shows whether a byte of it has changed since. The evidence file of the document holds the events behind ' +
      'this page; the command check-evidence holds it against this file, without a server.',
  );
}

/** @param {import('./job.ts').AuditFacts} audit @returns {Facts} */
const aboutDocument = ({ documentName, documentId, organizationName, sessionId, ...audit }) => [
  ['Document', documentName],
  ['Document id', documentId],
  ['Organization', organizationName],
  ['Signing session', sessionId],
  ['Signed revision', `${audit.revision.number} (${audit.revision.name})`],
  ['SHA-256 of that revision', audit.revision.sha256],
  .../** @type {Facts} */ (audit.copySha256 ? [['SHA-256 of the copy shown', audit.copySha256]] : []),
  ['All had signed', moment(audit.completedAt)],
  ['Event in the chain', audit.chain.sequence],
  ['SHA-256 of the chain', audit.chain.hash],
];

/** @param {import('./job.ts').AuditSigner} signer @returns {Facts} */
const aboutSigner = ({ email, requestedAt, requestSentAt, completedAt, ipAddress, userAgent }) => [
  ['E-mail', email],
  ['Signature requested', moment(requestedAt)],
  ['Given to the mail server', requestSentAt ? moment(requestSentAt) : 'not by mail'],
  ['Signed', moment(completedAt)],
  ['Network address', ipAddress ?? 'not known'],
  ['Program', userAgent ?? 'not known'],
];

/** @param {Date | null} time */
const moment = (time) => (time ? `${time.toISOString().replace('T', ' ').replace('Z', '')} UTC` : '–');

/** @param {PDFDocument} pdf @param {Fonts} fonts */
function pageWriter(pdf, { plain, bold }) {
  const { need, down, put, write } = sheets(pdf);

  /** @param {string} text @param {number} size */
  const heading = (text, size) => {
    down(size);
    write(text, { font: bold, size, together: 4 * size });
    down(4);
  };

  /** @param {string} text @param {number} [x] */
  const paragraph = (text, x) => write(text, { font: plain, size: SIZE, x });

  /** @param {Facts} facts */
  const facts = (facts) => {
    for (const [name, value] of facts) {
      need(SIZE * LINE);
      put(name, { font: plain, size: SIZE, color: GREY });
      paragraph(value, MARGIN + NAMES);
      down(2);
    }
  };
  return { heading, paragraph, facts };
}
