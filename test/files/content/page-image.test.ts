import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../../src/files/content/pictures/page-image.ts';
import { sourceOf } from './bytes.ts';
import { bombPdf, CATALOG, encryptedPdf, pages, pdf } from './pdf-source.ts';

const render = (bytes: Buffer, page = 1, width = 200) => renderPage(sourceOf(bytes), page, width);

/** A page of so many points, the lower left quarter of it red. */
const onePage = (width: number, height: number) => {
  const paint = `1 0 0 rg 0 0 ${width / 2} ${height / 2} re f`;
  return pdf([
    CATALOG,
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents 4 0 R>>`,
    `<</Length ${paint.length}>>\nstream\n${paint}\nendstream`,
  ]);
};

describe('drawing a page', () => {
  it('returns a WebP image of the requested width with the proportions of the page', async () => {
    const image = await render(pdf(pages(3)), 3, 306);
    expect(image).toMatchObject({ contentType: 'image/webp', width: 306, height: 396 });
    const { format, width, height, hasAlpha } = await sharp(image?.bytes).metadata();
    expect({ format, width, height, hasAlpha }).toEqual({
      format: 'webp',
      width: 306,
      height: 396,
      hasAlpha: false,
    });
  });

  it('draws on white, with the right colours and orientation', async () => {
    const image = await render(onePage(400, 400));
    const { data } = await sharp(image?.bytes).raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * 200 + x) * 3, (y * 200 + x) * 3 + 3)];
    expect(at(150, 50).every((part) => part > 250)).toBe(true);
    const [red, green, blue] = at(50, 150) as [number, number, number];
    expect(red).toBeGreaterThan(230);
    expect(green + blue).toBeLessThan(60);
  });

  it('draws a real drawing, with its text', async () => {
    const image = await render(await readFile('prisma/seed/files/library-design/plans.pdf'), 1, 800);
    const { entropy } = await sharp(image?.bytes).stats();
    expect(entropy).toBeGreaterThan(0.5);
  });

  it('reduces the width of a page that would exceed the maximum height', async () => {
    const image = await render(onePage(100, 10_000), 1, 2_000);
    expect(image?.height).toBeLessThanOrEqual(16_000);
    expect((image?.width ?? 0) * (image?.height ?? 0)).toBeLessThanOrEqual(12_000_000);
  });

  it('returns the page of each of many concurrent requests', async () => {
    const widths = [50, 60, 70, 80, 90, 100];
    const images = await Promise.all(widths.map((width) => render(pdf(pages(2)), 2, width)));
    expect(images.map((image) => image?.width)).toEqual(widths);
  });
});

describe('no picture', () => {
  it.each([
    ['a page after the last', pdf(pages(3)), 4],
    ['page zero', pdf(pages(3)), 0],
    ['half a page', pdf(pages(3)), 1.5],
    ['a broken file', Buffer.from('%PDF-1.7\n'), 1],
    ['a locked file', encryptedPdf(2, 'user'), 1],
    ['a decompression bomb', bombPdf(), 1],
    ['a file that is no PDF', Buffer.from('hello'), 1],
  ])('of %s', async (_, bytes, page) => {
    expect(await render(bytes, page)).toBeNull();
  });

  it('for a page that takes longer than the time limit', async () => {
    const loop = 'q 0 0 600 700 re W n '.repeat(2_000_000);
    const endless = pdf([
      CATALOG,
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>',
      `<</Length ${loop.length}>>\nstream\n${loop}\nendstream`,
    ]);
    // Busy, to be asked again, where the child had too little of the processor.
    const reason = () => renderPage(sourceOf(endless), 1, 200, 100).catch((error) => error.reason);
    await expect.poll(reason).toBe('time');
    expect(await render(pdf(pages(1)))).not.toBeNull();
  });

  it('rethrows an error of the storage', async () => {
    const read = () => Promise.reject(new Error('gone'));
    await expect(renderPage({ size: 1_000, read }, 1, 100)).rejects.toThrow('gone');
  });
});
