import { createHash } from 'node:crypto';
import type { SealCertificate } from '../../../src/pdf/seal/certificate.ts';
import { type Stamp, seal } from '../../../src/pdf/seal/seal.ts';
import { addStampRoom, fillRoom } from '../../../src/pdf/seal/stamp-update.js';
import type { StampedToken, TimeStamper } from '../../../src/timestamp/authority.ts';
import { job, testCertificate } from '../../pdf/seal/job.ts';

/** Seals a text as a server does, with a time-stamp if there is something that gives one. */
export async function sealedText(
  stamp?: Stamp<StampedToken>,
  certificate?: SealCertificate,
): Promise<Uint8Array<ArrayBuffer>> {
  const text = job(Buffer.from('Dear all,\n\nyes.'), [], 'text/plain');
  const reason = `Session sgs_1 completed with event 42 of the chain, SHA-256 ${'cd'.repeat(32)}`;
  const signer = certificate ?? (await testCertificate());
  return Uint8Array.from((await seal({ ...text, reason, signedAt: new Date() }, signer, stamp)).bytes);
}

/** Adds a document time-stamp to a sealed file. */
export async function stamped(file: Uint8Array, stamper: TimeStamper): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, hole } = addStampRoom(file, 8_192);
  const covered = [bytes.subarray(0, hole.start), bytes.subarray(hole.end)];
  const { token } = await stamper(createHash('sha256').update(Buffer.concat(covered)).digest());
  fillRoom(bytes, hole, token);
  return bytes;
}

/** The file with one bit changed. */
export function altered(file: Uint8Array, at: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(file);
  bytes[at] = (bytes[at] as number) ^ 1;
  return bytes;
}

/** An update as another program may append it: it replaces the catalog, and so what one sees. */
export function withForeignUpdate(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(file).toString('latin1');
  const last = /startxref\n(\d+)\n%%EOF\n?$/.exec(text)?.[1];
  const update = `9000 0 obj\n<< /Type /Catalog >>\nendobj\nxref\n9000 1\n${String(file.length).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 9001 /Root 9000 0 R /Prev ${last} >>\nstartxref\n${file.length + 42}\n%%EOF\n`;
  return Uint8Array.from(Buffer.concat([file, Buffer.from(update)]));
}
