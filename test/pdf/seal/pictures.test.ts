import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { shrinkImage } from '../../../src/files/content/pictures/image-picture.ts';
import { prepare } from '../../../src/pdf/seal/draw.ts';
import { sourceOf } from '../../files/content/bytes.ts';
import { drawPage } from '../../files/content/page-colours.ts';
import { drawnMark, magentaMark } from '../draw/mark.ts';
import { field, hasPoppler, job, poppler } from './job.ts';

const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8];

const block = (background: string, left: number, top: number) => ({
  input: { create: { width: 90, height: 50, channels: 3 as const, background } },
  left,
  top,
});

/** A picture without any symmetry, wider than high. */
const asymmetric = await sharp({ create: { width: 240, height: 160, channels: 3, background: '#d0d8e0' } })
  .composite([block('#c03020', 0, 0), block('#2060c0', 150, 0), block('#109040', 20, 100)])
  .png()
  .toBuffer();

const picture = () => sharp(asymmetric);
const FORMATS: [string, string, () => Sharp][] = [
  ['JPEG', 'image/jpeg', () => picture().jpeg({ quality: 95 })],
  ['progressive JPEG', 'image/jpeg', () => picture().jpeg({ quality: 95, progressive: true })],
  ['JPEG in CMYK', 'image/jpeg', () => picture().toColourspace('cmyk').jpeg({ quality: 95 })],
  ['JPEG in grey', 'image/jpeg', () => picture().greyscale().jpeg({ quality: 95 })],
  ['PNG', 'image/png', () => picture().png()],
];

const sealedPage = async (content: Uint8Array, type: string, ...fields: Parameters<typeof job>[1] & object) =>
  (await prepare({ ...job(content, fields, type), signatureBytes: 100 })).bytes;

/** How different two pictures are on average, in levels of 256. */
async function difference(a: Sharp, b: Sharp): Promise<number> {
  const pixels = (each: Sharp) =>
    each.toColourspace('srgb').removeAlpha().resize(60, 60, { fit: 'fill' }).raw().toBuffer();
  const [first, second] = await Promise.all([pixels(a), pixels(b)]);
  return first.reduce((sum, value, at) => sum + Math.abs(value - Number(second[at])), 0) / first.length;
}

async function drawn(bytes: Uint8Array) {
  const page = await drawPage(sourceOf(bytes), 1, 400);
  if (!page) throw new Error('the page was not drawn');
  const { pixels, width, height } = page;
  return { shape: width / height, page: sharp(pixels, { raw: { width, height, channels: 4 } }) };
}

describe.each(FORMATS)('a sealed %s', (_, type, make) => {
  it.each(ORIENTATIONS)('of orientation %i looks as the signer saw it', async (orientation) => {
    const content = await make().withMetadata({ orientation }).toBuffer();
    const shown = await shrinkImage(sourceOf(content), 1, 400);
    if (!shown) throw new Error('nothing was shown');
    const { shape, page } = await drawn(await sealedPage(content, type));
    expect(shape).toBeCloseTo(shown.width / shown.height, 1);
    expect(await difference(page, sharp(shown.bytes))).toBeLessThan(12);
  });
});

it('a sealed PNG with more pixels than a page needs looks as the signer saw it, too', async () => {
  const large = picture().resize(5_400, 4_200, { fit: 'fill', kernel: 'nearest' });
  const content = await large.png().withMetadata({ orientation: 6 }).toBuffer();
  const { shape, page } = await drawn(await sealedPage(content, 'image/png'));
  expect(shape).toBeCloseTo(4_200 / 5_400, 2);
  expect(await difference(page, sharp(content).autoOrient())).toBeLessThan(12);
});

it('is compared with something that another orientation is far from', async () => {
  const turned = await Promise.all(
    ORIENTATIONS.map((orientation) => picture().withMetadata({ orientation }).png().toBuffer()),
  );
  for (const one of turned.slice(1))
    expect(await difference(picture(), sharp(one).autoOrient())).toBeGreaterThan(25);
});

describe('the signature on a sealed picture', () => {
  it.each(ORIENTATIONS)('is where it was placed, for orientation %i', async (orientation) => {
    const content = await picture().jpeg().withMetadata({ orientation }).toBuffer();
    const mark = magentaMark(0, { x: 55, y: 60, width: 30, height: 30 });
    const edges = await drawnMark(await sealedPage(content, 'image/jpeg', mark), 0);
    expect(edges?.left).toBeCloseTo(55, 0);
    expect(((edges?.top ?? 0) + (edges?.bottom ?? 0)) / 2).toBeCloseTo(75, 0);
  });

  it.runIf(hasPoppler)('is upright (needs Poppler)', async () => {
    const content = await picture().jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const bytes = await sealedPage(content, 'image/jpeg', field({ value: 'MARK', x: 25, y: 40 }));
    const boxes = await poppler('pdftotext', bytes, '-bbox', '-l', '1');
    const [, width, height] = /<page width="([\d.]+)" height="([\d.]+)"/.exec(boxes) ?? [];
    expect(Number(width) / Number(height)).toBeCloseTo(160 / 240, 2);
    const [, left, top] = /xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>MARK</.exec(boxes) ?? [];
    expect(Number(left) / Number(width)).toBeCloseTo(0.25, 2);
    expect(Math.abs(Number(top) - 0.4 * Number(height))).toBeLessThan(4);
  });

  it.each(['jpeg', 'png'] as const)('is turned upright where it is itself a picture: %s', async (format) => {
    const content = await sharp(asymmetric)[format]().withMetadata({ orientation: 6 }).toBuffer();
    const value = `data:image/${format};base64,${content.toString('base64')}`;
    const box = { x: 0, y: 0, width: 100, height: 100 };
    const blank = await sharp({ create: { width: 160, height: 240, channels: 3, background: 'white' } })
      .png()
      .toBuffer();
    const { page } = await drawn(
      await sealedPage(blank, 'image/png', field({ type: 'SIGNATURE', value, ...box })),
    );
    expect(await difference(page, sharp(content).autoOrient())).toBeLessThan(12);
  });
});
