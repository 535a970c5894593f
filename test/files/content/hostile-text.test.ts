import { describe, expect, it } from 'vitest';
import { readText, type TextResult } from '../../../src/files/content/text/text.ts';
import { sourceOf } from './bytes.ts';
import {
  archiveOf,
  chainOfCharts,
  deflated,
  mailOfParts,
  openSheets,
  repeatedXml,
  samePagePdf,
  slidesOfNotes,
  strayCloses,
  wordOf,
  workbookOfCells,
  workbookOfFormats,
  workbookOfNotes,
  workbookOfReferences,
  workbookOfStrings,
  zip64,
} from './hostile-files.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const WORD = `${OOXML}.wordprocessingml.document`;
const SHEET = `${OOXML}.spreadsheetml.sheet`;
const SLIDES = `${OOXML}.presentationml.presentation`;
const OPEN_SHEET = 'application/vnd.oasis.opendocument.spreadsheet';
const MAIL = 'message/rfc822';

/** How much the heap of this process may grow while another one parses. */
const GROWTH = 100 * 2 ** 20;

/** What comes of reading, for which this process takes little memory. */
async function read(bytes: Buffer, contentType: string, timeLimit = 60_000): Promise<TextResult> {
  const before = process.memoryUsage().heapUsed;
  const result = await readText(sourceOf(bytes), contentType, timeLimit);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(GROWTH);
  return result;
}

const failed = (why: RegExp, retries = 0) => ({ failed: expect.stringMatching(why), retries });
const pagesOf = (result: TextResult) => ('text' in result ? result.text.pages : result);

describe('counts that a small file inflates', () => {
  it.each<[string, () => Buffer, string, RegExp]>([
    ['five million shared strings', () => workbookOfStrings('<si/>', 5_000_000), SHEET, /2,000,000 shared/],
    ['11 million cells', () => workbookOfCells('<c/>', 11_000_000), SHEET, /10,000,000 elements/],
    ['a million attributes', () => wordOf('<a', ' b="c"', 1_000_000, '>'), WORD, /10,000 attributes/],
    ['200,000 relations', () => slidesOfNotes(200_000), SLIDES, /related too often/],
    ['100,000 parts of a mail', () => mailOfParts(100_000, 'flat'), MAIL, /broken/],
    ['100,000 parts within each other', () => mailOfParts(100_000, 'nested'), MAIL, /broken/],
  ])('are refused with a reason: %s', async (_, make, type, why) => {
    expect(await read(make(), type)).toEqual(failed(why));
  });

  it('cost no more than one if they refer to the same object', async () => {
    expect(pagesOf(await read(workbookOfReferences(500_000), SHEET))).toEqual(['S\n4711']);
    expect(pagesOf(await read(slidesOfNotes(50_000), SLIDES))).toEqual(['slidenote']);
  });

  it('are ignored: a cell repeated seventeen billion times counts once', async () => {
    const cell = '<cell table:number-columns-repeated="16384"><p>x<s text:c="1000000000"/>y</p></cell>';
    const sheet = openSheets(`<table><row number-rows-repeated="1048576">${cell}</row></table>`);
    expect(pagesOf(await read(sheet, OPEN_SHEET))).toEqual(['x y']);
  });

  it('of pages end at 20,000, with a note', async () => {
    const sheets = openSheets(repeatedXml('', '<table table:name="t"/>', 30_000, ''));
    const result = await read(sheets, OPEN_SHEET);
    expect(pagesOf(result)).toHaveLength(20_000);
    expect('text' in result && result.text.note).toContain('20,000 pages');
  });
});

describe('what stands beside the cells and paragraphs', () => {
  it('is read up to the limits of the whole file: notes of 5,000 sheets', async () => {
    const result = await read(workbookOfNotes(5_000, 4_000), SHEET);
    expect('text' in result && result.text.note).toContain('first 10,000,000 characters');
    expect(await read(workbookOfNotes(15, 2_500_000), SHEET)).toEqual(
      expect.objectContaining({
        text: expect.objectContaining({ note: expect.stringContaining('10,000,000') }),
      }),
    );
  });

  it('is not read in a chain of charts, of which each refers to the next and to the first', async () => {
    expect(pagesOf(await read(chainOfCharts(9_000), WORD))).toEqual(['chart0']);
  });

  it('is shown by 5,000 formats at most, none of them longer than those of Excel', async () => {
    const short = await read(workbookOfFormats(20_000, '0.0'), SHEET);
    expect(pagesOf(short)).toEqual([expect.stringMatching(/4711\.00 4711[\s\S]*4711$/)]);
    expect(pagesOf(await read(workbookOfFormats(200, '#'.repeat(100_000)), SHEET))).toHaveLength(1);
  });

  it('is cut off where a text box is longer than a million characters', async () => {
    const box = await read(
      wordOf('<w:p><txbxContent><p><t>', 'word ', 2_000_000, '</t></p></txbxContent></w:p>'),
      WORD,
    );
    expect('text' in box && box.text.pages[0]?.length).toBeLessThanOrEqual(1_000_000);
  });
});

