import { PDFDocument } from '@cantoo/pdf-lib';
import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { sourceOf } from '../../files/content/bytes.ts';
import { drawPage } from '../../files/content/page-colours.ts';
import { hasPoppler, job, poppler, sealedFile } from './job.ts';

const ADDRESS = job(new Uint8Array()).audit.checkUrl;

/** Points: the width of the page, the place of the code, and its size. */
const [WIDTH, LEFT, CODE] = [595.28, 56, 72];

/** The last page in grey: whether the pixel at a place is dark, in points from the upper left corner. */
async function lastPage(bytes: Uint8Array) {
  const page = await drawPage(sourceOf(bytes), (await PDFDocument.load(bytes)).getPageCount(), 1_600);
  if (!page) throw new Error('the page was not drawn');
  const { pixels, width, height } = page;
  const scale = width / WIDTH;
  const isDark = (x: number, y: number) =>
    (pixels[4 * (Math.floor(y * scale) * width + Math.floor(x * scale))] as number) < 128;
  return { isDark, height: height / scale };
}

describe('the record page', () => {
  it('has the address of the check as a QR code', async () => {
    const { isDark, height } = await lastPage(
      (await sealedFile(Buffer.from('Dear all'), [], 'text/plain')).bytes,
    );
    const { data, size } = encode(ADDRESS, { ecc: 'M', border: 0 });
    const module = CODE / size;
    const isTop = (y: number) =>
      [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5].every((at) => isDark(LEFT + at * module, y));
    const rows = Array.from({ length: Math.floor(2 * height) }, (_, index) => index / 2);
    const top = rows.find(isTop) ?? Number.NaN;
    const seen = data.map((row, line) =>
      row.map((_, column) => isDark(LEFT + (column + 0.5) * module, top + (line + 0.4) * module)),
    );
    expect(seen).toEqual(data);
  });

  it.runIf(hasPoppler)('has it as text (needs Poppler)', async () => {
    const { bytes } = await sealedFile(Buffer.from('Dear all'), [], 'text/plain');
    expect((await poppler('pdftotext', bytes)).replaceAll(/\s+/g, '')).toContain(ADDRESS);
  });
});
