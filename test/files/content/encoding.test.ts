import { describe, expect, it } from 'vitest';
import { inspectBytes } from '../../../src/files/content/sniff/inspect.ts';
import { sourceOf } from './bytes.ts';
import { expectFound } from './corpus.ts';

const typeOf = async (content: Buffer, filename: string) =>
  (await inspectBytes({ ...sourceOf(content), filename })).contentType;

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

describe('a text', () => {
  it.each<[string, string, Buffer, string]>([
    ['Shift-JIS', '請求書番号', bytesOf('90bf 8b81 8f91 94d4 8d86'), 'a.txt'],
    [
      'Shift-JIS in columns',
      '契約,金額',
      Buffer.concat([bytesOf('8c5f 96f1'), Buffer.from(','), bytesOf('8be0 8a7a'), Buffer.from('\r\n1,2')]),
      'a.csv',
    ],
    ['EUC-JP', '本日は晴天なり。', bytesOf('cbdc c6fc a4cf c0b2 c5b7 a4ca a4ea a1a3'), 'a.txt'],
    ['ISO-2022-JP', '請求書', bytesOf('1b2442 4041 3561 3d71 1b2842'), 'a.txt'],
    ['GB18030', '合同编号', bytesOf('bacf cdac b1e0 bac5'), 'a.txt'],
    ['Big5', '合約編號', bytesOf('a658 acf9 bd73 b8b9'), 'a.txt'],
    ['EUC-KR', '계약서', bytesOf('b0e8 bee0 bcad'), 'a.txt'],
    ['KOI8-R', 'Договор', bytesOf('e4cfc7cfd7cfd2'), 'a.txt'],
    ['Windows-1251', 'Договор аренды', bytesOf('c4eee3eee2eef020e0f0e5ede4fb'), 'a.txt'],
    ['Windows-1252', 'Größe', Buffer.from('Gr\xf6\xdfe', 'latin1'), 'a.txt'],
    [
      'Windows-1252 with its own letters',
      'l’œuvre de l’été',
      Buffer.from('Voici l\x92\x9cuvre de l\x92\xe9t\xe9, pay\xe9e 5 \x80', 'latin1'),
      'a.txt',
    ],
    ['ISO-8859-2', 'zażółć gęślą jaźń', bytesOf('7a61bff3b3e620 67eab66cb120 6a61bcf1'), 'a.txt'],
    ['Windows-1253', 'Τιμολόγιο πληρωμής', bytesOf('d4e9ecefebfce3e9ef20f0ebe7f1f9ecdef2'), 'a.txt'],
    ['UTF-16 without a mark', 'Name;Größe', Buffer.from('Name;Größe\r\n', 'utf16le'), 'a.csv'],
    [
      'UTF-16 with the high byte first',
      'Name;Größe',
      Buffer.from('Name;Größe\r\n', 'utf16le').swap16(),
      'a.csv',
    ],
    [
      'UTF-16 of another script',
      '東京都千代田区',
      Buffer.from('契約書\r\n東京都千代田区\r\n金額: 一\r\n', 'utf16le'),
      'a.txt',
    ],
    ['UTF-16 with an end mark', 'Größe', Buffer.from('\ufeffGröße\r\n\u001a', 'utf16le'), 'a.txt'],
    ['UTF-8 with a mark', 'Größe', Buffer.from('\ufeffGröße'), 'a.txt'],
  ])('is found in %s', async (_, phrase, content, filename) => {
    expect(await typeOf(content, filename)).toMatch(/^text\//);
    await expectFound(content, filename, { found: [phrase] });
  });

  it('in UTF-8 keeps its accents where some bytes are broken', async () => {
    const broken = Buffer.concat([Buffer.from('Größe Länge '), bytesOf('ff'), Buffer.from(' Höhe Łódź')]);
    await expectFound(broken, 'a.txt', { found: ['Größe', 'Länge', 'Höhe', 'Łódź'], not: ['ÿ'] });
    const cut = Buffer.from('Grüße aus Zürich, Köln, Füssen').subarray(0, -5);
    await expectFound(Buffer.concat([cut, Buffer.from('ü').subarray(0, 1)]), 'a.csv', {
      found: ['Grüße', 'Zürich'],
    });
    const long = Buffer.concat([
      Buffer.from('a'.repeat(70_000)),
      Buffer.from(' Größe über alles '),
      bytesOf('e4'),
    ]);
    await expectFound(long, 'a.txt', { found: ['Größe über alles'] });
  });

  it('is decided by all of its bytes, not by those that are looked at for its type', async () => {
    const content = Buffer.concat([Buffer.alloc(100_000, 'word '), Buffer.from('Gr\xf6\xdfe', 'latin1')]);
    await expectFound(content, 'a.txt', { found: ['Größe'] });
  });

  it.each<[string, string]>([
    ['a DOS end mark', 'name;sum\r\nAnn;5\r\n\x1a'],
    ['several end marks', 'name;sum\r\nAnn;5\r\n\x1a\x1a\x1a\x1a'],
    ['padding', `name;sum\r\nAnn;5\r\n${'\0'.repeat(300)}`],
    ['form feeds', 'name;sum\f\r\nAnn;5\f'],
    ['vertical tabs', 'name;sum\vnet\r\nAnn;5'],
  ])('is one with %s', async (_, text) => {
    expect(await typeOf(Buffer.from(text), 'a.csv')).toBe('text/csv');
    await expectFound(text, 'a.csv', { found: ['name;sum', 'Ann;5'] });
  });

  it('has no sequences that color a log, wherever it is divided for reading', async () => {
    const log = 'all \x1b[31mred\x1b[0m\x1b[1;32mgreen\x1b[m words';
    await expectFound(log, 'a.log', { found: ['redgreen words'], not: ['31mred', '0m'] });
    for (let shift = 0; shift < 10; shift++)
      await expectFound(`${'x '.repeat(32_768 - shift)}${log}`, 'a.log', {
        found: ['all redgreen'],
        not: ['31mred'],
      });
  });

  it.each<[string, Buffer]>([
    ['one NUL within', Buffer.from('text\0text')],
    ['one NUL within an even number of bytes', Buffer.from('some tex\0more text')],
    ['controls', Buffer.from('text\x01text')],
    ['an end mark within', Buffer.from('text\x1atext')],
    ['nothing but padding', Buffer.alloc(10)],
    ['half a character of UTF-16', bytesOf('fffe 00d8 4100')],
    ['records', bytesOf('0100 0000 4142 0000 0200 0000')],
  ])('is none with %s', async (_, content) => {
    expect(await typeOf(content, 'a.txt')).not.toMatch(/^text\//);
  });
});

describe('markup', () => {
  it.each([
    ['a.xml', `<?xml version="1.0" encoding="ISO-8859-1"?><a>Gr\xf6\xdfe</a>`],
    ['a.html', '<html><meta charset="iso-8859-1"><p>Gr\xf6\xdfe</p>'],
    ['a.html', '<html><meta charset="utf-8"><p>Gr\xf6\xdfe</p>'],
    ['a.html', '<html><p>Gr\xf6\xdfe</p>'],
  ])('is read in the encoding that it declares, or that it is in: %s', async (filename, text) => {
    await expectFound(Buffer.from(text, 'latin1'), filename, { found: ['Größe'] });
  });

  it('keeps the phrase where readings stand beside it', async () => {
    const page =
      '<p><ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rt>きょう</rt></ruby>都</p><p hidden>secret</p>';
    await expectFound(`<!DOCTYPE html>${page}`, 'a.html', {
      found: ['東京都', 'とうきょう'],
      not: ['secret'],
    });
  });
});
