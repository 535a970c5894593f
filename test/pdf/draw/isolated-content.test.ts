import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { formPdf } from '../../../src/pdf/draw/form-pdf.ts';
import { sourceOf } from '../../files/content/bytes.ts';
import { drawPage } from '../../files/content/page-colours.ts';
import { pdf } from '../../files/content/pdf-source.ts';
import { hasPoppler, poppler } from '../seal/job.ts';
import { drawnMark, type Edges, magentaIn, magentaMark, withFields } from './mark.ts';

/** Operators that change what follows them, complete and incomplete, as pieces of a content stream. */
const PIECES = [
  ...['q', 'Q', 'Q Q Q', 'BT', 'ET', 'BT /F 28 Tf 3 Tr', '40 Tz 7 Tr (clip) Tj', '(shown) Tj'],
  ...[
    '0.5 0 0 0.5 0 0 cm',
    '0 1 -1 0 300 20 cm',
    '1 0 0 -1 0 700 cm',
    '0 0 0 0 0 0 cm',
    '3 0 0 3 -9000 80 cm',
  ],
  ...['0 0 10 10 re W n', '100 100 30 30 re W* n', '5 5 m 9 9 l', '0 0 m', '20 20 60 60 re'],
  ...[
    '/Hidden gs',
    '/Masked gs',
    '/OC /Off BDC',
    '/P <</MCID 0>> BDC',
    'BMC',
    '/P BMC',
    'EMC',
    'EMC EMC',
    'BX',
    'EX',
  ],
  ...[
    '/Form Do',
    '0 0 1 rg 10 10 200 90 re f',
    '0 0 0 RG 30 w 0 0 m 99 99 l S',
    '/Pattern cs /None scn',
    '0 d0',
  ],
  ...[
    '(never closed',
    '<</Key',
    '[1 2',
    '<41',
    '% a comment',
    '1 0 0',
    'BI /W 9 /H 9 ID abc',
    'null',
    '/Name',
    ')',
    '>>',
    ']',
  ],
];

const RESOURCES = `<</Font<</F 5 0 R>>/ExtGState<</Hidden<</ca 0/CA 0/BM/Multiply>>/Masked<</SMask<</S/Alpha/G 6 0 R>>>>>>
  /XObject<</Form 6 0 R>>/Properties<</Off 7 0 R>>>>`;

const NUMBER = [7, 0, 0] as const;

interface RandomPage {
  attributes: string;
  streams: string[];
  packed: boolean;
}

const attributes = fc.constantFrom(
  ...['/MediaBox[0 0 612 792]', '/MediaBox[0 0 612 792]/Rotate 90', '/MediaBox[0 0 612 792]/Rotate -180'],
  ...[
    '/MediaBox[-200 300 412 1092]/Rotate 270',
    '/MediaBox[612 792 0 0]',
    '/MediaBox[0 0 612 792]/Rotate 135',
  ],
  ...['/MediaBox[0 0 612 792]/CropBox[100 50 500 700]', '/MediaBox[0 0 300 400]/UserUnit 3'],
  ...[
    '/MediaBox[0 0 612 792]/CropBox[500 700 100 50]/Rotate 90',
    '',
    '/MediaBox[0 0 612 792]/Group<</S/Transparency/I true/K true>>',
  ],
);

/** A content that is cut into streams anywhere, also within an operator. */
const randomPage: fc.Arbitrary<RandomPage> = fc
  .record({
    attributes,
    pieces: fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }),
    cuts: fc.array(fc.nat(200), { maxLength: 3 }),
    packed: fc.boolean(),
  })
  .map(({ attributes, pieces, cuts, packed }) => {
    const content = pieces.join(' ');
    const ends = [...cuts.map((cut) => Math.min(cut, content.length)).sort((a, b) => a - b), content.length];
    const streams = ends.map((end, index) => content.slice(ends[index - 1] ?? 0, end));
    return { attributes, streams: cuts.length === 3 && content === '' ? [] : streams, packed };
  });

