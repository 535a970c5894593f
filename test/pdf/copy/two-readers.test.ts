import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findDifference } from '../../../src/files/content/pdf/pdf-compare.ts';
import { readPdfText } from '../../../src/files/content/pdf/pdf-text.ts';
import { bytesSource } from '../../../src/files/store/byte-source.ts';
import { makeSigningCopy } from '../../../src/pdf/copy/signing-copy.ts';
import { nodeSuite } from '../../../src/verify/node-suite.ts';
import { checkSeal } from '../../../src/verify/seal.js';
import { packed, pages, pdf, revised } from '../../files/content/pdf-source.ts';
import { field, hasPoppler, poppler, sealedFile } from '../seal/job.ts';
import { AMBIGUOUS } from './ambiguous.ts';

const DEFINED_TWICE = readFileSync(new URL('./object-defined-twice.pdf', import.meta.url));

describe('a PDF that readers understand in different ways', () => {
  it.each([
    ['an object defined twice', () => DEFINED_TWICE],
    ...Object.entries(AMBIGUOUS),
  ])('is sealed as it was shown: %s', async (_, make) => {
    const content = make();
    const shown = await readPdfText(bytesSource(content));
    const { bytes } = await sealedFile(content, [field({ value: 'MARK', x: 10, y: 60 })]);
    await checkSeal(nodeSuite, bytes);
    expect(shown.pages).toEqual(['The price is 100 EUR']);
    expect((await readPdfText(bytesSource(bytes))).pages[0]).toBe('The price is 100 EUR\nMARK');
    const boxes = [[{ left: 0.05, top: 0.55, right: 0.3, bottom: 0.65 }]];
    expect(await findDifference(bytesSource(content), bytesSource(bytes), { pages: 1, boxes })).toBeNull();
    if (!hasPoppler) return;
    const text = await poppler('pdftotext', bytes, '-l', '1');
    expect([text.includes('100 EUR'), text.includes('900')]).toEqual([true, false]);
    expect(await poppler('pdfsig', bytes)).toContain('Signature is Valid');
  });
});

describe('the copy of a PDF on which people sign', () => {
  it.each([
    ['with a table', pdf(pages(3))],
    ['with object streams', packed(pages(3))],
    ['with an update', revised(pages(3), 3, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>')],
  ])('looks like the original, is read by one table, and is the same each time: %s', async (_, content) => {
    const copy = await makeSigningCopy(bytesSource(content));
    const again = await makeSigningCopy(bytesSource(content));
    expect(copy.pageCount).toBe(3);
    expect(await findDifference(bytesSource(content), bytesSource(copy.bytes), { pages: 3 })).toBeNull();
    const text = Buffer.from(copy.bytes).toString('latin1');
    expect([text.match(/startxref/g)?.length, text.includes('/ObjStm')]).toEqual([1, false]);
    expect(Buffer.from(again.bytes).equals(copy.bytes)).toBe(true);
  });
});
