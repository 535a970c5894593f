import { webcrypto } from 'node:crypto';
import { requireSamePages } from '../copy/same-pages.ts';
import type { SealCertificate } from './certificate.ts';
import { prepare } from './draw.ts';
import type { Prepared, SealJob } from './job.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes for the parts besides the certificates: attributes, and an RSA signature of up to 8,192 bits. */
const RESERVED_BYTES = 3_072;

/** Whether the copy of a PDF, which has no compressed objects, may have fields of signatures (ISO 32000-2 §12.7.5.5). */
export const mayHaveSignatures = ({ buffer, byteOffset, length }: Uint8Array): boolean =>
  Buffer.from(buffer, byteOffset, length).includes('/Sig');

/**
 * Draws values and audit pages, compares the pages with those that people signed, and signs the whole file with one
 * PAdES-B-B signature (ETSI EN 319 142-1). Throws as `prepare` and `requireSamePages` do.
 */
export async function seal(
  job: Omit<SealJob, 'signatureBytes'>,
  certificate: SealCertificate,
): Promise<{ bytes: Bytes } & Pick<Prepared, 'pageCount' | 'earlier'>> {
  const signatureBytes = RESERVED_BYTES + certificate.chain.reduce((total, { length }) => total + length, 0);
  const prepared = await prepare({ ...job, signatureBytes });
  const { bytes, pageCount, hole, earlier } = prepared;
  if (job.contentType === 'application/pdf') await requireSamePages(job, prepared);
  const covered = Buffer.concat([bytes.subarray(0, hole.start), bytes.subarray(hole.end)]);
  const digest = new Uint8Array(await webcrypto.subtle.digest('SHA-256', covered));
  const { signDetached } = await import('./cms.ts');
  const signature = Buffer.from(await signDetached(digest, certificate)).toString('hex');
  const maxLength = hole.end - hole.start - 2;
  if (signature.length > maxLength) throw new Error('the signature is larger than the reserved space');
  Buffer.from(bytes.buffer).write(signature.padEnd(maxLength, '0'), hole.start + 1, 'latin1');
  return { bytes, pageCount, earlier };
}