const streamOf = (content: string, packed: boolean) => {
  const bytes = packed ? deflateSync(content) : Buffer.from(content);
  const head = `<<${packed ? '/Filter/FlateDecode' : ''}/Length ${bytes.length}>>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')]);
};

/** The pages inherit their resources; the layer in them is off. */
function pdfOf(pages: readonly RandomPage[]): Buffer {
  const [first] = [NUMBER[0] + 1];
  const kids = pages.map((_, index) => `${first + index} 0 R`).join(' ');
  let next = first + pages.length;
  const contents: Buffer[] = [];
  const dictionaries = pages.map(({ attributes, streams, packed }) => {
    const references = streams.map((stream) => {
      contents.push(streamOf(stream, packed));
      return `${next++} 0 R`;
    });
    const content = references.length === 1 ? references[0] : `[${references.join(' ')}]`;
    return `<</Type/Page/Parent 2 0 R${attributes}${references.length > 0 ? `/Contents ${content}` : ''}>>`;
  });
  const form = '0 1 0 rg 0 0 50 50 re f Q Q q';
  return pdf([
    '<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[7 0 R]/D<</OFF[7 0 R]>>>>>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${kids}]/Resources 3 0 R>>`,
    RESOURCES,
    'null',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    `<</Type/XObject/Subtype/Form/BBox[0 0 50 50]/Group<</S/Transparency>>/Length ${form.length}>>\nstream\n${form}\nendstream`,
    '<</Type/OCG/Name(Off)>>',
    ...dictionaries,
    ...contents,
  ]);
}

const BOX = { x: 20, y: 50, width: 40, height: 45 };

/** How far an edge is from its place, in percent of the page; the rectangle is in the middle of its field's height. */
function distance(edges: Edges | null): number {
  if (!edges) return Number.POSITIVE_INFINITY;
  const middle = (edges.top + edges.bottom) / 2;
  return Math.max(Math.abs(edges.left - 20), Math.abs(edges.right - 60), Math.abs(middle - 72.5));
}

/** A point, on a page of 300 points, and less on larger ones. */
const POINT = 100 / 300;

