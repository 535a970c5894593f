import { describe, expect, it } from 'vitest';
import { findDifference } from '../../../src/files/content/pdf/pdf-compare.ts';
import { bytesSource } from '../../../src/files/store/byte-source.ts';
import { requireSamePages } from '../../../src/pdf/copy/same-pages.ts';
import { makeSigningCopy } from '../../../src/pdf/copy/signing-copy.ts';
import { seal } from '../../../src/pdf/seal/seal.ts';
import { pdf } from '../../files/content/pdf-source.ts';
import { job, testCertificate } from '../seal/job.ts';
import { streamOf } from './ambiguous.ts';
import { printedOtherwise } from './forms.ts';

const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';

/** Pages with these contents. */
const drawn = (...contents: string[]): Buffer => {
  const count = contents.length;
  const kids = contents.map((_, index) => `${5 + 2 * index} 0 R`).join(' ');
  return pdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/Kids[${kids}]/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>>>`,
    FONT,
    'null',
    ...contents.flatMap((content, index) => [
      `<</Type/Page/Parent 2 0 R/Contents ${6 + 2 * index} 0 R>>`,
      streamOf(content),
    ]),
  ]);
};

const at = (text: string, x = 72, y = 700, size = 10) => `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`;
const price = at('The price is 100 EUR');
const LINE = '1 w 72 500 m 540 500 l S';
const BOX = { left: 0.1, top: 0.3, right: 0.6, bottom: 0.4 };

describe('the comparison before a seal', () => {
  it.each<[string, string, string, string]>([
    ['a digit', price, at('The price is 900 EUR'), 'PICTURE'],
    ['a digit in small print', at('Fee 3', 72, 700, 5), at('Fee 8', 72, 700, 5), 'PICTURE'],
    ['a decimal point', at('Fee 1.00', 72, 700, 8), at('Fee 1 00', 72, 700, 8), 'PICTURE'],
    ['a line struck through', price, `${price} 0.5 w 72 703 m 180 703 l S`, 'PICTURE'],
    ['a missing line', `${price} ${LINE}`, price, 'PICTURE'],
    ['a moved word', price, at('The price is 100 EUR', 75), 'PICTURE'],
    ['a colour', `${price} 1 0 0 rg 72 400 99 9 re f`, `${price} 0 0 1 rg 72 400 99 9 re f`, 'PICTURE'],
    ['text that nobody sees', price, `${price} 3 Tr ${at('Not in words', 72, 600)}`, 'TEXT'],
    ['text in white', price, `${price} 1 g ${at('Not in words', 72, 600)}`, 'TEXT'],
    ['no text where it looked the same', `3 Tr ${price}`, '', 'TEXT'],
  ])('finds %s', async (_, before, after, what) => {
    const difference = await findDifference(
      bytesSource(drawn(price, before)),
      bytesSource(drawn(price, after, price)),
      { pages: 2 },
    );
    expect(difference).toEqual({ page: 2, what });
  });

  it('leaves out what was filled in, but not the text that was there', async () => {
    const [filledIn, covered] = [at('Ann', 72, 530), at('Old words', 72, 530)];
    const compare = (before: string, after: string) =>
      findDifference(bytesSource(drawn(before)), bytesSource(drawn(after)), { pages: 1, boxes: [[BOX]] });
    expect(await compare(price, `${price} ${filledIn}`)).toBeNull();
    expect(await compare(`${price} ${covered}`, `${price} ${covered} ${filledIn}`)).toBeNull();
    expect(await compare(`${price} ${covered}`, `${price} ${filledIn}`)).toEqual({ page: 1, what: 'TEXT' });
    expect(await compare(price, `${price} ${at('Ann', 72, 600)}`)).toEqual({ page: 1, what: 'PICTURE' });
  });

  it('finds a layer that only printers show', async () => {
    const file = bytesSource(printedOtherwise());
    expect(await findDifference(file, file, { pages: 1 })).toEqual({ page: 1, what: 'PRINT' });
  });

  it('finds a page that is missing', async () => {
    const difference = await findDifference(bytesSource(drawn(price, price)), bytesSource(drawn(price)), {
      pages: 2,
    });
    expect(difference).toEqual({ page: 2, what: 'MISSING' });
  });

  it('does not find another way to draw the same, or more pages', async () => {
    const wrapped = `q 1 0 0 1 36 0 cm ${at('The price is 100 EUR', 36)} Q`;
    expect(
      await findDifference(bytesSource(drawn(price)), bytesSource(drawn(wrapped, LINE)), { pages: 1 }),
    ).toBeNull();
  });

  it('names the page in words', async () => {
    await expect(
      requireSamePages(
        { content: drawn(price, price), organizationId: 'org_1' },
        { bytes: drawn(price, LINE), boxes: [[], []] },
      ),
    ).rejects.toThrow('Page 2 of the sealed file would not show what was signed');
  });
});

describe('a seal', () => {
  it('is not made of a file whose pages are not those of the copy', async () => {
    const { bytes } = await makeSigningCopy(bytesSource(printedOtherwise()));
    const printed = job(printedOtherwise());
    await expect(seal(printed, await testCertificate())).rejects.toThrow('Page 1 of the sealed file');
    await expect(seal(job(bytes), await testCertificate())).resolves.toMatchObject({ pageCount: 2 });
  });
});