describe('one very long element', () => {
  it.each<[string, () => Buffer]>([
    ['an attribute', () => wordOf('<a b="', 'cccccccccc', 5_000_000, '">')],
    ['a comment', () => wordOf('<!--', 'cccccccccc', 5_000_000, '')],
    ['a document type', () => wordOf('<!DOCTYPE ', '<!ENTITY a "b">', 1_000_000, '>')],
    ['tags that never end', () => wordOf('<t>', '<', 50_000_000)],
  ])('is no text: %s', async (_, make) => {
    expect(await read(make(), WORD)).toEqual({ none: true });
  });

  it('is truncated if it is text', async () => {
    const result = await read(wordOf('<t><![CDATA[', 'cccccccccc', 5_000_000, ']]></t>'), WORD);
    expect('text' in result && result.text.pages[0]).toHaveLength(10_000_000);
    expect(await read(Buffer.alloc(30_000_000, ' \n'), 'text/plain')).toEqual({ none: true });
  });
});

describe('a file that takes too long or too much memory', () => {
  it('is stopped at the time limit: 900 nested elements and ten million close tags', async () => {
    expect(await read(strayCloses(900, 10_000_000), WORD, 1_000)).toEqual(failed(/too long/, 1));
    expect(await read(Buffer.alloc(50_000_000, '</p>'), 'text/html', 500)).toEqual(failed(/too long/, 1));
    expect(await read(Buffer.alloc(50_000_000, '\n'), MAIL, 500)).toEqual(failed(/too long/, 1));
  });

  it('is stopped with its process: one value of 20 million entities', async () => {
    expect(await read(wordOf('<a b="', '&amp;', 20_000_000, '">'), WORD)).toEqual(
      failed(/too much memory/, 1),
    );
  });
});

describe('an archive with a false directory', () => {
  const paragraph = `<w><p><t>${'word '.repeat(40_000)}</t></p></w>`;

  it('is refused if overlapping entries unpack to too much', async () => {
    const names = Array.from({ length: 1_000 }, (_, index) => `word/header${index}.xml`);
    const headers = names.map((name, index) => [name, index === 0 ? paragraph : '']);
    const entries = { 'word/document.xml': '<w/>', ...Object.fromEntries(headers) };
    const lies = Object.fromEntries(names.map((name) => [name, { offset: 0, size: paragraph.length }]));
    expect(await read(deflated(entries, lies), WORD)).toEqual(failed(/128 MB|broken/));
  });

  it('is broken if an entry lies outside of it, or is larger than declared', async () => {
    const entries = { 'word/document.xml': paragraph };
    const lies = [{ offset: 2 ** 31 }, { offset: 7 }, { size: 10 }];
    for (const lie of lies)
      expect(await read(deflated(entries, { 'word/document.xml': lie }), WORD)).toEqual(failed(/broken/));
  });

  it('is broken if it declares more entries than it has', async () => {
    expect(await read(archiveOf([], [], 9_999), WORD)).toEqual(failed(/broken/));
    expect(await read(archiveOf([], [], 65_535), WORD)).toEqual(failed(/20,000 entries/));
  });

  it('is read by its ZIP64 directory, with the same limits', async () => {
    const bytes = deflated({ 'word/document.xml': '<w><t>long</t></w>' });
    expect(pagesOf(await read(zip64(bytes), WORD))).toEqual(['long']);
    expect(await read(zip64(bytes, 2 ** 40), WORD)).toEqual(failed(/20,000 entries/));
  });

  it('is not unpacked inside another archive', async () => {
    const inner = deflated({ 'word/document.xml': '<w><t>inner</t></w>' });
    expect(await read(deflated({ 'word/document.xml': inner }), WORD)).toEqual({ none: true });
  });
});

describe('text in an unusual encoding', () => {
  it('contains no code points that are not characters', async () => {
    const mark = Buffer.from([0xff, 0xfe]);
    const halves = Buffer.concat([mark, Buffer.alloc(101, 0xd8)]);
    expect(pagesOf(await read(halves, 'text/plain'))).toEqual(['\ufffd'.repeat(50)]);
    expect(await read(Buffer.alloc(10_000), 'text/plain')).toEqual({ none: true });
    expect(pagesOf(await read(Buffer.from('\ufeffa\u0000b', 'utf16le').swap16(), 'text/plain'))).toEqual([
      'a b',
    ]);
  });

  it('is decoded across chunk boundaries', async () => {
    const text = 'ü😀'.repeat(40_000);
    expect(pagesOf(await read(Buffer.from(`x${text}`), 'text/plain'))).toEqual([`x${text}`]);
    const blanks = `a${' \n'.repeat(100_000)}b`;
    expect(pagesOf(await read(Buffer.from(blanks), 'text/plain'))).toEqual(['a\n\nb']);
  });
});

describe('a PDF that names one page 200,000 times', () => {
  it('is read up to 20,000 pages', async () => {
    const result = await read(samePagePdf(200_000), 'application/pdf', 300_000);
    expect(pagesOf(result)).toHaveLength(20_000);
    expect('text' in result && result.text.pages.at(-1)).toBe('zephyr');
    expect('text' in result && result.text.note).toContain('20,000 pages');
  });

  it('stops at the time limit, and returns the pages read so far', async () => {
    const result = await read(samePagePdf(200_000), 'application/pdf', 1_000);
    expect('text' in result ? result.text.note : result).toBeTruthy();
  });
});
