import { constants, createHash, verify, X509Certificate } from 'node:crypto';
import { attributeValue, child, children, readElement, TAG } from '../../lib/der.js';

/** @typedef {import('../../lib/der.js').Element} Element */

/** Object identifiers, DER-encoded, in hex. */
const OID = {
  messageDigest: '2a864886f70d010904',
  timeStampInfo: '2a864886f70d0109100104',
  rsaPss: '2a864886f70d01010a',
};

/** @type {Record<string, string>} */
const DIGESTS = {
  '2b0e03021a': 'sha1',
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
};

/** Bytes; a shorter one could be anywhere in a certificate. */
const MIN_KEY_IDENTIFIER = 8;

/** @param {Uint8Array} bytes */
const hex = (bytes) => Buffer.from(bytes).toString('hex');

/**
 * Checks a CMS signature (RFC 5652 §5) over the parts of a file, also one that holds a digest of them (adbe.pkcs7.sha1) or is
 * a time stamp (RFC 3161). The certificate is not judged. Throws where the message cannot be read.
 * @param {Uint8Array} message @param {Uint8Array[]} parts
 * @returns {{ certificate: X509Certificate, intact: boolean }}
 */
export function checkSignedData(message, parts) {
  const signedData = child(child(readElement(message), 1, TAG.context0), 0, TAG.sequence);
  const [, , encapsulated, ...rest] = children(signedData);
  const signer = children(/** @type {Element} */ (rest.at(-1)))[0];
  const certificates = rest.find(({ tag }) => tag === TAG.context0);
  if (!encapsulated || !signer || !certificates) throw new RangeError('CMS: incomplete');
  const [, identifier, digestAlgorithm, ...fields] = children(signer);
  if (!identifier || !digestAlgorithm) throw new RangeError('CMS: incomplete');
  const certificate = certificateOf(identifier, children(certificates));
  const digest = digestOf(digestAlgorithm);
  const attributes = fields[0]?.tag === TAG.context0 ? fields.shift() : undefined;
  const [algorithm, value] = fields;
  if (!algorithm || !value) throw new RangeError('CMS: incomplete');
  const inner = innerContent(encapsulated);
  const content = inner ? [inner.content] : parts;
  const signed = attributes ? [Uint8Array.of(TAG.set), attributes.bytes.subarray(1)] : content;
  const isSame =
    (!inner || coversParts(inner, parts)) &&
    (!attributes || hex(messageDigest(attributes)) === hash(digest, content));
  return {
    certificate,
    intact: isSame && isSignedBy(certificate, { digest, algorithm, signed, value: value.content }),
  };
}

/** The content within the message, if there is one, with its type. @param {Element} encapsulated */
function innerContent(encapsulated) {
  const [type, wrapped] = children(encapsulated);
  return type && wrapped && { type: hex(type.content), content: child(wrapped, 0, TAG.octets).content };
}

/** @param {{ type: string, content: Uint8Array }} inner @param {Uint8Array[]} parts */
function coversParts({ type, content }, parts) {
  if (type !== OID.timeStampInfo) return hex(content) === hash('sha1', parts);
  const imprint = child(readElement(content), 2, TAG.sequence);
  return hex(child(imprint, 1, TAG.octets).content) === hash(digestOf(child(imprint, 0)), parts);
}

/** @param {Element} algorithm */
function digestOf(algorithm) {
  const digest = DIGESTS[hex(child(algorithm, 0, TAG.oid).content)];
  if (!digest) throw new RangeError('CMS: unknown digest');
  return digest;
}

/** @param {string} digest @param {Uint8Array[]} parts */
function hash(digest, parts) {
  const sum = createHash(digest);
  for (const part of parts) sum.update(part);
  return sum.digest('hex');
}

/** @param {Element} attributes */
function messageDigest(attributes) {
  const value = attributeValue(attributes, OID.messageDigest);
  if (!value) throw new RangeError('CMS: no digest');
  return value.content;
}

/**
 * By issuer and serial number, or by the key identifier, which is in an extension of the certificate (RFC 5652 §5.3).
 * @param {Element} identifier @param {Element[]} certificates
 */
function certificateOf(identifier, certificates) {
  const certificate = certificates.find(({ bytes, tag }) => {
    if (tag !== TAG.sequence) return false;
    if (identifier.tag !== TAG.sequence)
      return identifier.content.length >= MIN_KEY_IDENTIFIER && hex(bytes).includes(hex(identifier.content));
    const fields = children(child(readElement(bytes), 0, TAG.sequence));
    const first = fields[0]?.tag === TAG.context0 ? 1 : 0;
    return (
      hex(child(identifier, 0).bytes) === encoded(fields[first + 2]) &&
      hex(child(identifier, 1).bytes) === encoded(fields[first])
    );
  });
  if (!certificate) throw new RangeError('CMS: no certificate of the signer');
  return new X509Certificate(certificate.bytes);
}

/** @param {Element | undefined} element */
const encoded = (element) => (element ? hex(element.bytes) : '');

/** @param {X509Certificate} certificate @param {{ digest: string, algorithm: Element, signed: Uint8Array[], value: Uint8Array }} made */
function isSignedBy({ publicKey }, { digest, algorithm, signed, value }) {
  const isPss = hex(child(algorithm, 0, TAG.oid).content) === OID.rsaPss;
  const padding = isPss
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO }
    : {};
  return verify(digest, Buffer.concat(signed), { key: publicKey, ...padding }, value);
}
