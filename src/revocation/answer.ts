import { readElement } from '../lib/der.js';
import { MINUTE } from '../lib/time.ts';
import type { Certificate } from '../verify/certificate.js';
import { nodeSuite } from '../verify/node-suite.ts';
import { signatureScheme } from '../verify/signature-scheme.js';

/** An authority revoked a certificate. */
export class CertificateRevoked extends Error {
  readonly subject: string;
  readonly revokedAt: Date;

  constructor({ subject }: Certificate, revokedAt: Date) {
    super(`the certificate ${subject} was revoked at ${revokedAt.toISOString()}`);
    this.subject = subject;
    this.revokedAt = revokedAt;
  }
}

/** The state of a certificate cannot be found out now; the message says why, by host. */
export class ValidationIncomplete extends Error {}

/** A certificate whose state is in question, and the one that it is signed with. */
export interface Question {
  certificate: Certificate;
  issuer: Certificate;
  /** The answer must be newer than this: when the signature existed. Undefined for an issuer, whose answers change rarely. */
  after: Date | undefined;
  now: Date;
}

/** How far the clock of an authority may be ahead of that of this machine, in ms. */
const CLOCK_TOLERANCE = 5 * MINUTE;

/**
 * Throws where an answer is not in force, or older than the signature: a certificate may have been revoked between both (ETSI EN
 * 319 102-1 §5.2.5).
 */
export function requireFresh(thisUpdate: Date, nextUpdate: Date | undefined, { after, now }: Question): void {
  if (after && thisUpdate <= after)
    throw new Error(`its answer of ${thisUpdate.toISOString()} is older than the signature`);
  if (thisUpdate.getTime() > now.getTime() + CLOCK_TOLERANCE)
    throw new Error(`its answer is of ${thisUpdate.toISOString()}, which is in the future`);
  if (nextUpdate && nextUpdate < now) throw new Error(`its answer ended at ${nextUpdate.toISOString()}`);
}

/** Whether an answer is signed with the key of this certificate. `algorithm`: AlgorithmIdentifier in DER. */
export const isSignedWith = (
  { publicKey }: Certificate,
  signed: Uint8Array,
  algorithm: ArrayBuffer,
  signature: Uint8Array,
): Promise<boolean> =>
  nodeSuite.verify({
    publicKey,
    ...signatureScheme(readElement(new Uint8Array(algorithm))),
    signed: [signed],
    signature,
  });
