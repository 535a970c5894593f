// Plain JavaScript, for servers and browsers.

import { child, children, hex, TAG, wholeElement } from '../lib/der.js';
import { readCertificate, readTime } from './certificate.js';

/** @typedef {import('./certificate.js').Certificate} Certificate */
/** @typedef {import('../lib/der.js').Element} Element */

/**
 * An answer about revocation, and the period for which it is given (RFC 6960 §4.2.2.1, RFC 5280 §5.1.2).
 * @typedef {{ der: Uint8Array, thisUpdate: Date, nextUpdate: Date | undefined }} RevocationAnswer
 */

/**
 * What a document security store contains. Whether it is complete, and who signed the answers, is for the caller to check.
 * @typedef {{ certificates: Certificate[], ocsp: RevocationAnswer[], crls: RevocationAnswer[] }} ValidationContent
 */

/**
 * What validation data of any program says; what cannot be read is left out.
 * @param {import('../pdf/seal/validation-update.js').ValidationData} data @returns {ValidationContent}
 */
export const contentOf = ({ certificates, ocsp, crls }) => ({
  certificates: readable(certificates, readCertificate),
  ocsp: readable(ocsp, readResponse),
  crls: readable(crls, readList),
});

/**
 * @template T @param {readonly Uint8Array[]} blobs @param {(der: Uint8Array) => T} read
 */
const readable = (blobs, read) =>
  blobs.flatMap((blob) => {
    try {
      return [read(blob)];
    } catch (error) {
      if (error instanceof RangeError) return [];
      throw error;
    }
  });

/** id-pkix-ocsp-basic (RFC 6960 §4.2.1) in DER, in hex. */
const BASIC = '2b0601050507300101';
const GENERALIZED_TIME = 0x18;

/** An OCSPResponse; its times are those of the first answer in it. @param {Uint8Array} der @returns {RevocationAnswer} */
function readResponse(der) {
  const content = child(child(wholeElement(der), 1, TAG.context0), 0, TAG.sequence);
  if (hex(child(content, 0, TAG.oid).content) !== BASIC)
    throw new RangeError('OCSP: another type of response');
  const fields = children(child(wholeElement(child(content, 1, TAG.octets).content), 0, TAG.sequence));
  const answers = fields.find(({ tag }) => tag === TAG.sequence);
  if (!answers) throw new RangeError('OCSP: no answer');
  const [, , thisUpdate, next] = children(child(answers, 0, TAG.sequence));
  if (thisUpdate?.tag !== GENERALIZED_TIME) throw new RangeError('OCSP: no time');
  const nextUpdate = next?.tag === TAG.context0 ? readTime(child(next, 0)) : undefined;
  return { der, thisUpdate: readTime(thisUpdate), nextUpdate };
}

/** A CertificateList. @param {Uint8Array} der @returns {RevocationAnswer} */
function readList(der) {
  const times = children(child(wholeElement(der), 0, TAG.sequence)).filter(isTime);
  const [thisUpdate, nextUpdate] = times.map(readTime);
  if (!thisUpdate) throw new RangeError('CRL: no time');
  return { der, thisUpdate, nextUpdate };
}

/** @param {Element} element */
const isTime = ({ tag }) => tag === TAG.utcTime || tag === GENERALIZED_TIME;
