import { readFileSync } from 'node:fs';
import { degrees, PDFDocument, type PDFPage } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { readPdfText } from '../../../src/files/content/pdf/pdf-text.ts';
import { TryLater } from '../../../src/lib/fair-slots.ts';
import { NotSealable } from '../../../src/pdf/copy/not-sealable.ts';
import { prepare } from '../../../src/pdf/seal/draw.ts';
import { seal } from '../../../src/pdf/seal/seal.ts';
import { nodeSuite } from '../../../src/verify/node-suite.ts';
import { checkSeal } from '../../../src/verify/seal.js';
import { SealBroken } from '../../../src/verify/seal-broken.js';
import { sourceOf } from '../../files/content/bytes.ts';
import { encryptedPdf, pages, pdf } from '../../files/content/pdf-source.ts';
import { widePng } from '../../files/content/picture-source.ts';
import { field, hasPoppler, job, poppler, sealedFile, testCertificate } from './job.ts';

const sealed = async (...args: Parameters<typeof job>) => (await sealedFile(...args)).bytes;

const png = readFileSync(new URL('../../../prisma/seed/files/library-design/elevation.png', import.meta.url));
const jpeg = readFileSync(
  new URL('../../../prisma/seed/files/library-design/reading-room.jpg', import.meta.url),
);

