import { createHash, verify, X509Certificate } from 'node:crypto';
import { attributeValue, child, children, readElement, TAG } from '../../lib/der.js';
import { toHex } from '../../lib/text/hex.ts';

type Element = import('../../lib/der.js').Element;

/** The content of a valid seal. */
export interface CheckedSeal {
  certificate: X509Certificate;
  /** Reason of the signature, as the server wrote it. */
  reason: string;
  /** A time-stamp token over the signature, in DER, and the SHA-256 that it must be over. The caller checks it. */
  timeStamp?: { token: Uint8Array; digest: Uint8Array } | undefined;
}

/** The file is not sealed, or was changed; the message says why. */
export class SealBroken extends Error {}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** Object identifiers, DER-encoded, in hex. */
const OID = {
  contentType: '2a864886f70d010903',
  messageDigest: '2a864886f70d010904',
  signingCertificateV2: '2a864886f70d010910022f',
  timeStampToken: '2a864886f70d010910020e',
  data: '2a864886f70d010701',
};

/**
 * Verifies the only signature of a sealed PDF, independently of the code that creates seals: it covers the whole file, no
 * byte changed, and its key belongs to its certificate. The caller decides whether to trust the certificate. Throws
 * SealBroken.
 */
export function checkSeal(pdf: Uint8Array): CheckedSeal {
  const { covered, signature, reason } = findSignature(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length));
  try {
    return { ...checkSignature(withoutPadding(signature), covered), reason };
  } catch (error) {
    if (error instanceof SealBroken) throw error;
    throw new SealBroken(`the signature cannot be read: ${(error as Error).message}`);
  }
}

const RANGE = /\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g;

function findSignature(file: Buffer) {
  const text = file.toString('latin1');
  const ranges = [...text.matchAll(RANGE)].map((match) => ({
    at: match.index,
    range: match.slice(1).map(Number) as [number, number, number, number],
  }));
  const complete = ranges.filter(
    ({ range: [start, , from, length] }) => start === 0 && from + length === file.length,
  );
  const [signature] = complete;
  if (!signature)
    throw new SealBroken(
      ranges.length > 0 ? 'the signature does not cover the whole file' : 'there is no signature',
    );
  const [, length, from] = signature.range;
  if (complete.length > 1 || !/^<[0-9a-fA-F]*>$/.test(text.slice(length, from)))
    throw new SealBroken('the signature excludes more of the file than itself');
  const hole = Buffer.from(text.slice(length + 1, from - 1), 'hex');
  const dictionary = text.slice(signature.at, text.indexOf('endobj', from));
  return {
    covered: Buffer.concat([file.subarray(0, length), file.subarray(from)]),
    signature: hole,
    reason: /\/Reason\s*\(([^()\\]*)\)/.exec(dictionary)?.[1] ?? '',
  };
}

/** The reserved space is as large as the signature could become; the rest of it must be zeros. */
function withoutPadding(hole: Uint8Array): Element {
  const element = readElement(hole);
  if (hole.subarray(element.bytes.length).some((byte) => byte !== 0))
    throw new SealBroken('unexpected bytes follow the signature');
  return element;
}

/** RFC 5652 §5.3 and §5.6: SignedData with one signer, and its signed attributes. */
function checkSignature(contentInfo: Element, covered: Uint8Array): Omit<CheckedSeal, 'reason'> {
  const signedData = child(child(contentInfo, 1, TAG.context0), 0, TAG.sequence);
  const certificates = children(child(signedData, 3, TAG.context0)).map(({ bytes }) => bytes);
  const signers = children(child(signedData, 4, TAG.set));
  if (signers.length !== 1) throw new SealBroken(`there are ${signers.length} signers in the signature`);
  const [signer] = signers as [Element];
  const attributes = child(signer, 3, TAG.context0);
  if (toHex(signedAttribute(attributes, OID.contentType).content) !== OID.data)
    throw new SealBroken('the signature covers another type of content');
  if (toHex(signedAttribute(attributes, OID.messageDigest).content) !== toHex(sha256(covered)))
    throw new SealBroken('the file was changed after it was sealed');
  const certificate = certificateOf(signedAttribute(attributes, OID.signingCertificateV2), certificates);
  const asSet = Buffer.concat([Uint8Array.of(TAG.set), attributes.bytes.subarray(1)]);
  const signature = child(signer, 5, TAG.octets).content;
  if (!verify('sha256', asSet, certificate.publicKey, signature))
    throw new SealBroken('the signature was not made with the key of its certificate');
  const unsigned = children(signer)[6];
  const token = unsigned?.tag === TAG.context1 ? attributeValue(unsigned, OID.timeStampToken) : undefined;
  return { certificate, timeStamp: token && { token: token.bytes, digest: sha256(signature) } };
}

function signedAttribute(attributes: Element, oid: string): Element {
  const value = attributeValue(attributes, oid);
  if (!value) throw new SealBroken(`the signature lacks the attribute ${oid}`);
  return value;
}

/** The certificate whose SHA-256 is in the first ESSCertIDv2 (RFC 5035 §3). */
function certificateOf(signingCertificate: Element, certificates: Uint8Array[]): X509Certificate {
  const expectedHash = toHex(child(child(child(signingCertificate, 0), 0), 0, TAG.octets).content);
  const certificate = certificates.find((der) => toHex(sha256(der)) === expectedHash);
  if (!certificate) throw new SealBroken('the signature does not contain the certificate it refers to');
  return new X509Certificate(certificate);
}
