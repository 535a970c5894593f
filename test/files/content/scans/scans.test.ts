import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { inspectBytes } from '../../../../src/files/content/sniff/inspect.ts';
import { hasPictures } from '../../../../src/files/content/text/ocr-text.ts';
import { readText } from '../../../../src/files/content/text/text.ts';
import { sourceOf } from '../bytes.ts';
import { writtenPicture } from '../picture-source.ts';
import { recognize } from './recognition.ts';
import { type Fax, faxTiff } from './tiff-source.ts';

const WORDS = 'Granite from the harbour';
const OTHER_WORDS = 'The zephyr blew';

let granite: Buffer;
let larch: Buffer;
beforeAll(async () => {
  granite = await writtenPicture(WORDS);
  larch = await writtenPicture(OTHER_WORDS);
});

/** As an upload is read: by the type that its bytes have. */
async function readUpload(content: Buffer) {
  const source = sourceOf(content);
  const { contentType } = await inspectBytes({ ...source, filename: 'upload' });
  const own = await readText(source, contentType);
  return hasPictures(contentType, own) ? recognize(content, contentType) : own;
}

const textOf = (...pages: string[]) => ({
  text: { pages, paged: pages.length > 1, recognizedPages: pages.length },
});

describe('a scan as TIFF', () => {
  it.each([
    { compression: 'none' },
    { compression: 'lzw' },
    { compression: 'deflate' },
    { compression: 'packbits' },
    { compression: 'jpeg', quality: 90 },
    { compression: 'lzw', bitdepth: 1 },
    { compression: 'lzw', tile: true },
    { compression: 'lzw', bigtiff: true },
    { compression: 'none', bigtiff: true },
  ] as const)('is recognized: %j', async (options) => {
    expect(await readUpload(await sharp(granite).tiff(options).toBuffer())).toEqual(textOf(WORDS));
  });

  it.each<Fax>(['RLE', 'G3', 'G4'])('is recognized as a fax of the kind %s', async (kind) => {
    expect(await readUpload(await faxTiff(kind, [granite]))).toEqual(textOf(WORDS));
  });

  it('is recognized where its pixels are twice as high as wide', async () => {
    expect(await readUpload(await faxTiff('G3', [granite], { flat: true }))).toEqual(textOf(WORDS));
  });

  it('is recognized on each of its pages', async () => {
    const scan = await faxTiff('G4', [granite, larch, granite, larch, granite]);
    expect(await readUpload(scan)).toEqual(textOf(WORDS, OTHER_WORDS, WORDS, OTHER_WORDS, WORDS));
  });

  it('is upright on a page that lies on its side, in colours of paper', async () => {
    const turned = await sharp(granite).rotate(90).withMetadata({ orientation: 8 }).tiff().toBuffer();
    const printed = await sharp(granite).toColourspace('cmyk').tiff({ compression: 'lzw' }).toBuffer();
    expect([await readUpload(turned), await readUpload(printed)]).toEqual([textOf(WORDS), textOf(WORDS)]);
  });

  it('has the pages that can be read, and says how many cannot', async () => {
    const scan = await faxTiff('G4', [granite, larch]);
    // A compression that no library knows.
    scan.writeUInt16LE(9_999, scan.lastIndexOf(Buffer.from('03010300', 'hex')) + 8);
    expect(await readUpload(scan)).toEqual({
      text: {
        pages: [WORDS, ''],
        paged: true,
        recognizedPages: 1,
        note: expect.stringContaining('1 of its pages could not be recognized'),
      },
    });
  });

  it('says that it is broken', async () => {
    const scan = await sharp(granite).tiff().toBuffer();
    expect(await readUpload(scan.subarray(0, 100))).toEqual({ skipped: expect.stringContaining('broken') });
  });
});

describe('a picture of another format', () => {
  it('is recognized as AVIF', async () => {
    expect(await readUpload(await sharp(granite).avif({ quality: 80 }).toBuffer())).toEqual(textOf(WORDS));
  });

  it('is recognized by its first frame', async () => {
    const frames = { join: { animated: true } };
    const gif = await sharp([granite, larch], frames).gif().toBuffer();
    const webp = await sharp([granite, larch], frames).webp().toBuffer();
    expect([await readUpload(gif), await readUpload(webp)]).toEqual([textOf(WORDS), textOf(WORDS)]);
  });
});
