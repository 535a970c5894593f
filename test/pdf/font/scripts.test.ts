import { PDFDocument } from '@cantoo/pdf-lib';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPdfText } from '../../../src/files/content/pdf/pdf-text.ts';
import type { DrawnField } from '../../../src/pdf/draw/drawn-field.ts';
import { formPdf } from '../../../src/pdf/draw/form-pdf.ts';
import { sourceOf } from '../../files/content/bytes.ts';
import { drawPage } from '../../files/content/page-colours.ts';
import { field, hasPoppler, poppler, sealedFile } from '../seal/job.ts';
import { SAMPLES } from './samples.ts';

const rows = Object.entries(SAMPLES);
const ROW = 3;

async function sealedWith(fields: DrawnField[]) {
  const pdf = await PDFDocument.create();
  pdf.addPage([595, 842]);
  return (await sealedFile(await pdf.save(), fields)).bytes;
}

/** Without the marks of direction that programs add. */
const plain = (text: string) =>
  text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').normalize('NFC');

/** The scripts whose sample is not in the text twice. */
const missingIn = (text: string) =>
  rows.filter(([, value]) => text.split(plain(value)).length !== 3).map(([script]) => script);

describe('a sealed page', () => {
  let bytes: Uint8Array;
  beforeAll(async () => {
    bytes = await sealedWith(
      rows.flatMap(([, value], index) => {
        const place = { value, y: 1 + index * ROW, height: ROW };
        return [
          field({ type: 'TEXT', x: 5, width: 40, ...place }),
          field({ type: 'SIGNATURE', x: 50, width: 40, ...place }),
        ];
      }),
    );
  });

  it('has the text of each script in reading order, apart from line breaks at marks', async () => {
    const letters = (text: string) => plain(text).replace(/\s/g, '');
    const text = letters((await readPdfText(sourceOf(bytes))).pages[0] ?? '');
    const missing = rows.filter(([, value]) => !text.includes(letters(value))).map(([script]) => script);
    expect(missing.filter((script) => script !== 'Hebrew' && script !== 'Urdu')).toEqual([]);
  });

  it.runIf(hasPoppler)('has the text of each script exactly, as typed and as a signature', async () => {
    const text = plain(await poppler('pdftotext', bytes, '-layout', '-l', '1'));
    expect(missingIn(text)).toEqual([]);
  });

  it('shows each value within its field', async () => {
    const picture = await drawPage(sourceOf(bytes), 1, 1_200);
    if (!picture) throw new Error('no picture');
    const { pixels, width, height } = picture;
    const columns = Array.from({ length: width }, (_, x) =>
      Array.from({ length: height }, (_, y) => (pixels[(y * width + x) * 4] as number) < 128).some(Boolean),
    );
    const inked = columns.flatMap((isInked, x) => (isInked ? [(100 * x) / width] : []));
    expect(inked.filter((x) => x < 4.5 || (x > 45.5 && x < 49.5) || x > 90.5)).toEqual([]);
    const isRowInked = (index: number) => {
      const from = Math.floor(((1 + index * ROW) * height) / 100);
      const row = pixels.subarray(from * width * 4, Math.floor(from + (ROW * height) / 100) * width * 4);
      return row.some((value) => value < 128);
    };
    expect(rows.filter((_, index) => !isRowInked(index))).toEqual([]);
  });
});

it('a name that no font has is replaced visibly on the pages of a form', async () => {
  const { bytes } = await formPdf({
    formName: 'Deed of 𓀀',
    projectName: 'Quay',
    organizationName: 'Harbor',
    submittedBy: null,
    submittedAt: new Date('2031-03-04T05:06:00Z'),
    answers: [],
  });
  expect((await readPdfText(sourceOf(bytes))).pages[0]).toContain('Deed of \ufffd');
});