describe('a sealed PDF', () => {
  it('has one signature over the whole file, and one page more', async () => {
    const { bytes, pageCount } = await sealedFile(pdf(pages(3)));
    const { certificate, reason } = await checkSeal(nodeSuite, bytes);
    expect([certificate.subject, reason]).toEqual(['CN=Test seal', 'Session sgs_1 completed.']);
    expect([pageCount, (await PDFDocument.load(bytes)).getPageCount()]).toEqual([4, 4]);
  });

  it.runIf(hasPoppler)('is valid and signed as a whole according to Poppler (needs Poppler)', async () => {
    const report = await poppler('pdfsig', await sealed(pdf(pages(1))));
    expect(report.match(/Signature #/g)).toHaveLength(1);
    expect(report).toContain('Signature Type: ETSI.CAdES.detached');
    expect(report).toContain('Signing Hash Algorithm: SHA-256');
    expect(report).toContain('Total document signed');
    expect(report).toContain('Signature is Valid');
  });

  it('is invalid with any changed byte, and with appended bytes', async () => {
    const bytes = await sealed(pdf(pages(1)));
    const start = Buffer.from(bytes).indexOf('/Contents <') + 11;
    const end = Buffer.from(bytes).indexOf('>', start);
    const covered = Array.from({ length: 300 }, (_, index) => Math.floor((index * bytes.length) / 300));
    const offsets = covered.filter((offset) => offset < start || offset >= end);
    const padding = Array.from({ length: 20 }, (_, index) => end - 1 - index);
    const missed: number[] = [];
    for (const offset of [...offsets, ...padding]) if (!(await breaks(bytes, offset))) missed.push(offset);
    expect(missed).toEqual([]);
    await expect(checkSeal(nodeSuite, Buffer.concat([bytes, Buffer.from('\n')]))).rejects.toThrow(
      'not cover the whole file',
    );
  });

  it('reports a missing signature', async () => {
    await expect(checkSeal(nodeSuite, pdf(pages(1)))).rejects.toThrow('there is no signature');
  });

  it('has one signature if a sealed PDF is sealed again', async () => {
    const again = await sealed(await sealed(pdf(pages(1))));
    await checkSeal(nodeSuite, again);
    expect(
      Buffer.from(again)
        .toString('latin1')
        .match(/\/ByteRange/g),
    ).toHaveLength(1);
    if (hasPoppler) expect((await poppler('pdfsig', again)).match(/Signature #/g)).toHaveLength(1);
  });
});

async function breaks(bytes: Uint8Array, offset: number): Promise<boolean> {
  const changed = Uint8Array.from(bytes);
  changed[offset] = (changed[offset] as number) ^ 1;
  try {
    await checkSeal(nodeSuite, changed);
    return false;
  } catch (error) {
    if (error instanceof SealBroken) return true;
    throw error;
  }
}

describe('a PDF with an owner password only', () => {
  // qpdf --encrypt '' owner 256 --modify=none --extract=n -- --object-streams=generate
  const fixture = readFileSync(new URL('./owner-locked.pdf', import.meta.url));

  it.each([
    ['with AES of 256 bits, by qpdf', fixture],
    ['with RC4 of 40 bits', encryptedPdf(1, 'owner')],
  ])('is sealed as what everybody can read: %s', async (_, content) => {
    const bytes = await sealed(content, [field({ value: 'MARK' })]);
    await checkSeal(nodeSuite, bytes);
    expect((await PDFDocument.load(bytes)).isEncrypted).toBe(false);
    const { pages } = await readPdfText(sourceOf(bytes));
    expect(pages).toHaveLength(2);
    expect(pages[0]).toContain('MARK');
    if (content === fixture) expect(pages[0]).toContain('Terms of the contract');
  });
});

async function pageOf(change: (page: PDFPage) => void): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  change(pdf.addPage([595, 842]));
  return pdf.save();
}

const numbers = (pattern: RegExp, text: string): number[] => (pattern.exec(text) ?? []).slice(1).map(Number);

describe.runIf(hasPoppler)('a filled-in value (needs Poppler)', () => {
  it.each<[string, (page: PDFPage) => void, turned?: boolean]>([
    ['an upright page', () => {}],
    ['a page turned by 90°', (page) => page.setRotation(degrees(90)), true],
    ['a page turned by 180°', (page) => page.setRotation(degrees(180))],
    ['a page turned by 270°', (page) => page.setRotation(degrees(270)), true],
    ['a page turned by −90°', (page) => page.setRotation(degrees(-90)), true],
    ['an A3 page', (page) => page.setSize(1191, 842)],
    ['a page whose origin is elsewhere', (page) => page.setMediaBox(-200, 300, 595, 842)],
    ['a cropped page', (page) => page.setCropBox(100, 50, 300, 400)],
    [
      'a cropped page that is turned',
      (page) => {
        page.setCropBox(100, 50, 300, 400);
        page.setRotation(degrees(90));
      },
      true,
    ],
    ['a page with a crop box larger than itself', (page) => page.setCropBox(-100, -100, 2_000, 2_000)],
  ])('is at the position of its field on %s', async (_, change, turned) => {
    const bytes = await sealed(await pageOf(change), [field({ value: 'MARK', x: 25, y: 40 })]);
    const boxes = await poppler('pdftotext', bytes, '-bbox', '-cropbox', '-l', '1');
    const upright = numbers(/<page width="([\d.]+)" height="([\d.]+)"/, boxes);
    const [width = 0, height = 0] = turned ? upright.toReversed() : upright;
    const [left = 0, top = 0, right = 0, bottom = 0] = numbers(
      /xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">MARK</,
      boxes,
    );
    expect(left / width).toBeCloseTo(0.25, 2);
    expect(Math.abs(top - 0.4 * height)).toBeLessThan(4);
    expect(right - left).toBeGreaterThan(bottom - top);
  });

  it('is inside the page for any position of the field', async () => {
    const far = [field({ value: 'FAR', x: 5_000, y: 9_999, pageIndex: 77 })];
    const boxes = await poppler('pdftotext', await sealed(pdf(pages(2)), far), '-bbox', '-f', '2', '-l', '2');
    const [right = 999, bottom = 999] = numbers(/xMax="([\d.]+)" yMax="([\d.]+)">FAR</, boxes);
    expect([right <= 612, bottom <= 792]).toEqual([true, true]);
  });

  it('is text in many scripts, wrapped if it is long', async () => {
    const values = ['Żółć Ångström', 'Владимир', 'Anna 山田太郎 김민수', `${'word '.repeat(80)}end`];
    const fields = values.map((value, index) => field({ type: 'TEXT', value, y: 10 + 15 * index }));
    const text = await poppler('pdftotext', await sealed(pdf(pages(1)), fields), '-l', '1');
    for (const value of values.slice(0, 3)) expect(text).toContain(value);
    expect(text.split(/\s+/).filter((word) => word === 'word')).toHaveLength(80);
  });

  it('is not on another page that shares its content stream', async () => {
    const shared = pdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 612 792]/Resources<<>>>>',
      '<</Type/Page/Parent 2 0 R/Contents 5 0 R>>',
      '<</Type/Page/Parent 2 0 R/Contents 5 0 R>>',
      '[6 0 R]',
      '<</Length 3>>\nstream\nq Q\nendstream',
    ]);
    const bytes = await sealed(shared, [field({ value: 'ONCE' })]);
    expect(await poppler('pdftotext', bytes, '-f', '1', '-l', '1')).toContain('ONCE');
    expect(await poppler('pdftotext', bytes, '-f', '2', '-l', '2')).not.toContain('ONCE');
  });
});