/** Draws a page as Poppler does. */
async function byPoppler(bytes: Uint8Array, page: number): Promise<Edges | null> {
  const folder = await mkdtemp(join(tmpdir(), 'page-'));
  try {
    await writeFile(join(folder, 'file.pdf'), bytes);
    const options = ['-png', '-cropbox', '-scale-to-x', '600', '-scale-to-y', '-1', '-singlefile'];
    const range = ['-f', `${page + 1}`, '-l', `${page + 1}`];
    await promisify(execFile)('pdftoppm', [...options, ...range, 'file.pdf', 'page'], { cwd: folder });
    const { data, info } = await sharp(await readFile(join(folder, 'page.png')))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return magentaIn({ pixels: data, width: info.width, height: info.height, channels: 3 });
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('a field', () => {
  it('is at its place to a point, whatever the content of the page leaves open, and however the page is turned and cropped', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomPage, { minLength: 10, maxLength: 10 }), async (pages) => {
        const marks = pages.map((_, index) => magentaMark(index, BOX));
        const bytes = await withFields(pdfOf(pages), marks);
        for (const index of pages.keys())
          expect(distance(await drawnMark(bytes, index)), `page ${index}`).toBeLessThan(POINT);
      }),
      { numRuns: 6 },
    );
  }, 120_000);

  it.runIf(hasPoppler)(
    'is there for Poppler, too (needs Poppler)',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(randomPage, { minLength: 4, maxLength: 4 }), async (pages) => {
          // Poppler ignores a rotation that is no multiple of 90 degrees.
          const right = pages.map((page) => ({
            ...page,
            attributes: page.attributes.replace('/Rotate 135', ''),
          }));
          const marks = right.map((_, index) => magentaMark(index, BOX));
          const bytes = await withFields(pdfOf(right), marks);
          for (const index of right.keys())
            expect(distance(await byPoppler(bytes, index)), `page ${index}`).toBeLessThan(POINT);
        }),
        { numRuns: 4 },
      );
    },
    120_000,
  );

  it.runIf(hasPoppler)('of a filled-in form is at its place, too (needs Poppler)', async () => {
    const page = { attributes: '/MediaBox[0 0 612 792]', streams: ['Q Q 0.5 0 0 0.5 0 0 cm'], packed: false };
    const position = { pageIndex: 0, x: 20, y: 50, width: 40 };
    const { bytes } = await formPdf({
      formName: 'Form',
      projectName: 'Project',
      organizationName: 'Organization',
      submittedBy: null,
      submittedAt: new Date(),
      answers: [{ label: 'Question', values: ['ANSWER'], position }],
      basePdf: pdfOf([page]),
    });
    const words = await poppler('pdftotext', bytes, '-bbox');
    const [, left, top] = /xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>ANSWER</.exec(words) ?? [];
    expect(Number(left)).toBeCloseTo(0.2 * 612, 0);
    expect(Math.abs(Number(top) - 0.5 * 792)).toBeLessThan(4);
  });

  it('is at its place after each operator', async () => {
    const pages = PIECES.map((piece) => ({ attributes: '', streams: [piece], packed: false }));
    const bytes = await withFields(
      pdfOf(pages),
      pages.map((_, index) => magentaMark(index, BOX)),
    );
    for (const [index, piece] of PIECES.entries())
      expect(distance(await drawnMark(bytes, index)), piece).toBeLessThan(POINT);
  }, 120_000);

  it('leaves the content of its page as it was drawn, also where it is cut, shared or broken', async () => {
    const content =
      'q 2 0 0 2 50 30 cm BT /F 20 Tf 40 300 Td (Terms of the contract) Tj ET Q 1 0 0 rg 30 30 90 20 re f';
    const compressed = deflateSync(`${content} ${'0 g 200 20 9 9 re f '.repeat(400)}`);
    const page = (streams: string) => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${streams}>>`;
    const raw = (bytes: Uint8Array, entries = '') =>
      Buffer.concat([
        Buffer.from(`<<${entries}/Length ${bytes.length}>>\nstream\n`),
        bytes,
        Buffer.from('\nendstream'),
      ]);
    const file = pdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 4/Kids[3 0 R 4 0 R 5 0 R 6 0 R]/Resources<</Font<</F 12 0 R>>>>>>',
      page('[7 0 R 8 0 R]'),
      page('7 0 R'),
      page('[99 0 R 9 0 R 10 0 R]'),
      page('[11 0 R 10 0 R]'),
      raw(Buffer.from(content.slice(0, 66))),
      raw(Buffer.from(content.slice(66))),
      raw(compressed.subarray(0, compressed.length - 30), '/Filter/FlateDecode'),
      raw(Buffer.from(`${Buffer.from(content).toString('hex')}>`), '/Filter/ASCIIHexDecode'),
      raw(deflateSync(content), '/Filter[/FlateDecode]/DecodeParms[null]'),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ]);
    const marks = [0, 1, 2, 3].map((index) => magentaMark(index, BOX));
    const bytes = await withFields(file, marks);
    for (const index of marks.keys()) {
      expect(distance(await drawnMark(bytes, index))).toBeLessThan(POINT);
      expect(await withoutMark(bytes, index), `page ${index}`).toEqual(await withoutMark(file, index));
    }
  });

  it.runIf(hasPoppler)('leaves the structure of a tagged page to its content (needs Poppler)', async () => {
    const content = '/P <</MCID 0>> BDC BT /F 20 Tf 40 700 Td (A tagged line) Tj ET EMC';
    const tagged = pdf([
      '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 6 0 R/MarkInfo<</Marked true>>>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]/Resources<</Font<</F 5 0 R>>>>>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents[4 0 R 4 0 R]/StructParents 0>>',
      streamOf(content, true),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      '<</Type/StructTreeRoot/K 7 0 R/ParentTree<</Kids[<</Nums[0[7 0 R]]/Limits[0 0]>>]>>>>',
      '<</Type/StructElem/S/P/P 6 0 R/Pg 3 0 R/K 0>>',
    ]);
    expect(await poppler('pdfinfo', tagged, '-struct-text')).toContain('A tagged line');
    const bytes = await withFields(tagged, [magentaMark(0, BOX)]);
    expect(await poppler('pdfinfo', bytes, '-struct-text')).toContain('A tagged line');
  });
});

/** The SHA-256 of the pixels of a page without those where its field is. */
async function withoutMark(bytes: Uint8Array, index: number): Promise<string> {
  const picture = await drawPage(sourceOf(bytes), index + 1, 600);
  if (!picture) throw new Error('the page was not drawn');
  const { pixels, width, height } = picture;
  const rest = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .composite([{ input: COVER, left: 110, top: 380 }])
    .raw()
    .toBuffer();
  return createHash('sha256').update(rest).digest('hex');
}

const COVER = { create: { width: 260, height: 360, channels: 4, background: 'white' } } as const;
