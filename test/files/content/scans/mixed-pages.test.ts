import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasPictures } from '../../../../src/files/content/text/ocr-text.ts';
import { readText } from '../../../../src/files/content/text/text.ts';
import { sourceOf } from '../bytes.ts';
import { writtenPicture } from '../picture-source.ts';
import { bitPdf, type Draw, drawnPdf, outlines, picture, strips, words } from './mixed-source.ts';
import { recognize } from './recognition.ts';

const PDF = 'application/pdf';
const STAMP = 'Envelope ID 8F3A-22C1';
const LINES = ['Granite from the harbour', 'weighs 4711 kilograms'];
const READ = LINES.join('\n');

let scan: Buffer;
let gradient: Buffer;
beforeAll(async () => {
  scan = await writtenPicture(...LINES);
  const [width, height] = [600, 850];
  const light = Buffer.from(
    Array.from({ length: width * height }, (_, pixel) => 200 + ((pixel % width) * 50) / width),
  );
  gradient = await sharp(light, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
});

/** The text of the pages with that in pictures, and the number of pages that were recognized; `never` if none is to be. */
async function read(content: Buffer) {
  const own = await readText(sourceOf(content), PDF);
  if (!hasPictures(PDF, own)) return 'text' in own ? [own.text.pages, 'never'] : own;
  const result = await recognize(content, PDF);
  return typeof result === 'object' && 'text' in result
    ? [result.text.pages, result.text.recognizedPages]
    : result;
}

const stamp = words(STAMP, 40);
const paragraph = (top: number, count = 20): Draw[] =>
  Array.from({ length: count }, (_, line) =>
    words(
      `Line ${line} of what is written here, over the whole width of the page, in a small font`,
      top + 12 * line,
      { size: 12 },
    ),
  );

describe('a page of a PDF with a picture and text', () => {
  it.each<[string, () => Promise<Buffer>]>([
    ['under a stamp', () => drawnPdf([picture(scan), stamp])],
    ['of which a stamp is a part', () => drawnPdf([picture(scan, 0), words(STAMP, 25)])],
    ['in strips', async () => drawnPdf([await strips(scan, 5), stamp])],
    [
      'with transparent paper',
      async () => drawnPdf([picture(await sharp(scan).unflatten().png().toBuffer()), stamp]),
    ],
    ['within the contents of the page', () => bitPdf('inline', scan, STAMP)],
    ['as a mask', () => bitPdf('mask', scan, STAMP)],
    [
      'in a form',
      async () => {
        return drawnPdf([
          async (page, document) => {
            const [form] = await document.embedPdf(await drawnPdf([picture(scan)]));
            page.drawPage(form as never, { x: 30, y: 50, xScale: 0.9, yScale: 0.9 });
          },
          stamp,
        ]);
      },
    ],
    [
      'on a page that is turned',
      async () => {
        const turned = await sharp(scan).rotate(-90).png().toBuffer();
        return drawnPdf([
          async (page, document) => {
            const image = await document.embedPng(turned);
            page.drawImage(image, { x: 150, y: 50, width: 180, height: (180 * image.height) / image.width });
            page.setRotation(degrees(90));
          },
          stamp,
        ]);
      },
    ],
    [
      'under a large watermark',
      () =>
        drawnPdf([
          picture(scan),
          words('Envelope', 190, { left: 100, size: 60, grey: 0.9 }),
          words('ID 8F3A-22C1', 40),
        ]),
    ],
  ])('has the text of both, once: a picture %s', async (_, make) => {
    const [pages, count] = (await read(await make())) as [string[], number];
    const [page = ''] = pages;
    for (const word of `${STAMP} ${READ}`.split(/\s/))
      expect([word, page.split(word).length - 1]).toEqual([word, 1]);
    expect(count).toBe(1);
  });

  it('has text that is drawn without a font', async () => {
    const lines = [...LINES, 'and is carried by rail', 'over the old bridge', 'as long as it stands'];
    const drawn = await outlines(await writtenPicture(...lines));
    expect(await read(await drawnPdf([drawn, stamp]))).toEqual([[[STAMP, ...lines].join('\n')], 1]);
  });

  it('has what is beside a photograph and what is on it', async () => {
    const pdf = await drawnPdf([picture(scan), ...paragraph(400)]);
    const [pages] = (await read(pdf)) as [string[]];
    expect(pages[0]).toContain('Line 19');
    expect(pages[0]?.endsWith(READ)).toBe(true);
  });

  it('is not recognized again where a scan has its text', async () => {
    const layer = (index: number) =>
      words(LINES[index] as string, 150 + 33.2 * index, { left: 27.7, size: 22.1, hidden: true });
    const all = await drawnPdf([picture(scan), layer(0), layer(1)]);
    const half = await drawnPdf([picture(scan), layer(0)]);
    expect(await read(all)).toEqual([[READ], 0]);
    expect(await read(half)).toEqual([[READ], 1]);
  });

  it('is not recognized again where the text of a scan is not exactly where its picture is', async () => {
    const layer = LINES.map((line, index) => words(line, 300 + 20 * index, { hidden: true }));
    expect(await read(await drawnPdf([picture(scan), ...layer]))).toEqual([[READ], 0]);
  });

  it('has the filled-in values of a scanned form once', async () => {
    const document = await PDFDocument.load(await drawnPdf([picture(scan)]));
    const field = document.getForm().createTextField('who');
    field.setText('Ottoline');
    field.addToPage(document.getPage(0), { x: 300, y: 500, width: 200, height: 30 });
    expect(await read(Buffer.from(await document.save()))).toEqual([[`Ottoline\n${READ}`], 1]);
  });

  it('is not recognized for a logo, nor for a background of what is written', async () => {
    const logo = await drawnPdf([picture(scan, 20, 150), ...paragraph(200)]);
    const background = await drawnPdf([picture(gradient, 0), ...paragraph(60, 60)]);
    const sparse = await drawnPdf([picture(gradient, 0), ...paragraph(60, 3)]);
    const results = [await read(logo), await read(background), await read(sparse)] as [string[], unknown][];
    expect(results.map(([, count]) => count)).toEqual(['never', 'never', 0]);
  });

  it('is not recognized for a letterhead, on however many pages it is', async () => {
    let image: Awaited<ReturnType<PDFDocument['embedPng']>>;
    const letterhead: Draw = async (page, document) => {
      image ??= await document.embedPng(scan);
      page.drawImage(image, { x: 0, y: 700, width: 595, height: 120 });
    };
    const pages = Array.from({ length: 500 }, (_, number) => [letterhead, words(`Page ${number}`, 300)]);
    const startedAt = performance.now();
    const [, count] = (await read(await drawnPdf(...pages))) as [string[], unknown];
    expect(count).toBe('never');
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });
});
