import { addArchiveStamp, type Stamp } from '../../pdf/seal/seal.ts';
import { collectValidationData } from '../../revocation/collect.ts';
import { isRevocable } from '../../revocation/published.ts';
import type { StampedToken } from '../../timestamp/authority.ts';
import type { Certificate } from '../../verify/certificate.js';
import { nodeSuite } from '../../verify/node-suite.ts';
import { checkSeal } from '../../verify/seal.js';
import { checkToken } from '../../verify/time-stamp.js';

/** A sealed file with validation data, and a document time-stamp over both. */
export interface ArchivedFile {
  bytes: Uint8Array<ArrayBuffer>;
  timeStamp: StampedToken;
  /** How many certificates, OCSP responses and CRLs are in it. */
  validation: { certificates: number; ocsp: number; crls: number };
}

interface ArchiveOptions {
  stamp: Stamp<StampedToken>;
  /** Roots of the time-stamping authorities that are trusted: the addresses in the certificates of others are not asked. */
  roots: readonly Certificate[];
  now: Date;
}

/**
 * Makes a time-stamped seal (PAdES-B-T) one that can be validated when its authorities no longer answer (PAdES-B-LTA, ETSI EN 319
 * 142-1 §6.1). Resolves to undefined where no time-stamp is given, and to 'NEVER' for a seal without a time-stamp by an
 * authority under `roots`, or by a certificate about which no authority answers. Throws CertificateRevoked and ValidationIncomplete.
 */
export async function archiveSeal(
  file: Uint8Array,
  { stamp, roots, now }: ArchiveOptions,
): Promise<ArchivedFile | 'NEVER' | undefined> {
  const seal = await checkSeal(nodeSuite, file);
  const token = seal.timeStamp ?? seal.documentStamps[0];
  if (!token || seal.validation || !isRevocable(seal.certificate)) return 'NEVER';
  const { time, certificate, certificates, isTrusted } = await checkToken(
    nodeSuite,
    token.token,
    token.digest,
    roots,
  );
  if (!isTrusted) return 'NEVER';
  const data = await collectValidationData({
    certificates: [seal.certificate, certificate],
    candidates: [...seal.certificates, ...certificates, ...roots],
    after: time,
    now,
  });
  const stamped = await addArchiveStamp(file, data, stamp);
  const { certificates: all, ocsp, crls } = data;
  return (
    stamped && {
      ...stamped,
      validation: { certificates: all.length, ocsp: ocsp.length, crls: crls.length },
    }
  );
}
