import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { isInstalled } from '../../src/storage/ocr.ts';
import { hasPictures, type Recognition, recognizeText } from '../../src/storage/ocr-text.ts';
import { readText } from '../../src/storage/text.ts';
import { sourceOf } from './bytes.ts';
import { scannedPdf, widePng, writtenPicture } from './picture-source.ts';

const recognize = (bytes: Buffer, contentType: string, how: Partial<Recognition> = {}) =>
  recognizeText(sourceOf(bytes), contentType, { languages: ['eng'], ...how });

describe('what is written in a picture', () => {
  it('is the text of an image', async () => {
    const picture = await writtenPicture('Granite from the harbour', 'weighs 4711 kilo-', 'grams in all.');
    expect(await recognize(picture, 'image/png')).toEqual({
      text: {
        pages: ['Granite from the harbour\nweighs 4711 kilograms in all.'],
        paged: false,
        recognizedPages: 1,
      },
    });
  });

  it('is read upright, in grey, in white on black, and where the ground is transparent', async () => {
    const lines = await writtenPicture('Larch and limestone');
    const pictures: [Buffer, string][] = [
      [await sharp(lines).rotate(90).withMetadata({ orientation: 8 }).jpeg().toBuffer(), 'image/jpeg'],
      [await sharp(lines).greyscale().webp().toBuffer(), 'image/webp'],
      [await sharp(lines).negate({ alpha: false }).png().toBuffer(), 'image/png'],
      [await sharp(lines).ensureAlpha().unflatten().png().toBuffer(), 'image/png'],
    ];
    const texts = [];
    for (const [bytes, type] of pictures) {
      const result = await recognize(bytes, type);
      texts.push(result && 'text' in result ? result.text.pages : result);
    }
    expect(texts).toEqual(Array.from({ length: 4 }, () => ['Larch and limestone']));
  });

  it('is the text of the pages of a PDF that have none of their own', async () => {
    const scan = await scannedPdf('A covering letter', await writtenPicture('The zephyr blew'), '');
    const own = await readText(sourceOf(scan), 'application/pdf');
    expect(hasPictures('application/pdf', own)).toBe(true);
    expect(await recognize(scan, 'application/pdf')).toEqual({
      text: { pages: ['A covering letter', 'The zephyr blew', ''], paged: true, recognizedPages: 1 },
    });
  });

  it('is nothing where there are no words', async () => {
    const noise = { raw: { width: 600, height: 400, channels: 3 as const } };
    const picture = await sharp(randomBytes(600 * 400 * 3), noise)
      .png()
      .toBuffer();
    expect(await recognize(picture, 'image/png')).toEqual({ none: true });
    expect(await recognize(await scannedPdf(''), 'application/pdf')).toEqual({ none: true });
  });

  it('is not looked for in a text, nor in a PDF that has its own on every page', async () => {
    const letter = await readText(sourceOf(await scannedPdf('A letter')), 'application/pdf');
    const facts = [
      hasPictures('application/pdf', letter),
      hasPictures('application/pdf', { failed: 'It is broken.', mayPass: true }),
      hasPictures('text/plain', { none: true }),
    ];
    expect(facts).toEqual([false, false, false]);
  });
});

describe('a hostile picture', () => {
  it('is left out where it is broken, or too large to be decoded', async () => {
    const broken = (await writtenPicture('Harbour')).subarray(0, 600);
    const skipped = { skipped: 'It is broken, over 50 MB, or has over 50 million pixels.' };
    expect(await recognize(broken, 'image/png')).toEqual(skipped);
    expect(await recognize(widePng(7_100), 'image/png')).toEqual(skipped);
    expect(await recognize(Buffer.from('<svg/>'), 'image/png')).toEqual(skipped);
  });

  it('ends at its time, and the next picture of the file is read all the same', async () => {
    const picture = await writtenPicture('Harbour');
    expect(await recognize(picture, 'image/png', { pageTime: 1 })).toEqual({
      failed: expect.stringContaining('too long'),
      mayPass: false,
    });
    const scan = await scannedPdf('Of its own', picture);
    for (const limit of [{ pageTime: 1 }, { fileTime: 0 }])
      expect(await recognize(scan, 'application/pdf', limit)).toEqual({
        text: {
          pages: ['Of its own', ''],
          paged: true,
          recognizedPages: 0,
          note: expect.stringContaining('1 of its pages'),
        },
      });
  });

  it('keeps no server that stops', async () => {
    const stopping = new AbortController();
    const recognizing = recognize(await writtenPicture('Harbour'), 'image/png', {
      stopping: stopping.signal,
    });
    stopping.abort();
    expect(await recognizing).toBeUndefined();
  });
});

it('is recognised in languages that are installed', () => {
  expect([isInstalled('eng'), isInstalled('tlh')]).toEqual([true, false]);
});
