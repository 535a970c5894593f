import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findDifference } from '../../../src/files/content/pdf/pdf-compare.ts';
import { bytesSource } from '../../../src/files/store/byte-source.ts';
import { NotSealable } from '../../../src/pdf/copy/not-sealable.ts';
import { makeSigningCopy } from '../../../src/pdf/copy/signing-copy.ts';
import { drawPage } from '../../files/content/page-colours.ts';
import { encryptedPdf, pages, pdf } from '../../files/content/pdf-source.ts';
import { field, hasPoppler, poppler, sealedFile } from '../seal/job.ts';
import { annotation, FORMS, LAYERS, pageWith } from './forms.ts';

const NEED_APPEARANCES = readFileSync(new URL('./need-appearances.pdf', import.meta.url));

/** The number of dark pixels of a page between two heights, in parts of it from above. */
async function ink(content: Uint8Array, top: number, bottom: number): Promise<number> {
  const picture = await drawPage(bytesSource(content), 1, 612);
  if (!picture) throw new Error('the page was not drawn');
  const { pixels, width, height } = picture;
  const part = pixels.subarray(4 * width * Math.floor(top * height), 4 * width * Math.floor(bottom * height));
  return part.filter((value, index) => index % 4 === 0 && value < 128).length;
}

/** The dark pixels of a page as Poppler draws it, of 72 dots per inch. */
async function popplerInk(content: Uint8Array, top: number, bottom: number): Promise<number> {
  const [x, width] = [0, 612];
  const options = ['-r', '72', '-gray', '-l', '1', '-x', `${x}`, '-W', `${width}`];
  const box = ['-y', `${Math.floor(top * 792)}`, '-H', `${Math.floor((bottom - top) * 792)}`];
  const picture = Buffer.from(
    await poppler('pdftoppm', content, ...options, ...box, '-singlefile'),
    'latin1',
  );
  return picture.subarray(15).filter((value) => value < 128).length;
}

/** Seals the file with a mark far from what it shows; the text of the first page by Poppler, and the copy. */
async function sealedText(content: Buffer) {
  const { bytes } = await sealedFile(content, [field({ value: 'MARK', x: 10, y: 80 })]);
  return { bytes, text: hasPoppler ? await poppler('pdftotext', bytes, '-l', '1') : '' };
}

describe('what a page shows when signing begins', () => {
  it.each(Object.entries(FORMS))('is what is sealed: %s', async (_, [make, shown, not]) => {
    const content = make();
    const { bytes, text } = await sealedText(content);
    const boxes = [[{ left: 0.05, top: 0.75, right: 0.4, bottom: 0.85 }]];
    expect(
      await findDifference(bytesSource(content), bytesSource(bytes), {
        pages: 1,
        boxes,
        mayAddText: true,
      }),
    ).toBeNull();
    const isShown = (await ink(content, 0.2, 0.3)) > 20;
    expect(isShown).toBe(!shown.includes('Lease'));
    expect((await ink(bytes, 0.2, 0.3)) > 20).toBe(isShown);
    if (!hasPoppler) return;
    for (const each of shown) expect(text).toContain(each);
    for (const each of not) expect(text).not.toContain(each);
    expect((await popplerInk(bytes, 0.2, 0.3)) > 20).toBe(isShown);
  });

  it('has the values of a form that asks viewers for their appearances, and that request is gone', async () => {
    const { bytes, text } = await sealedText(NEED_APPEARANCES);
    expect(Buffer.from(bytes).includes('NeedAppearances')).toBe(false);
    expect(await ink(NEED_APPEARANCES, 0.2, 0.3)).toBeGreaterThan(100);
    expect(await ink(bytes, 0.2, 0.3)).toBeGreaterThan(100);
    if (hasPoppler) for (const each of ['RentIs1250', 'NewValue77']) expect(text).toContain(each);
  });

  it('has a checkbox that has no appearance', async () => {
    const box =
      '/Subtype/Widget/FT/Btn/T(agreed)/V/Yes/AS/Yes/MK<</CA(4)/BC[0 0 0]>>/DA(/ZaDb 12 Tf 0 g)/F 4';
    const content = pageWith({ objects: [annotation(600, box)], annotations: '6 0 R', fields: '6 0 R' });
    const { bytes } = await sealedText(content);
    const drawn = await ink(content, 0.2, 0.3);
    expect(drawn).toBeGreaterThan(100);
    expect(await ink(bytes, 0.2, 0.3)).toBe(drawn);
    if (hasPoppler) expect(await popplerInk(bytes, 0.2, 0.3)).toBeGreaterThan(100);
  });

  it.each(Object.entries(LAYERS))('has each layer as on a screen, also in print: %s', async (_, [
    make,
    shown,
  ]) => {
    const content = make();
    const { bytes } = await sealedText(content);
    expect([(await ink(content, 0.2, 0.3)) > 20, (await ink(bytes, 0.2, 0.3)) > 20]).toEqual([shown, shown]);
    const text = Buffer.from(bytes).toString('latin1');
    expect(/\/(?:Usage|AS|PrintState)\b/.test(text)).toBe(false);
    if (hasPoppler) expect((await popplerInk(bytes, 0.2, 0.3)) > 20).toBe(shown);
  });

  it.each([
    ['with a border', '', true],
    ['without', '/Border[0 0 0]', false],
  ])('keeps links, and their border as it is drawn on a screen: %s', async (_, border, shown) => {
    const link = annotation(600, `/Subtype/Link${border}/A<</S/URI/URI(https://example.com/)>>`);
    const content = pageWith({ objects: [link], annotations: '6 0 R' });
    const { bytes } = await sealedText(content);
    expect(Buffer.from(bytes).includes('https://example.com/')).toBe(true);
    expect([(await ink(content, 0.2, 0.3)) > 20, (await ink(bytes, 0.2, 0.3)) > 20]).toEqual([shown, shown]);
    if (hasPoppler) expect((await popplerInk(bytes, 0.2, 0.3)) > 20).toBe(shown);
  });
});

describe('a PDF on which nobody can sign', () => {
  const xfa = (more: string) =>
    pdf([`<</Type/Catalog/Pages 2 0 R/AcroForm<</XFA(<xdp/>)${more}>>>>`, ...pages(1).slice(1)]);

  it.each([
    ['locked', encryptedPdf(1, 'user'), 'it is locked with a password'],
    ['broken', Buffer.from('%PDF-1.7\nhello'), 'it is broken'],
    ['a form of XFA without fields', xfa(''), 'of the kind XFA'],
    [
      'a dynamic form of XFA',
      pdf([
        `<</Type/Catalog/Pages 2 0 R/NeedsRendering true/AcroForm<</Fields[]/XFA(<xdp/>)>>>>`,
        ...pages(1).slice(1),
      ]),
      'of the kind XFA',
    ],
    [
      'a dynamic form of XFA with a tree of fields that its only page, a placeholder, does not show',
      pdf([
        '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[<</T(form1[0])/Kids[<</FT/Tx/T(name[0])>>]>>]/XFA(<xdp/>)>>>>',
        ...pages(1).slice(1),
      ]),
      'of the kind XFA',
    ],
    ['a page that is missing', pdf(pages(1, 3)), 'it is broken'],
  ])('is refused with the reason: %s', async (_, content, reason) => {
    const refused = makeSigningCopy(bytesSource(content));
    await expect(refused).rejects.toBeInstanceOf(NotSealable);
    await expect(refused).rejects.toThrow(reason);
  });
});
