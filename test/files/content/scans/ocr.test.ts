import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { isInstalled } from '../../../../src/files/content/ocr/ocr.ts';
import type { Progress } from '../../../../src/files/content/text/ocr-pages.ts';
import { hasPictures } from '../../../../src/files/content/text/ocr-text.ts';
import { readText } from '../../../../src/files/content/text/text.ts';
import { sourceOf } from '../bytes.ts';
import { scannedPdf, widePng, writtenPicture } from '../picture-source.ts';
import { newProgress, oneTurn, recognize } from './recognition.ts';

describe('recognized text', () => {
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

  it('is read upright, in grey, white on black, and on a transparent background', async () => {
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
      texts.push(typeof result === 'object' && 'text' in result ? result.text.pages : result);
    }
    expect(texts).toEqual(Array.from({ length: 4 }, () => ['Larch and limestone']));
  });

  it('is the text of the pages of a PDF without a text layer', async () => {
    const scan = await scannedPdf('A covering letter', await writtenPicture('The zephyr blew'), '');
    const own = await readText(sourceOf(scan), 'application/pdf');
    expect(hasPictures('application/pdf', own)).toBe(true);
    expect(await recognize(scan, 'application/pdf')).toEqual({
      text: { pages: ['A covering letter', 'The zephyr blew', ''], paged: true, recognizedPages: 1 },
    });
  });

  it('is empty without words', async () => {
    const noise = { raw: { width: 600, height: 400, channels: 3 as const } };
    const picture = await sharp(randomBytes(600 * 400 * 3), noise)
      .png()
      .toBuffer();
    expect(await recognize(picture, 'image/png')).toEqual({ none: true });
    expect(await recognize(await scannedPdf(''), 'application/pdf')).toEqual({ none: true });
  });

  it('is not computed for a text file, nor for a PDF with a text layer on every page', async () => {
    const letter = await readText(sourceOf(await scannedPdf('A letter')), 'application/pdf');
    const facts = [
      hasPictures('application/pdf', letter),
      hasPictures('application/pdf', { failed: 'It is broken.', retries: 1 }),
      hasPictures('text/plain', { none: true }),
    ];
    expect(facts).toEqual([false, false, false]);
  });
});

describe('a scan of many pages', () => {
  it('is recognized a few pages at a time, each once', async () => {
    const page = await writtenPicture('Larch');
    const scan = await scannedPdf(...Array.from({ length: 6 }, () => page));
    const progress = newProgress();
    const kept: number[] = [];
    const counted: Progress = {
      ...progress,
      keep: (done) => {
        kept.push(done.page);
        return progress.keep(done);
      },
    };
    const first = await oneTurn(scan, 'application/pdf', {}, counted);
    // Fewer on a busy machine: a turn has a limit of time too.
    const ofFirstTurn = kept.length;
    const last = await recognize(scan, 'application/pdf', {}, counted);
    expect(first).toBe('unfinished');
    expect([1, 2, 3, 4]).toContain(ofFirstTurn);
    expect(kept).toEqual([0, 1, 2, 3, 4, 5]);
    expect(last).toEqual({
      text: { pages: Array.from({ length: 6 }, () => 'Larch'), paged: true, recognizedPages: 6 },
    });
  });

  it('is recognized on 200 pages, with a note of the number of others', async () => {
    const scan = await scannedPdf(...Array.from({ length: 203 }, () => ''));
    const progress = newProgress();
    await oneTurn(scan, 'application/pdf', { fileTime: 0 }, progress);
    expect(progress.pages).toHaveLength(200);
    expect(await recognize(scan, 'application/pdf', { fileTime: 0 })).toEqual({
      failed: expect.stringContaining('203 of its pages'),
      retries: 0,
    });
  });
});

describe('a hostile picture', () => {
  it('is skipped if it is broken or too large to decode', async () => {
    const broken = (await writtenPicture('Harbour')).subarray(0, 600);
    const skipped = { skipped: 'It is broken, over 50 MB, or has over 50 million pixels.' };
    expect(await recognize(broken, 'image/png')).toEqual(skipped);
    expect(await recognize(widePng(7_100), 'image/png')).toEqual(skipped);
    expect(await recognize(Buffer.from('<svg/>'), 'image/png')).toEqual(skipped);
  });

  it('is stopped at the time limit, and the next picture of the file is still read', async () => {
    const picture = await writtenPicture('Harbour');
    expect(await recognize(picture, 'image/png', { pageTime: 50 })).toEqual({
      failed: expect.stringContaining('too long'),
      retries: 0,
    });
    const scan = await scannedPdf('Of its own', picture);
    for (const limit of [{ pageTime: 50 }, { fileTime: 0 }])
      expect(await recognize(scan, 'application/pdf', limit)).toEqual({
        text: {
          pages: ['Of its own', ''],
          paged: true,
          recognizedPages: 0,
          note: expect.stringContaining('1 of its pages'),
        },
      });
  });

  it('does not delay the stop of the server', async () => {
    const stopping = new AbortController();
    const recognizing = recognize(await writtenPicture('Harbour'), 'image/png', {
      stopping: stopping.signal,
    });
    stopping.abort();
    expect(await recognizing).toBe('stopped');
  });
});

it('is recognized in the installed languages', () => {
  expect([isInstalled('eng'), isInstalled('tlh')]).toEqual([true, false]);
});
