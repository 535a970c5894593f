import { createHash, verify, X509Certificate } from 'node:crypto';
import { child, children, type Element, readElement, TAG } from './der.ts';

/** What a seal says, that holds. */
export interface CheckedSeal {
  certificate: X509Certificate;
  /** Why it was made, in the words of the server that made it. */
  reason: string;
}

/** Why a file is not sealed, or no longer. */
export class SealBroken extends Error {}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/** The object identifiers as they stand in DER. */
const OID = {
  contentType: '2a864886f70d010903',
  messageDigest: '2a864886f70d010904',
  signingCertificateV2: '2a864886f70d010910022f',
  data: '2a864886f70d010701',
};

/**
 * Checks the one signature of a sealed PDF, without what made it: that it covers the whole file, that no byte of that
 * changed, and that it was made with the key of the certificate it names. Whether to trust that certificate is for the
 * caller to say. Throws SealBroken.
 */
export function checkSeal(pdf: Uint8Array): CheckedSeal {
  const { covered, signature, reason } = findSignature(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length));
  try {
    return { certificate: checkSignature(withoutPadding(signature), covered), reason };
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
  const whole = ranges.filter(
    ({ range: [start, , from, length] }) => start === 0 && from + length === file.length,
  );
  const [found] = whole;
  if (!found)
    throw new SealBroken(
      ranges.length > 0 ? 'the signature does not cover the whole file' : 'there is no signature',
    );
  const [, length, from] = found.range;
  if (whole.length > 1 || !/^<[0-9a-fA-F]*>$/.test(text.slice(length, from)))
    throw new SealBroken('what the signature leaves out is more than the signature');
  const hole = Buffer.from(text.slice(length + 1, from - 1), 'hex');
  const dictionary = text.slice(found.at, text.indexOf('endobj', from));
  return {
    covered: Buffer.concat([file.subarray(0, length), file.subarray(from)]),
    signature: hole,
    reason: /\/Reason\s*\(([^()\\]*)\)/.exec(dictionary)?.[1] ?? '',
  };
}

/** The hole is as large as the signature could have become; the rest of it says nothing. */
function withoutPadding(hole: Uint8Array): Element {
  const element = readElement(hole);
  if (hole.subarray(element.bytes.length).some((byte) => byte !== 0))
    throw new SealBroken('behind the signature stands what does not belong there');
  return element;
}

/** RFC 5652 §5.3 and §5.6: SignedData with one signer, and its signed attributes. */
function checkSignature(contentInfo: Element, covered: Uint8Array): X509Certificate {
  const signedData = child(child(contentInfo, 1, TAG.context0), 0, TAG.sequence);
  const certificates = children(child(signedData, 3, TAG.context0)).map(({ bytes }) => bytes);
  const signers = children(child(signedData, 4, TAG.set));
  if (signers.length !== 1) throw new SealBroken(`there are ${signers.length} signers in the signature`);
  const [signer] = signers as [Element];
  const attributes = child(signer, 3, TAG.context0);
  if (hex(attributeValue(attributes, OID.contentType).content) !== OID.data)
    throw new SealBroken('the signature is over another type of content');
  if (hex(attributeValue(attributes, OID.messageDigest).content) !== hex(sha256(covered)))
    throw new SealBroken('the file was changed after it was sealed');
  const certificate = certificateOf(attributeValue(attributes, OID.signingCertificateV2), certificates);
  const asSet = Buffer.concat([Uint8Array.of(TAG.set), attributes.bytes.subarray(1)]);
  const signature = child(signer, 5, TAG.octets).content;
  if (!verify('sha256', asSet, certificate.publicKey, signature))
    throw new SealBroken('the signature was not made with the key of its certificate');
  return certificate;
}

function attributeValue(attributes: Element, oid: string): Element {
  const found = children(attributes).find((each) => hex(child(each, 0, TAG.oid).content) === oid);
  if (!found) throw new SealBroken(`the signature lacks the attribute ${oid}`);
  return child(child(found, 1, TAG.set), 0);
}

/** The certificate whose SHA-256 stands in the first ESSCertIDv2 (RFC 5035 §3). */
function certificateOf(signingCertificate: Element, certificates: Uint8Array[]): X509Certificate {
  const named = hex(child(child(child(signingCertificate, 0), 0), 0, TAG.octets).content);
  const found = certificates.find((der) => hex(sha256(der)) === named);
  if (!found) throw new SealBroken('the signature does not hold the certificate it names');
  return new X509Certificate(found);
}
