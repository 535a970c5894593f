import { constants, createHash, verify, X509Certificate } from 'node:crypto';
import { attributeValue, child, children, type Element, TAG } from '../lib/der.js';
import { toHex } from '../lib/text/hex.ts';
import { certificateFault, isTrusted } from './certificate.ts';

/** What a time-stamp token says, once it was verified. */
export interface Stamp {
  /** When the authority saw the digest. */
  time: Date;
  certificate: X509Certificate;
  /** The subject of the certificate, in one line. */
  authority: string;
  /** Whether its certificate is one of the given roots, or was issued under one. */
  isTrusted: boolean;
  /** That of the request, in hex. */
  nonce: string | undefined;
}

/** A token that cannot be relied on; the message says why, after "the time-stamp". */
export class StampBroken extends Error {}

/** Object identifiers, DER-encoded, in hex. */
const OID = {
  signedData: '2a864886f70d010702',
  timeStampInfo: '2a864886f70d0109100104',
  contentType: '2a864886f70d010903',
  messageDigest: '2a864886f70d010904',
  signingCertificate: '2a864886f70d010910020c',
  signingCertificateV2: '2a864886f70d010910022f',
  rsaPss: '2a864886f70d01010a',
};

/** Names of Node for the digests that may be used, by object identifier. */
const DIGESTS: Record<string, string> = {
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
};

const SHA1 = 'sha1';

/**
 * Verifies a time-stamp token (RFC 3161 §2.4.2) over a SHA-256 digest: it is about this digest, its signature is that of its
 * certificate, and the certificate is one for time-stamps that was valid then. `roots`: certificates that the caller trusts.
 * Throws StampBroken.
 */
export function checkToken(token: Uint8Array, digest: Uint8Array, roots: readonly X509Certificate[]): Stamp {
  try {
    return check(token, digest, roots);
  } catch (error) {
    if (error instanceof StampBroken) throw error;
    throw new StampBroken(`cannot be read: ${(error as Error).message}`);
  }
}

function check(token: Uint8Array, digest: Uint8Array, roots: readonly X509Certificate[]): Stamp {
  const { info, certificates, signer } = readSignedData(token);
  const { time, nonce } = readInfo(info, digest);
  const certificate = checkSignature(signer, info, certificates);
  const fault = certificateFault(certificate, time);
  if (fault) throw new StampBroken(fault);
  const authority = certificate.subject.split('\n').join(', ');
  const trusted = isTrusted(certificate, { certificates, roots, time });
  return { time, nonce, certificate, authority, isTrusted: trusted };
}

/** RFC 5652 §5.1: the content, the certificates and the only signer. */
function readSignedData(token: Uint8Array) {
  const contentInfo = wholeElement(token);
  require(oidOf(child(contentInfo, 0)) === OID.signedData, 'is no signed data');
  const [, , content, ...rest] = children(child(child(contentInfo, 1, TAG.context0), 0, TAG.sequence));
  require(content !== undefined, 'has no content');
  require(oidOf(child(content, 0)) === OID.timeStampInfo, 'is over another type of content');
  const signers = children(rest.at(-1) as Element);
  require(signers.length === 1, `has ${signers.length} signers`);
  const [included] = rest.filter(({ tag }) => tag === TAG.context0);
  return {
    info: child(child(content, 1, TAG.context0), 0, TAG.octets).content,
    certificates: included ? children(included).map(({ bytes }) => new X509Certificate(bytes)) : [],
    signer: signers[0] as Element,
  };
}

/** TSTInfo: the digest must be this one. */
function readInfo(info: Uint8Array, digest: Uint8Array): { time: Date; nonce: string | undefined } {
  const [, , imprint, , time, ...optional] = children(wholeElement(info));
  require(imprint !== undefined && time !== undefined, 'is incomplete');
  require(DIGESTS[oidOf(child(child(imprint, 0), 0))] === 'sha256', 'is over another kind of digest');
  require(toHex(child(imprint, 1, TAG.octets).content) === toHex(digest), 'is over another digest');
  const nonce = optional.find(({ tag }) => tag === TAG.integer);
  return { time: readTime(time), nonce: nonce && toHex(nonce.content) };
}

/** GeneralizedTime, always in UTC (RFC 3161 §2.4.2). */
function readTime({ content }: Element): Date {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(
    Buffer.from(content).toString('latin1'),
  );
  require(parts !== null, 'has no valid time');
  const [, year, month, day, hour, minute, second, fraction = ''] = parts;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}Z`);
  require(!Number.isNaN(time.getTime()), 'has no valid time');
  return time;
}

/** RFC 5652 §5.4 and §5.6. Returns the certificate whose key signed. */
function checkSignature(signer: Element, info: Uint8Array, certificates: X509Certificate[]): X509Certificate {
  const [, , digestAlgorithm, attributes, algorithm, signature] = children(signer);
  require(attributes?.tag === TAG.context0 && algorithm !== undefined, 'has no signed attributes');
  const digest = DIGESTS[oidOf(child(digestAlgorithm as Element, 0))];
  require(digest !== undefined, 'is signed with a digest that is not accepted');
  const typeOf = attributeValue(attributes, OID.contentType);
  require(typeOf && oidOf(typeOf) === OID.timeStampInfo, 'signs another type of content');
  const expected = attributeValue(attributes, OID.messageDigest);
  require(expected && toHex(expected.content) === hash(digest, info), 'was changed after it was signed');
  const certificate = signingCertificate(attributes, certificates);
  const asSet = Buffer.concat([Uint8Array.of(TAG.set), attributes.bytes.subarray(1)]);
  const isPss = oidOf(child(algorithm, 0)) === OID.rsaPss;
  const key = isPss
    ? { key: certificate.publicKey, padding: constants.RSA_PKCS1_PSS_PADDING }
    : certificate.publicKey;
  require(verify(
    digest,
    asSet,
    key,
    (signature as Element).content,
  ), 'was not signed with the key of its certificate');
  return certificate;
}

/** The certificate that the signed attributes name by its digest (RFC 5035 §3 and §4; SHA-1 in the first version). */
function signingCertificate(attributes: Element, certificates: X509Certificate[]): X509Certificate {
  const v2 = attributeValue(attributes, OID.signingCertificateV2);
  const named = v2 ?? attributeValue(attributes, OID.signingCertificate);
  require(named !== undefined, 'does not name its certificate');
  const parts = children(child(child(named, 0), 0));
  const [algorithm] = parts[0]?.tag === TAG.sequence ? [parts.shift()] : [];
  const digest = v2 ? (algorithm ? DIGESTS[oidOf(child(algorithm, 0))] : 'sha256') : SHA1;
  const expected = toHex((parts[0] as Element).content);
  const certificate = digest && certificates.find(({ raw }) => hash(digest, raw) === expected);
  require(certificate, 'does not contain the certificate that it names');
  return certificate;
}

function wholeElement(bytes: Uint8Array): Element {
  const [element, ...others] = children({ tag: TAG.sequence, bytes, content: bytes });
  require(element?.tag === TAG.sequence && others.length === 0, 'is not one element of DER');
  return element;
}

const oidOf = ({ tag, content }: Element): string => (tag === TAG.oid ? toHex(content) : '');

const hash = (algorithm: string, bytes: Uint8Array): string =>
  createHash(algorithm).update(bytes).digest('hex');

function require(condition: unknown, problem: string): asserts condition {
  if (!condition) throw new StampBroken(problem);
}