describe('a file that is not a PDF', () => {
  it.each([
    ['an image', png, 'image/png'],
    ['a photograph', jpeg, 'image/jpeg'],
    ['a text', Buffer.from('Dear all,\n\nyes.'), 'text/plain'],
    ['an empty text', Buffer.alloc(0), 'text/plain'],
    ['a text in Latin-1', Buffer.from('Grüße', 'latin1'), 'text/plain'],
  ])('is converted to a PDF: %s', async (_, content, type) => {
    const { bytes, pageCount } = await seal(job(content, [field({})], type), await testCertificate());
    await checkSeal(nodeSuite, bytes);
    expect(pageCount).toBe(2);
  });

  it('is scaled down where it is an image of more pixels than a page needs', async () => {
    const { bytes } = await seal(job(widePng(9_000), [], 'image/png'), await testCertificate());
    const first = (await PDFDocument.load(bytes)).getPage(0);
    expect(first.node.Resources()?.toString()).toContain('/Image');
  });

  it('gets as many pages as its lines need', async () => {
    const long = Buffer.from('line\n'.repeat(200));
    expect((await seal(job(long, [], 'text/plain'), await testCertificate())).pageCount).toBe(5);
  });

  it('may be signed with a drawing', async () => {
    const value = `data:image/png;base64,${png.toString('base64')}`;
    const bytes = await sealed(pdf(pages(1)), [field({ type: 'SIGNATURE', value })]);
    const first = (await PDFDocument.load(bytes)).getPage(0);
    expect(first.node.Resources()?.toString()).toContain('/Image');
  });
});

describe('the seals of one organization', () => {
  it('do not delay that of another', async () => {
    const certificate = await testCertificate();
    const long = Buffer.from('a word '.repeat(3_000));
    const order: string[] = [];
    const begin = async (organizationId: string, content: Buffer) => {
      await seal({ ...job(content, [], 'text/plain'), organizationId }, certificate);
      order.push(organizationId);
    };
    // Both processes have started: the start of one takes as long as several seals.
    await Promise.all([begin('org_many', Buffer.from('first')), begin('org_one', Buffer.from('first'))]);
    order.length = 0;
    const many = [1, 2, 3, 4].map(() => begin('org_many', long));
    await Promise.all([...many, begin('org_one', Buffer.from('short'))]);
    expect(order.indexOf('org_one')).toBeLessThan(2);
  });
});

describe('a file that cannot be sealed', () => {
  it.each([
    ['locked', encryptedPdf(1, 'user'), 'it is locked with a password'],
    ['without pages', pdf(pages(0)), 'it has no pages'],
    ['nothing', Buffer.from('hello'), 'it is broken'],
    ['fewer pages than its tree says', pdf(pages(2, 9)), 'it is broken'],
  ])('fails with the reason: %s', async (_, content, text) => {
    const failed = sealedFile(content);
    await expect(failed).rejects.toBeInstanceOf(NotSealable);
    await expect(failed).rejects.toThrow(text);
  });

  it('is not one that took too long, which can be retried', async () => {
    // Enough pages for several times the limit, also in a process that has drawn before.
    const longJob = { ...job(pdf(pages(4_000))), signatureBytes: 100 };
    await expect(prepare(longJob, 40)).rejects.toBeInstanceOf(TryLater);
    await expect(prepare(longJob)).resolves.toMatchObject({ pageCount: 4_001 });
  });
});
