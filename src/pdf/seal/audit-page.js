import { rgb } from '@cantoo/pdf-lib';
import { MARGIN, sheets } from '../draw/sheets.js';
import { LINE } from '../draw/text.js';
import { ORIGINAL } from './attach-original.js';
import { drawQrCode } from './qr-code.js';

/** @typedef {import('@cantoo/pdf-lib').PDFDocument} PDFDocument */
/** @typedef {import('../font/faces.js').Fonts} Fonts */
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
 * @param {{ removed: readonly import('../copy/signing-copy.ts').ActiveContent[], earlier: import('./job.ts').EarlierSignature[] }} found in the file
 */
export function addAuditPages(pdf, fonts, audit, { removed, earlier }) {
  const writer = pageWriter(pdf, fonts);
  writer.heading('Record of the signing', 16);
  writer.facts(aboutDocument(audit));
  if (removed.length > 0)
    writer.facts([['Left out of that copy', removed.map((kind) => REMOVED[kind]).join(', ')]]);
  if (earlier.length > 0) addEarlierSignatures(writer, earlier);
  for (const signer of audit.signers) {
    writer.heading(`Signer ${signer.rank}: ${signer.fullName}`, 11);
    writer.facts(aboutSigner(signer));
  }
  writer.check(audit.checkUrl, [
    'This page was added when the last signer had signed, and then the whole file was sealed with one digital signature. ' +
      'A PDF reader shows whether a byte of it has changed since, and so does this page, which checks the file in the ' +
      'browser and sends it nowhere:',
    audit.checkUrl,
    'The evidence file of the document holds the events behind this record; the command check-evidence holds it against ' +
      'this file, without a server.',
  ]);
}

/** Points of the code with the address, and from it to the text beside it. */
const CODE = 72;
const CODE_GAP = 14;

/** @type {Record<import('./job.ts').EarlierSignature['state'], string>} */
const STATES = {
  VALID: 'valid: no byte of the file was changed after it',
  VALID_BEFORE_CHANGES:
    'valid for the part of the file that it covers; the file was changed or signed again after it',
  INVALID: 'not valid: the file was changed, or the signature is not by this certificate',
  UNREADABLE: 'could not be read',
};

const KINDS = { SIGNATURE: 'Signature', CERTIFICATION: 'Certification', TIME_STAMP: 'Time stamp' };

/** Listed one by one; a file can have thousands. */
const MAX_LISTED = 50;

/** @param {ReturnType<typeof pageWriter>} writer @param {import('./job.ts').EarlierSignature[]} earlier */
function addEarlierSignatures(writer, earlier) {
  writer.heading(`Earlier digital signatures: ${earlier.length}`, 11);
  writer.paragraph(
    'The file had them when it was signed here. Drawing on its pages ends them, so they are not in the pages of this file. ' +
      `The file as it was uploaded is attached to this one as ${ORIGINAL}; they can be checked there. ` +
      'Whether their issuers can be trusted was not judged.',
  );
  for (const [index, each] of earlier.slice(0, MAX_LISTED).entries()) {
    const { kind, state, signer, organization, reason, time } = each;
    writer.facts([
      [`${KINDS[kind]} ${index + 1}`, [signer, organization].filter(Boolean).join(', ') || 'no name'],
      ['State', STATES[state]],
      ...(reason ? [/** @type {Facts[number]} */ (['Reason', reason])] : []),
      ...(time ? [/** @type {Facts[number]} */ (['Time, as its signer wrote it', time])] : []),
    ]);
  }
  if (earlier.length > MAX_LISTED)
    writer.paragraph(`${earlier.length - MAX_LISTED} further ones are not listed.`);
}

/** @param {import('./job.ts').AuditFacts} audit @returns {Facts} */
const aboutDocument = ({ documentName, documentId, organizationName, sessionId, ...audit }) => [
  ['Document', documentName],
  ['Document id', documentId],
  ['Organization', organizationName],
  ['Signing session', sessionId],
  ['Signed revision', `${audit.revision.number} (${audit.revision.name})`],
  ['SHA-256 of that revision', audit.revision.sha256],
  .../** @type {Facts} */ (
    audit.renditionSha256 ? [['SHA-256 of the PDF made of it', audit.renditionSha256]] : []
  ),
  .../** @type {Facts} */ (audit.copySha256 ? [['SHA-256 of the copy shown', audit.copySha256]] : []),
  ['All had signed', moment(audit.completedAt)],
  ['Event in the chain', audit.chain.sequence],
  ['SHA-256 of the chain', audit.chain.hash],
];

/** @param {import('./job.ts').AuditSigner} signer @returns {Facts} */
const aboutSigner = ({ email, requestedAt, requestSentAt, completedAt, ipAddress, userAgent, day }) => [
  ['E-mail', email],
  ['Signature requested', moment(requestedAt)],
  ['Given to the mail server', requestSentAt ? moment(requestSentAt) : 'not by mail'],
  ['Signed', moment(completedAt)],
  ['Day of the signer', day ?? '–'],
  ['Network address', ipAddress ?? 'not known'],
  ['Program', userAgent ?? 'not known'],
];

/** @param {Date | null} time */
const moment = (time) => (time ? `${time.toISOString().replace('T', ' ').replace('Z', '')} UTC` : '–');

/** @param {PDFDocument} pdf @param {Fonts} fonts */
function pageWriter(pdf, { plain, bold }) {
  const { need, down, put, write, figure } = sheets(pdf);

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

  /** How to check the file: paragraphs, with the address as a code beside them. @param {string} url @param {string[]} texts */
  const check = (url, texts) => {
    need(CODE + 4 * SIZE * LINE);
    heading('How to check this', 11);
    figure(CODE, (page, top) => {
      drawQrCode(page, url, { x: MARGIN, top, size: CODE });
    });
    for (const text of texts) {
      paragraph(text, MARGIN + CODE + CODE_GAP);
      down(3);
    }
  };
  return { heading, paragraph, facts, check };
}
