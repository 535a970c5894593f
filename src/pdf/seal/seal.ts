import { webcrypto } from 'node:crypto';
import type { SealCertificate } from './certificate.ts';
import { prepare } from './draw.ts';
import type { ActiveContent, SealJob } from './job.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** For what is not the certificates: attributes, and an RSA signature of up to 8,192 bits. */
const ROOM = 3_072;

/**
 * The file with its values and audit pages drawn, under one PAdES-B-B signature (ETSI EN 319 142-1) over all of it.
 * Throws as `prepare` does.
 */
export async function seal(
  job: Omit<SealJob, 'signatureBytes'>,
  certificate: SealCertificate,
): Promise<{ bytes: Bytes; pageCount: number; removed: ActiveContent[] }> {
  const room = ROOM + certificate.chain.reduce((total, { length }) => total + length, 0);
  const { bytes, pageCount, hole, removed } = await prepare({ ...job, signatureBytes: room });
  const covered = Buffer.concat([bytes.subarray(0, hole.start), bytes.subarray(hole.end)]);
  const digest = new Uint8Array(await webcrypto.subtle.digest('SHA-256', covered));
  const { signDetached } = await import('./cms.ts');
  const signature = Buffer.from(await signDetached(digest, certificate)).toString('hex');
  const hex = hole.end - hole.start - 2;
  if (signature.length > hex) throw new Error('the signature is larger than its hole');
  Buffer.from(bytes.buffer).write(signature.padEnd(hex, '0'), hole.start + 1, 'latin1');
  return { bytes, pageCount, removed };
}
