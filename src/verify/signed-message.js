// Plain JavaScript, for servers and browsers.

import { attributeValue, child, children, hex, TAG, wholeElement } from '../lib/der.js';
import { readCertificate } from './certificate.js';
import { digestName, signatureScheme, signedDigestName } from './signature-scheme.js';

/** @typedef {import('../lib/der.js').Element} Element */
/** @typedef {import('./certificate.js').Certificate} Certificate */
/** @typedef {import('./crypto-suite.ts').CryptoSuite} CryptoSuite */

/**
 * What can be wrong with a message; the caller has the words for it.
 * @typedef {'FORM' | 'SIGNERS' | 'ATTRIBUTES' | 'DIGEST' | 'TYPE' | 'CHANGED' | 'CERTIFICATE' | 'KEY'} MessageFaultCode
 */
export class MessageFault extends Error {
  /** @param {MessageFaultCode} code */
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/**
 * A message with one signer (RFC 5652 §5). `type`: of the content, in hex. `content`: absent for a detached signature.
 * @typedef {{ type: string, content: Uint8Array | undefined, certificates: Element[], signer: Element }} SignedMessage
 */

/** Object identifiers, DER-encoded, in hex. */
const OID = {
  signedData: '2a864886f70d010702',
  contentType: '2a864886f70d010903',
  messageDigest: '2a864886f70d010904',
  signingCertificate: '2a864886f70d010910020c',
  signingCertificateV2: '2a864886f70d010910022f',
};

/** Reads SignedData in a ContentInfo. Throws MessageFault, and RangeError for invalid DER. @param {Uint8Array} der @returns {SignedMessage} */
export function readMessage(der) {
  const info = wholeElement(der);
  if (hex(child(info, 0, TAG.oid).content) !== OID.signedData) throw new MessageFault('FORM');
  const [, , content, ...rest] = children(child(child(info, 1, TAG.context0), 0, TAG.sequence));
  const signers = rest.at(-1);
  if (!content || signers?.tag !== TAG.set) throw new MessageFault('FORM');
  const [signer, ...others] = children(signers);
  if (!signer || others.length > 0) throw new MessageFault('SIGNERS');
  const wrapped = children(content)[1];
  const included = rest.find(({ tag }) => tag === TAG.context0);
  return {
    type: hex(child(content, 0, TAG.oid).content),
    content: wrapped && child(wrapped, 0, TAG.octets).content,
    certificates: included ? children(included).filter(({ tag }) => tag === TAG.sequence) : [],
    signer,
  };
}

/**
 * Checks that a message is signed with the key of the certificate that it names, over this content (RFC 5652 §5.4 and §5.6).
 * Throws MessageFault, and RangeError for invalid DER.
 * @param {CryptoSuite} suite @param {SignedMessage} message @param {readonly Uint8Array[]} content
 * @returns {Promise<{ certificate: Certificate, signature: Uint8Array, unsigned: Element | undefined }>} `unsigned`: attributes
 */
export async function checkMessage(suite, { type, certificates, signer }, content) {
  const [, , digestAlgorithm, attributes, algorithm, signature, unsigned] = children(signer);
  if (!digestAlgorithm || attributes?.tag !== TAG.context0 || !algorithm || !signature)
    throw new MessageFault('ATTRIBUTES');
  const digest = signedDigestName(digestAlgorithm);
  if (!digest) throw new MessageFault('DIGEST');
  if (hex(required(attributes, OID.contentType).content) !== type) throw new MessageFault('TYPE');
  const expected = hex(required(attributes, OID.messageDigest).content);
  if (hex(await suite.digest(digest, content)) !== expected) throw new MessageFault('CHANGED');
  const certificate = await signingCertificate(suite, attributes, certificates);
  const isRight = await suite.verify({
    publicKey: certificate.publicKey,
    ...signatureScheme(algorithm, digest),
    signed: [Uint8Array.of(TAG.set), attributes.bytes.subarray(1)],
    signature: signature.content,
  });
  if (!isRight) throw new MessageFault('KEY');
  return { certificate, signature: signature.content, unsigned };
}

/** @param {Element} attributes @param {string} type */
function required(attributes, type) {
  const value = attributeValue(attributes, type);
  if (!value) throw new MessageFault('ATTRIBUTES');
  return value;
}

/**
 * The certificate that the signed attributes name by its digest (RFC 5035 §3 and §4; SHA-1 in the first version).
 * @param {CryptoSuite} suite @param {Element} attributes @param {readonly Element[]} certificates
 */
async function signingCertificate(suite, attributes, certificates) {
  const v2 = attributeValue(attributes, OID.signingCertificateV2);
  const [first, second] = children(child(child(v2 ?? required(attributes, OID.signingCertificate), 0), 0));
  const algorithm = first?.tag === TAG.sequence ? first : undefined;
  const value = algorithm ? second : first;
  const name = v2 ? (algorithm ? digestName(algorithm) : 'sha256') : 'sha1';
  if (!name || !value) throw new MessageFault('CERTIFICATE');
  for (const { bytes } of certificates)
    if (hex(await suite.digest(name, [bytes])) === hex(value.content)) return readCertificate(bytes);
  throw new MessageFault('CERTIFICATE');
}
