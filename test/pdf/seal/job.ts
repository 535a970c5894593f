import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bytesSource } from '../../../src/files/store/byte-source.ts';
import { makeSigningCopy } from '../../../src/pdf/copy/signing-copy.ts';
import type { DrawnField } from '../../../src/pdf/draw/drawn-field.ts';
import type { SealCertificate } from '../../../src/pdf/seal/certificate.ts';
import type { SealJob } from '../../../src/pdf/seal/job.ts';
import { mayHaveSignatures, seal } from '../../../src/pdf/seal/seal.ts';
import { selfSigned } from '../../../src/pdf/seal/self-signed.ts';

/** The same for all tests of a worker: making one takes a while. */
let certificate: Promise<SealCertificate> | undefined;

export function testCertificate(): Promise<SealCertificate> {
  certificate ??= selfSigned('Test seal');
  return certificate;
}

/** A field of text without a size, unless it says otherwise. */
export const field = (properties: Partial<DrawnField>): DrawnField => ({
  type: 'FULL_NAME',
  value: 'Ann',
  pageIndex: 0,
  x: 10,
  y: 10,
  width: null,
  height: null,
  ...properties,
});

export const job = (
  content: Uint8Array,
  fields: DrawnField[] = [],
  contentType = 'application/pdf',
): Omit<SealJob, 'signatureBytes'> => ({
  organizationId: 'org_1',
  content: Uint8Array.from(content),
  contentType,
  removed: [],
  fields,
  signedAt: new Date('2031-03-04T09:15:27Z'),
  reason: 'Session sgs_1 completed.',
  audit: {
    documentName: 'contract.pdf',
    documentId: 'doc_1',
    organizationName: 'Harbor',
    sessionId: 'sgs_1',
    completedAt: new Date('2031-03-04T09:15:27Z'),
    revision: { number: 1, name: 'contract.pdf', sha256: 'ab'.repeat(32) },
    copySha256: 'ef'.repeat(32),
    renditionSha256: null,
    signers: [
      {
        rank: 1,
        fullName: 'Ann',
        email: 'ann@signers.test',
        requestedAt: new Date('2031-03-04T09:00:00Z'),
        requestSentAt: new Date('2031-03-04T09:00:02Z'),
        completedAt: new Date('2031-03-04T09:15:27Z'),
        ipAddress: '192.0.2.7',
        userAgent: 'test',
        day: '2031-03-04 (UTC)',
      },
    ],
    chain: { sequence: '42', hash: 'cd'.repeat(32) },
    checkUrl: 'https://docs.example/verify/sgs_01m8gseg7se008jmqvyferqee8',
  },
});

/** Seals a file as it is sealed when it was signed: a PDF by its copy. */
export async function sealedFile(...[content, fields, contentType]: Parameters<typeof job>) {
  const request = job(content, fields, contentType);
  const copy =
    request.contentType === 'application/pdf' ? await makeSigningCopy(bytesSource(content)) : undefined;
  const removed = copy?.removed ?? [];
  const original = copy && mayHaveSignatures(copy.bytes) ? request.content : undefined;
  const file = await seal(
    { ...request, content: copy?.bytes ?? request.content, original, removed },
    await testCertificate(),
  );
  return { ...file, removed };
}

export const hasPoppler = existsSync('/usr/bin/pdfsig');

/** The output of one of Poppler's programs for a PDF. */
export async function poppler(program: string, pdf: Uint8Array, ...options: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'seal-'));
  try {
    const file = join(folder, 'sealed.pdf');
    await writeFile(file, pdf);
    const last = program === 'pdftotext' ? ['-'] : [];
    return (await promisify(execFile)(program, [...options, file, ...last])).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}
