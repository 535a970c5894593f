import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { inspectBytes } from '../../../src/files/content/sniff/inspect.ts';
import { compound, zip } from './archive-source.ts';
import { sourceOf } from './bytes.ts';
import { encryptedPdf, packedPdf, pages, pdf } from './pdf-source.ts';

const inspect = (bytes: Uint8Array | string, filename = 'upload') =>
  inspectBytes({ ...sourceOf(Buffer.from(bytes as string)), filename });
const typeOf = async (bytes: Uint8Array | string, filename?: string) =>
  (await inspect(bytes, filename)).contentType;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
);
const OOXML = { '[Content_Types].xml': '<Types/>', '_rels/.rels': '<Relationships/>' };
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const ODT = 'application/vnd.oasis.opendocument.text';

describe('PDF', () => {
  it('has its type and page count', async () => {
    expect(await inspect(pdf(pages(3)))).toEqual({
      contentType: 'application/pdf',
      pageCount: 3,
      pageStatus: 'READY',
    });
    expect(await inspect(packedPdf(250))).toEqual({
      contentType: 'application/pdf',
      pageCount: 250,
      pageStatus: 'READY',
    });
  });

  it('is a PDF also if its pages cannot be counted', async () => {
    const unknown = { contentType: 'application/pdf', pageCount: null };
    const broken = { ...unknown, pageStatus: 'BROKEN' };
    expect(await inspect('%PDF-1.7\n')).toEqual(broken);
    expect(await inspect(pdf(pages(9)).subarray(0, 300))).toEqual(broken);
    expect(await inspect(encryptedPdf(2, 'user'))).toEqual({ ...unknown, pageStatus: 'LOCKED' });
  });

  it('may begin after a few other bytes', async () => {
    const framed = Buffer.concat([Buffer.from('\0\x01job 7\n'), pdf(pages(2))]);
    expect(await inspect(framed)).toEqual({
      contentType: 'application/pdf',
      pageCount: 2,
      pageStatus: 'READY',
    });
  });

  const samples = 'prisma/seed/files';
  const sampleNames = existsSync(samples)
    ? readdirSync(samples, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.pdf'))
    : [];
  it.skipIf(sampleNames.length === 0)('counts the pages of every sample of the demo workspace', async () => {
    for (const name of sampleNames) {
      const { contentType, pageCount } = await inspect(readFileSync(`${samples}/${name}`), name);
      expect([name, contentType]).toEqual([name, 'application/pdf']);
      expect(pageCount, name).toBeGreaterThan(0);
    }
  });
});

describe('the name', () => {
  it('does not turn a picture into a document, nor a program into a picture', async () => {
    expect(await inspect(PNG, 'contract.pdf')).toEqual({
      contentType: 'image/png',
      pageCount: null,
      pageStatus: 'READY',
    });
    expect(await typeOf(Buffer.from('MZ\x90\0\x03\0\0\0'), 'holiday.png')).toBe('application/x-msdownload');
    expect(await typeOf(PNG, 'page.html')).toBe('image/png');
    expect(await typeOf('plain words', 'paper.docx')).toBe('text/plain');
  });

  it.each([
    ['notes.txt', 'text/plain'],
    ['notes', 'text/plain'],
    ['README.MD', 'text/markdown'],
    ['list.csv', 'text/csv'],
    ['page.html', 'text/html'],
    ['config.yaml', 'application/yaml'],
    ['odd.toString', 'text/plain'],
    ['odd.__proto__', 'text/plain'],
  ])('refines plain text: %s is %s', async (filename, type) => {
    expect(await typeOf('BMW, a sentence; with words\n', filename)).toBe(type);
  });

  it('is used only if the text matches it', async () => {
    expect(await typeOf(' [{"a": 1}]', 'a.json')).toBe('application/json');
    expect(await typeOf('a: 1', 'a.json')).toBe('text/plain');
    expect(await typeOf('Received: by x\r\nFrom: a@example.com\r\n\r\nHello', 'm.eml')).toBe(
      'message/rfc822',
    );
    expect(await typeOf('Hello there', 'm.eml')).toBe('text/plain');
  });
});

describe('text', () => {
  it('is recognized in UTF-8, in UTF-16 with a byte order mark, and in legacy encodings', async () => {
    expect(await typeOf('\ufeffüber', 'a.csv')).toBe('text/csv');
    const little = Buffer.from('\ufeffName;Größe\r\n', 'utf16le');
    expect(await typeOf(little, 'a.csv')).toBe('text/csv');
    expect(await typeOf(Buffer.from(little).swap16())).toBe('text/plain');
    expect(await typeOf(Buffer.from('Größe', 'latin1'))).toBe('text/plain');
  });

  it('may be cut within a character at the end of the head', async () => {
    expect(await typeOf(`a${'ü'.repeat(40_000)}`)).toBe('text/plain');
  });

  it('contains no control characters', async () => {
    expect(await typeOf(Buffer.from('text\0text'), 'a.txt')).toBe('application/octet-stream');
  });

  it.each([
    [
      'image/svg+xml',
      '<?xml version="1.0"?>\n<!-- <html> -->\n<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>',
    ],
    ['image/svg+xml', '<!DOCTYPE svg [ <!ENTITY a "<b>"> ]>\n<svg width="1">'],
    ['application/xml', '<?xml version="1.0"?><invoice/>'],
    ['text/plain', '<svgs>'],
    ['text/plain', `<!--${'<!--'.repeat(10_000)}`],
    ['text/plain', '<!'.repeat(30_000)],
    ['application/rtf', '{\\rtf1 Hello}'],
    ['text/calendar', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'],
  ])('says %s where it opens so', async (type, text) => {
    expect(await typeOf(text)).toBe(type);
  });
});

describe('containers', () => {
  it.each([
    ['application/zip', { 'a.txt': 'a' }],
    ['application/zip', { 'word/document.xml': '<w/>' }],
    [WORD, { ...OOXML, 'word/document.xml': '<w/>' }],
    [
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      { ...OOXML, 'xl/workbook.xml': '<w/>' },
    ],
    [
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      { ...OOXML, 'docProps/app.xml': '<p/>', 'ppt/presentation.xml': '<p/>' },
    ],
    [
      'application/vnd.ms-word.document.macroEnabled.12',
      { ...OOXML, 'word/document.xml': '<w/>', 'word/vbaProject.bin': 'x' },
    ],
    [ODT, { mimetype: ODT, 'content.xml': '<o/>' }],
    [`${ODT.replace('text', 'spreadsheet')}`, { mimetype: ODT.replace('text', 'spreadsheet') }],
    [`${ODT.replace('text', 'presentation')}`, { mimetype: ODT.replace('text', 'presentation') }],
    ['application/epub+zip', { mimetype: 'application/epub+zip', 'META-INF/container.xml': '<c/>' }],
    ['application/zip', { mimetype: 'text/html' }],
  ] as [string, Record<string, string>][])('a ZIP archive is %s by its entries', async (type, entries) => {
    expect(await typeOf(zip(entries), 'archive.pdf')).toBe(type);
  });

  it('finds entries after 1 MB of content, with sizes in data descriptors, and with a comment', async () => {
    const entries = { ...OOXML, 'word/media/a.bin': 'x'.repeat(1e6), 'word/document.xml': '<w/>' };
    const source = sourceOf(zip(entries, { streamed: true, comment: 'made by hand' }));
    expect((await inspectBytes({ ...source, filename: 'a.zip' })).contentType).toBe(WORD);
    expect(source.bytesRead()).toBeLessThan(200_000);
  });

  it('reports application/zip for an archive without a directory or with a false one', async () => {
    const whole = zip({ ...OOXML, 'word/document.xml': '<w/>' });
    expect(await typeOf(whole.subarray(0, -30))).toBe('application/zip');
    const lying = Buffer.from(whole);
    lying.writeUInt32LE(0xffffffff, whole.length - 10);
    expect(await typeOf(lying)).toBe('application/zip');
  });

  it.each([
    ['application/msword', ['1Table', 'WordDocument']],
    ['application/vnd.ms-excel', ['Workbook']],
    ['application/vnd.ms-powerpoint', ['Current User', 'PowerPoint Document']],
    ['application/vnd.ms-outlook', ['__nameid_version1.0', '__properties_version1.0']],
    ['application/x-cfb', ['EncryptedPackage']],
  ])('an OLE file is %s by its streams', async (type, streams) => {
    expect(await typeOf(compound(streams))).toBe(type);
  });

  it('does not look into gzip', async () => {
    expect(await typeOf(gzipSync(randomBytes(200_000)))).toBe('application/gzip');
  });
});

describe('the rest', () => {
  it('is unknown if it is empty or not recognized', async () => {
    expect(await inspect('', 'a.pdf')).toEqual({
      contentType: 'application/octet-stream',
      pageCount: null,
      pageStatus: 'READY',
    });
    expect(await typeOf(Buffer.from([0, 1, 2, 3, 250, 251]))).toBe('application/octet-stream');
    expect(await typeOf(Buffer.from([0]))).toBe('application/octet-stream');
    expect(await typeOf('a')).toBe('text/plain');
  });

  it('recognizes a TIFF file with its directory at the end', async () => {
    const scan = Buffer.concat([Buffer.from('II*\0\0\0\x02\0', 'latin1'), Buffer.alloc(140_000, 0xaa)]);
    expect(await typeOf(scan)).toBe('image/tiff');
  });

  it('rethrows an error of the storage', async () => {
    const failing = { size: 10, filename: 'a', read: () => Promise.reject(new Error('disk on fire')) };
    await expect(inspectBytes(failing)).rejects.toThrow('disk on fire');
  });
});
