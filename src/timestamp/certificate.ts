import { X509Certificate } from 'node:crypto';
import { child, children, readElement, TAG } from '../lib/der.js';
import { toHex } from '../lib/text/hex.ts';

/** id-kp-timeStamping. */
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

/** DER of id-ce-extKeyUsage, in hex. */
const EXTENDED_KEY_USAGE = '551d25';

/** [3] of a certificate, which has its extensions (RFC 5280 §4.1). */
const EXTENSIONS = 0xa3;

/** DER of BOOLEAN TRUE, in hex. */
const TRUE = '0101ff';

/** Certificates from the one of the authority to a root. */
const MAX_CHAIN = 8;

/**
 * A certificate of a time-stamping authority has this use alone, as a critical extension (RFC 3161 §2.3), and must have been
 * valid at that time. Returns what is wrong with a time-stamp that it signed; undefined if nothing is.
 */
export function certificateFault(certificate: X509Certificate, time: Date): string | undefined {
  const usages: readonly string[] = certificate.keyUsage ?? [];
  if (usages.length !== 1 || usages[0] !== TIME_STAMPING || !isCritical(certificate))
    return 'was signed with a certificate that is not for time-stamps alone';
  return isValidAt(certificate, time) ? undefined : 'was signed while its certificate was not valid';
}

function isCritical({ raw }: X509Certificate): boolean {
  const extensions = children(child(readElement(raw), 0, TAG.sequence)).find(({ tag }) => tag === EXTENSIONS);
  if (!extensions) return false;
  return children(child(extensions, 0, TAG.sequence)).some(
    (each) => toHex(child(each, 0).content) === EXTENDED_KEY_USAGE && toHex(child(each, 1).bytes) === TRUE,
  );
}

const isValidAt = ({ validFrom, validTo }: X509Certificate, time: Date): boolean =>
  new Date(validFrom) <= time && time <= new Date(validTo);

interface Issuers {
  /** Further certificates that may be on the way to a root. */
  certificates: readonly X509Certificate[];
  roots: readonly X509Certificate[];
  time: Date;
}

/** Whether a certificate is one of the roots, or was issued under one of them. Revocation is not asked for. */
export function isTrusted(certificate: X509Certificate, issuers: Issuers): boolean {
  const { certificates, roots, time } = issuers;
  const isRoot = ({ fingerprint256 }: X509Certificate) =>
    roots.some((root) => root.fingerprint256 === fingerprint256);
  let current = certificate;
  for (let length = 0; length < MAX_CHAIN; length++) {
    if (isRoot(current)) return true;
    const issuer = [...roots, ...certificates].find((each) => each.ca && hasIssued(each, current));
    if (!issuer || !isValidAt(issuer, time)) return false;
    current = issuer;
  }
  return false;
}

const hasIssued = (issuer: X509Certificate, certificate: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a PEM file. Throws for a file without any, or with one that cannot be read. */
export function readCertificates(text: string): X509Certificate[] {
  const certificates = [...text.matchAll(PEM)].map(([pem]) => new X509Certificate(pem));
  if (certificates.length === 0) throw new Error('there is no certificate in it');
  return certificates;
}
