import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { readPdfText } from '../../../src/files/content/pdf/pdf-text.ts';
import { formPdf } from '../../../src/pdf/draw/form-pdf.ts';
import { sourceOf } from '../../files/content/bytes.ts';
import { field, hasPoppler, poppler, sealedFile } from '../seal/job.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}.`);

async function paper(pageCount = 2) {
  const pdf = await PDFDocument.create();
  for (let index = 0; index < pageCount; index++) pdf.addPage([595, 842]);
  return pdf.save();
}

const pagesOf = async (bytes: Uint8Array) => (await readPdfText(sourceOf(bytes))).pages;

const numbered = (text: string | undefined) => (text?.match(/line \d+\./g) ?? []).length;

describe('a signed text without room in its field', () => {
  it('is whole on an added page before the record, and each refers to the other', async () => {
    const note = field({ type: 'TEXT', label: 'Remarks', value: lines(31).join('\n'), y: 95 });
    const { bytes, pageCount } = await sealedFile(await paper(), [note]);
    const [first, , added, record] = await pagesOf(bytes);
    expect(pageCount).toBe(4);
    expect(first).toContain('whole text on page 3');
    expect(added).toContain('Remarks (whole text of the field on page 1)');
    expect(numbered(added)).toBe(31);
    expect(record).toContain('Record of the signing');
  });

  it('goes on over as many pages as it needs, and the next one is counted after it', async () => {
    const fields = [
      field({ type: 'TEXT', label: 'One', value: lines(150).join('\n'), y: 95 }),
      field({ type: 'TEXT', label: 'Two', value: lines(40).join('\n'), y: 95, pageIndex: 1 }),
    ];
    const pages = await pagesOf((await sealedFile(await paper(), fields)).bytes);
    const start = pages.findIndex((text) => text.includes('Two (whole text of the field on page 2)')) + 1;
    expect(pages[0]).toContain('whole text on page 3');
    expect(pages[1]).toContain(`whole text on page ${start}`);
    expect(pages.slice(2).reduce((sum, text) => sum + numbered(text), 0)).toBe(190);
    expect(start).toBeGreaterThan(3);
  });

  it('refers to it also from a field that is too small for anything', async () => {
    const value = 'Alexandra Konstantina Papadopoulou-Anagnostopoulou';
    const fields = [field({ value, x: 98, y: 99, width: 1, height: 0.5 })];
    const [first, , added] = await pagesOf((await sealedFile(await paper(), fields)).bytes);
    expect(first).toContain('whole text on page 3');
    expect(added).toContain('Full name (whole text of the field on page 1)');
    expect(added).toContain(value);
  });

  it.runIf(hasPoppler)('is never smaller than 6 points', async () => {
    const fields = [field({ type: 'TEXT', value: lines(60).join(' '), width: 20, height: 4 })];
    const { bytes } = await sealedFile(await paper(), fields);
    const boxes = await poppler('pdftotext', bytes, '-bbox', '-l', '1');
    const heights = [...boxes.matchAll(/yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)"/g)].map(
      ([, top, bottom]) => Number(bottom) - Number(top),
    );
    expect(heights.length).toBeGreaterThan(0);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(6);
  });
});

describe('a text that fits', () => {
  it('adds no page', async () => {
    const fields = [field({ type: 'TEXT', value: lines(31).join('\n'), y: 10 })];
    const { bytes, pageCount } = await sealedFile(await paper(), fields);
    expect(pageCount).toBe(3);
    expect(numbered((await pagesOf(bytes))[0])).toBe(31);
  });
});

describe('an answer on the PDF of a form', () => {
  const sheet = async (value: string, pageIndex = 0) => ({
    formName: 'Visit',
    projectName: 'Quay',
    organizationName: 'Harbor',
    submittedBy: 'Åsa',
    submittedAt: new Date('2031-03-04T05:06:00Z'),
    basePdf: await paper(1),
    answers: [
      { label: 'Notes', values: [value], position: { pageIndex, x: 10, y: 50, width: 40, fontSize: 12 } },
    ],
  });

  it('is whole on added pages if it does not fit', async () => {
    const pages = await pagesOf((await formPdf(await sheet(lines(1_200).join('\n')))).bytes);
    expect(pages[0]).toContain('whole text on page 2');
    expect(pages[1]).toContain('Notes (whole text of the field on page 1)');
    expect(pages.slice(1).reduce((sum, text) => sum + numbered(text), 0)).toBe(1_200);
  });

  it('is on a page after it if the PDF has no such page', async () => {
    const pages = await pagesOf((await formPdf(await sheet('line 1.', 7))).bytes);
    expect(pages.map(numbered)).toEqual([0, 1]);
  });
});
