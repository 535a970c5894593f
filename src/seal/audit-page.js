import { rgb } from '@cantoo/pdf-lib';
import { HEIGHT, WIDTH } from './paper.js';
import { drawable, LINE, wrap } from './text.js';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('./text.js').Fonts} Fonts */
/** @typedef {[name: string, value: string][]} Facts */

const MARGIN = 56;
const NAMES = 130;
const SIZE = 8.5;
const GREY = rgb(0.4, 0.4, 0.4);

/**
 * Appends what is known of the signing, on as many pages as it takes.
 * @param {PDFDocument} pdf @param {Fonts} fonts @param {import('./job.ts').AuditFacts} audit
 */
export function addAuditPages(pdf, fonts, audit) {
  const writer = pageWriter(pdf, fonts);
  writer.heading('Record of the signing', 16);
  writer.facts(aboutDocument(audit));
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
  ['All had signed', moment(audit.completedAt)],
  ['Event in the chain', audit.chain.sequence],
  ['SHA-256 of the chain', audit.chain.hash],
];

/** @param {import('./job.ts').AuditSigner} signer @returns {Facts} */
const aboutSigner = ({ email, requestedAt, completedAt, ipAddress, userAgent }) => [
  ['E-mail', email],
  ['Asked to sign', moment(requestedAt)],
  ['Signed', moment(completedAt)],
  ['Network address', ipAddress ?? 'not known'],
  ['Program', userAgent ?? 'not known'],
];

/** @param {Date | null} time */
const moment = (time) => (time ? `${time.toISOString().replace('T', ' ').replace('Z', '')} UTC` : '–');

/** @param {PDFDocument} pdf @param {Fonts} fonts */
function pageWriter(pdf, fonts) {
  let page = pdf.addPage([WIDTH, HEIGHT]);
  let y = HEIGHT - MARGIN;
  const need = (/** @type {number} */ height) => {
    if (y - height >= MARGIN) return;
    page = pdf.addPage([WIDTH, HEIGHT]);
    y = HEIGHT - MARGIN;
  };
  /** @type {(text: string, x: number, size: number, font: keyof Fonts, color?: ReturnType<typeof rgb>) => void} */
  const put = (text, x, size, font, color) => fonts[font].draw(page, text, { x, y: y - size, size, color });

  /** @param {string} text @param {number} size */
  const heading = (text, size) => {
    y -= size;
    for (const line of wrap(drawable(text), fonts.bold, size, WIDTH - 2 * MARGIN)) {
      need(4 * size);
      put(line, MARGIN, size, 'bold');
      y -= size * LINE;
    }
    y -= 4;
  };

  /** @param {string} text @param {number} [x] */
  const paragraph = (text, x = MARGIN) => {
    for (const line of wrap(drawable(text), fonts.plain, SIZE, WIDTH - MARGIN - x)) {
      need(SIZE * LINE);
      put(line, x, SIZE, 'plain');
      y -= SIZE * LINE;
    }
  };

  /** @param {Facts} facts */
  const facts = (facts) => {
    for (const [name, value] of facts) {
      need(SIZE * LINE);
      put(name, MARGIN, SIZE, 'plain', GREY);
      paragraph(value, MARGIN + NAMES);
      y -= 2;
    }
  };
  return { heading, paragraph, facts };
}
