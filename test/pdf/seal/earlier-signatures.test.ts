import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { selfSigned } from '../../../src/pdf/seal/self-signed.ts';
import { nodeSuite } from '../../../src/verify/node-suite.ts';
import { checkSeal } from '../../../src/verify/seal.js';
import { pages, pdf } from '../../files/content/pdf-source.ts';
import { hasPoppler, poppler, sealedFile } from './job.ts';
import { timeStamp, unsigned, withSignature } from './signed-pdf.ts';

const [ann, bob] = await Promise.all([selfSigned('Ann Żółć'), selfSigned('Bob')]);

async function sealed(original: Uint8Array) {
  const result = await sealedFile(original);
  const record = await poppler('pdftotext', result.bytes, '-layout', '-f', '2');
  return { ...result, record: record.replace(/\s+/g, ' ') };
}

/** What pdfsig says of each signature. */
const verdicts = async (bytes: Uint8Array) =>
  [...(await poppler('pdfsig', bytes)).matchAll(/Signature Validation: (.*)/g)].map(([, verdict]) => verdict);

/** The attachment, as Poppler extracts it. */
function attached(bytes: Uint8Array): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'attached-'));
  try {
    writeFileSync(join(folder, 'sealed.pdf'), bytes);
    execFileSync('pdfdetach', ['-save', '1', '-o', 'original.pdf', 'sealed.pdf'], { cwd: folder });
    return readFileSync(join(folder, 'original.pdf'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const VALID = 'Signature is Valid.';

describe.runIf(hasPoppler)('a sealed file that had signatures (needs Poppler)', () => {
  it('lists a valid one, and has the original, in which it is still valid', async () => {
    const original = await withSignature(unsigned(), ann, { reason: 'I agree' });
    expect(await verdicts(original)).toEqual([VALID]);
    const { bytes, earlier, record } = await sealed(original);
    expect(earlier).toEqual([
      {
        state: 'VALID',
        kind: 'SIGNATURE',
        signer: 'Ann Żółć',
        organization: '',
        reason: 'I agree',
        time: '2031-03-04T09:15:27.000Z',
      },
    ]);
    await checkSeal(nodeSuite, bytes);
    expect(await verdicts(bytes)).toEqual([VALID]);
    expect(await poppler('pdfsig', bytes)).toContain('Total document signed');
    expect(attached(bytes).equals(original)).toBe(true);
    expect(await verdicts(attached(bytes))).toEqual([VALID]);
    for (const text of [
      'Earlier digital signatures: 1',
      'Ann Żółć',
      'I agree',
      'no byte of the file was changed',
      'signed-original.pdf',
      'not judged',
    ])
      expect(record).toContain(text);
  });

  it('says of one whose file was changed that it is not valid', async () => {
    const original = await withSignature(unsigned(), ann);
    original.write('tampered', original.indexOf('The signed text'));
    expect(await verdicts(original)).not.toEqual([VALID]);
    const { bytes, earlier, record } = await sealed(original);
    expect(earlier).toMatchObject([{ state: 'INVALID', signer: 'Ann Żółć' }]);
    expect(record).toContain('not valid');
    expect(attached(bytes).equals(original)).toBe(true);
  });

  it('says of one whose message was exchanged that it is not valid', async () => {
    const original = await withSignature(unsigned(), ann);
    const other = await withSignature(unsigned(), ann, { reason: 'I refuse' });
    const messageOf = (file: Buffer) => /\/Contents<([0-9a-f]+)>/.exec(file.toString('latin1'))?.[1] ?? '';
    const mixed = Buffer.from(
      original.toString('latin1').replace(messageOf(original), messageOf(other)),
      'latin1',
    );
    expect((await sealed(mixed)).earlier).toMatchObject([{ state: 'INVALID' }]);
  });

  it('tells two in a row apart: the first does not cover the second', async () => {
    const original = await withSignature(await withSignature(unsigned(), ann), bob, { reason: 'Seen' });
    expect(await verdicts(original)).toEqual([VALID, VALID]);
    const { bytes, earlier } = await sealed(original);
    expect(earlier).toMatchObject([
      { state: 'VALID_BEFORE_CHANGES', signer: 'Ann Żółć' },
      { state: 'VALID', signer: 'Bob', reason: 'Seen' },
    ]);
    expect(await verdicts(attached(bytes))).toEqual([VALID, VALID]);
  });

  it('names a certification, and a document time stamp', async () => {
    const certified = await withSignature(unsigned(), ann, { certifies: true });
    const original = await withSignature(certified, bob, { message: timeStamp, subFilter: 'ETSI.RFC3161' });
    const { bytes, earlier, record } = await sealed(original);
    expect(earlier).toMatchObject([
      { kind: 'CERTIFICATION', state: 'VALID_BEFORE_CHANGES', signer: 'Ann Żółć' },
      { kind: 'TIME_STAMP', state: 'VALID', signer: 'Clock' },
    ]);
    expect(record).toMatch(/Certification 1 .*Time stamp 2/);
    expect(await verdicts(bytes)).toEqual([VALID]);
  });

  it('lists the seal of this server where its sealed file is signed again', async () => {
    const first = (await sealed(pdf(pages(1)))).bytes;
    const { bytes, earlier } = await sealed(first);
    expect(earlier).toMatchObject([
      { kind: 'CERTIFICATION', state: 'VALID', signer: 'Test seal', reason: 'Session sgs_1 completed.' },
    ]);
    expect(await verdicts(attached(bytes))).toEqual([VALID]);
    await checkSeal(nodeSuite, attached(bytes));
  });

  it.each<[string, (file: string) => string]>([
    [
      'lies about its byte range',
      (file) =>
        file.replace(/\/ByteRange\[0 \d+ /, (all) => all.replace(/ \d+ $/, ' 00000007 ').padEnd(all.length)),
    ],
    ['ends after the file', (file) => file.replace(/(\/ByteRange\[0 \d+ \d+) \d+/, '$1 9999999999')],
    [
      'has an empty message',
      (file) => file.replace(/\/Contents<[0-9a-f]+>/, (all) => `/Contents<${'0'.repeat(all.length - 11)}>`),
    ],
    ['has no byte range', (file) => file.replace('/ByteRange', '/ByteXange')],
    [
      'has a byte range of words',
      (file) => file.replace(/\/ByteRange\[[^\]]*\]/, (all) => '/ByteRange[/A/B/C/D]'.padEnd(all.length)),
    ],
  ])('is sealed although one %s', async (_, change) => {
    const original = Buffer.from(change((await withSignature(unsigned(), ann)).toString('latin1')), 'latin1');
    const { bytes, earlier, record } = await sealed(original);
    expect(earlier).toMatchObject([{ state: 'UNREADABLE' }]);
    expect(record).toContain('could not be read');
    expect(await verdicts(bytes)).toEqual([VALID]);
  });

  it('is sealed although it has hundreds', async () => {
    const fields = Array.from({ length: 400 }, (_, index) => `${index + 4} 0 R`);
    const signature = '<</FT/Sig/T(x)/V<</Type/Sig/ByteRange[0 1 9 9]/Contents<00>>>>>';
    const many = pdf([
      `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${fields.join(' ')}]>>>>`,
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>',
      ...fields.map(() => signature),
    ]);
    const { earlier, record } = await sealed(many);
    expect(earlier).toHaveLength(400);
    expect(record).toContain('350 further ones are not listed');
  });
});

it.runIf(hasPoppler)(
  'a sealed file that had no signature has no attachment and says nothing of them (needs Poppler)',
  async () => {
    const { bytes, record } = await sealed(unsigned());
    expect(record).not.toContain('Earlier');
    expect(await poppler('pdfdetach', bytes, '-list')).toContain('0 embedded files');
  },
);
