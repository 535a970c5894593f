// Plain JavaScript, for servers and browsers.

import { attributeValue, TAG } from '../lib/der.js';
import { textOf } from '../pdf/seal/object-syntax.js';
import { generalizedTime, readCertificate } from './certificate.js';
import { NotSealed, SealBroken, SealExtended } from './seal-broken.js';
import { covered, signaturesOf, withoutPadding } from './signatures.js';
import { checkMessage, MessageFault, readMessage } from './signed-message.js';
import { readUpdates } from './updates.js';

/** @typedef {import('./certificate.js').Certificate} Certificate */
/** @typedef {import('./crypto-suite.ts').CryptoSuite} CryptoSuite */
/** @typedef {import('./signatures.js').File} File */
/** @typedef {import('./signatures.js').Found} Found */

/** @typedef {import('./updates.js').TokenToCheck} TokenToCheck */
/** @typedef {import('./updates.js').StoredValidation} StoredValidation */

/**
 * The content of a valid seal.
 * @typedef {object} CheckedSeal
 * @property {Certificate} certificate whether to trust it is for the caller to decide
 * @property {Certificate[]} certificates all that are in the signature
 * @property {string} reason of the signature, as the server wrote it
 * @property {Date | undefined} claimedAt when it was sealed, by the clock of the server
 * @property {number} length bytes of the file as it was sealed: a longer one has time-stamps and validation data after them
 * @property {TokenToCheck | undefined} timeStamp over the signature
 * @property {TokenToCheck[]} documentStamps over the file up to each of them, oldest first
 * @property {StoredValidation | undefined} validation
 */

/**
 * The level of a signature (ETSI EN 319 142-1 §6.1) by what the file contains, without a judgement of it.
 * @param {CheckedSeal} seal @returns {'B-B' | 'B-T' | 'B-LT' | 'B-LTA'}
 */
export function levelOf({ timeStamp, documentStamps, validation }) {
  if (validation) return validation.isStamped ? 'B-LTA' : 'B-LT';
  return timeStamp || documentStamps.length > 0 ? 'B-T' : 'B-B';
}

/** id-data and id-aa-timeStampToken in DER, in hex. */
const DATA = '2a864886f70d010701';
const TIME_STAMP_TOKEN = '2a864886f70d010910020e';

/** @type {Record<import('./signed-message.js').MessageFaultCode, string>} */
const FAULTS = {
  FORM: 'the signature is no signed data',
  SIGNERS: 'the signature has not one signer',
  ATTRIBUTES: 'the signature lacks attributes',
  DIGEST: 'the signature uses a digest that is not accepted',
  TYPE: 'the signature covers another type of content',
  CHANGED: 'the file was changed after it was sealed',
  CERTIFICATE: 'the signature does not contain the certificate it refers to',
  KEY: 'the signature was not made with the key of its certificate',
};

/**
 * Verifies the seal of a PDF, independently of the code that creates seals: it covers the file up to its end, or up to document
 * time-stamps and validation data, which any program may have added; no byte of it changed; and its key belongs to its
 * certificate. Rejects with SealBroken.
 * @param {CryptoSuite} suite @param {Uint8Array} pdf @returns {Promise<CheckedSeal>}
 */
export async function checkSeal(suite, pdf) {
  const file = { bytes: pdf, text: textOf(pdf, 0, pdf.length) };
  const seal = findSeal(file);
  try {
    const signature = await checkSignature(suite, pdf, seal);
    const { documentStamps, validation, end } = await readUpdates(suite, file, seal.end);
    if (end < pdf.length) throw new SealExtended(end, pdf.length);
    return { ...signature, documentStamps, validation };
  } catch (error) {
    if (error instanceof SealBroken) throw error;
    if (error instanceof MessageFault) throw new SealBroken(FAULTS[error.code]);
    throw new SealBroken(`the signature cannot be read: ${/** @type {Error} */ (error).message}`);
  }
}

/** The kind of signatures that seals are (ETSI EN 319 142-1 §5.1). */
const SUB_FILTER = /\/SubFilter\s*\/ETSI\.CAdES\.detached/;

/** The signature of the largest part of the file. @param {File} file */
function findSeal(file) {
  const all = signaturesOf(file);
  const seals = all.filter(({ dictionary }) => SUB_FILTER.test(dictionary));
  const [seal, ...others] = seals.sort((a, b) => b.end - a.end);
  if (seal && others[0]?.end !== seal.end) return seal;
  if (seal) throw new SealBroken('two signatures cover the same part of the file');
  if (SUB_FILTER.test(file.text))
    throw new SealBroken('the signature does not fit the file: parts of it are missing, or were moved');
  throw new NotSealed(all.length > 0 ? 'the signature is by another program' : 'there is no signature');
}

/** @param {CryptoSuite} suite @param {Uint8Array} pdf @param {Found} found */
async function checkSignature(suite, pdf, found) {
  const message = readMessage(withoutPadding(found.message));
  if (message.type !== DATA) throw new MessageFault('TYPE');
  const { certificate, signature, unsigned } = await checkMessage(suite, message, covered(pdf, found));
  const token = unsigned?.tag === TAG.context1 ? attributeValue(unsigned, TIME_STAMP_TOKEN) : undefined;
  return {
    certificate,
    certificates: message.certificates.map(({ bytes }) => readCertificate(bytes)),
    reason: /\/Reason\s*\(([^()\\]*)\)/.exec(found.dictionary)?.[1] ?? '',
    claimedAt: timeOf(found.dictionary),
    length: found.end,
    timeStamp: token && { token: token.bytes, digest: await suite.digest('sha256', [signature]) },
  };
}

/** A date of PDF in UTC (ISO 32000-2 §7.9.4). @param {string} dictionary */
function timeOf(dictionary) {
  const [, digits] = /\/M\s*\(D:(\d{14})Z/.exec(dictionary) ?? [];
  return digits === undefined ? undefined : generalizedTime(`${digits}Z`);
}
