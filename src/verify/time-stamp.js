// Plain JavaScript, for servers and browsers.

import { child, children, hex, TAG, wholeElement } from '../lib/der.js';
import { certificateFault, generalizedTime, isTrusted, readCertificate } from './certificate.js';
import { digestName } from './signature-scheme.js';
import { checkMessage, MessageFault, readMessage } from './signed-message.js';

/** @typedef {import('./certificate.js').Certificate} Certificate */
/** @typedef {import('./crypto-suite.ts').CryptoSuite} CryptoSuite */

/**
 * What a time-stamp token says, once it was verified.
 * @typedef {object} Stamp
 * @property {Date} time when the authority saw the digest
 * @property {Certificate} certificate
 * @property {Certificate[]} certificates all that are in the token
 * @property {string} authority the subject of the certificate, in one line
 * @property {boolean} isTrusted whether its certificate is one of the given roots, or was issued under one
 * @property {string | undefined} nonce that of the request, in hex
 * @property {string} serial in hex
 * @property {string} policy object identifier in DER, in hex
 */

/** A token that cannot be relied on; the message says why, after "the time-stamp". */
export class StampBroken extends Error {}

/** id-ct-TSTInfo in DER, in hex. */
const TIME_STAMP_INFO = '2a864886f70d0109100104';

/** @type {Record<import('./signed-message.js').MessageFaultCode, string>} */
const FAULTS = {
  FORM: 'is no signed data',
  SIGNERS: 'has not one signer',
  ATTRIBUTES: 'lacks signed attributes',
  DIGEST: 'is signed with a digest that is not accepted',
  TYPE: 'signs another type of content',
  CHANGED: 'was changed after it was signed',
  CERTIFICATE: 'does not contain the certificate that it names',
  KEY: 'was not signed with the key of its certificate',
};

/**
 * Verifies a time-stamp token (RFC 3161 §2.4.2) over a SHA-256 digest: it is about this digest, its signature is that of its
 * certificate, and the certificate is one for time-stamps that was valid then. `roots`: certificates that the caller trusts.
 * Rejects with StampBroken.
 * @param {CryptoSuite} suite @param {Uint8Array} token in DER @param {Uint8Array} digest @param {readonly Certificate[]} roots
 * @returns {Promise<Stamp>}
 */
export async function checkToken(suite, token, digest, roots) {
  try {
    return await check(suite, token, digest, roots);
  } catch (error) {
    if (error instanceof StampBroken) throw error;
    if (error instanceof MessageFault) throw new StampBroken(FAULTS[error.code]);
    throw new StampBroken(`cannot be read: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {CryptoSuite} suite @param {Uint8Array} token @param {Uint8Array} digest @param {readonly Certificate[]} roots */
async function check(suite, token, digest, roots) {
  const message = readMessage(token);
  if (message.type !== TIME_STAMP_INFO || !message.content)
    throw new StampBroken('is over another type of content');
  const info = readInfo(message.content, digest);
  const { certificate } = await checkMessage(suite, message, [message.content]);
  const fault = certificateFault(certificate, info.time);
  if (fault) throw new StampBroken(fault);
  const certificates = message.certificates.map(({ bytes }) => readCertificate(bytes));
  const trusted = await isTrusted(suite, certificate, { certificates, roots, time: info.time });
  return { ...info, certificate, certificates, authority: certificate.subject, isTrusted: trusted };
}

/** TSTInfo: the digest must be this one. @param {Uint8Array} content @param {Uint8Array} digest */
function readInfo(content, digest) {
  const [, policy, imprint, serial, time, ...optional] = children(wholeElement(content));
  if (!policy || !imprint || !serial || !time) throw new StampBroken('is incomplete');
  if (digestName(child(imprint, 0, TAG.sequence)) !== 'sha256')
    throw new StampBroken('is over another kind of digest');
  if (hex(child(imprint, 1, TAG.octets).content) !== hex(digest))
    throw new StampBroken('is over another digest');
  const nonce = optional.find(({ tag }) => tag === TAG.integer);
  return {
    time: generalizedTime(String.fromCharCode(...time.content)),
    nonce: nonce && hex(nonce.content),
    serial: hex(serial.content),
    policy: hex(policy.content),
  };
}
