import { describe, expect, it } from 'vitest';
import { parseByteRange } from '../../../src/files/transfer/byte-range.ts';
import { parseUploadRange } from '../../../src/files/transfer/content-range.ts';
import { contentDisposition, presentation } from '../../../src/files/transfer/disposition.ts';

describe('the range of a download', () => {
  it.each([
    [undefined, 10, undefined],
    ['bytes=0-9', 10, { start: 0, end: 9 }],
    ['BYTES = 2-3 ', 10, { start: 2, end: 3 }],
    ['bytes=9-', 10, { start: 9, end: 9 }],
    ['bytes=-4', 10, { start: 6, end: 9 }],
    ['bytes=-11', 10, { start: 0, end: 9 }],
    ['bytes=5-1000', 10, { start: 5, end: 9 }],
    ['bytes=10-', 10, 'unsatisfiable'],
    ['bytes=-0', 10, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-1', 0, undefined],
    ['bytes=-', 10, undefined],
    ['bytes=3-2', 10, undefined],
    ['bytes=0-1,2-3', 10, undefined],
    ['bytes=0x1-2', 10, undefined],
    ['bytes=1.5-2', 10, undefined],
  ])('%s of %i bytes is %o', (header, size, range) => {
    expect(parseByteRange(header, size)).toEqual(range);
  });
});

describe('the range of an upload', () => {
  it.each([
    ['bytes 0-9/10', { piece: true, start: 0, end: 10, total: 10 }],
    ['bytes 5-9/*', { piece: true, start: 5, end: 10, total: undefined }],
    ['Bytes  0-0 / 1', { piece: true, start: 0, end: 1, total: 1 }],
    ['bytes */*', { piece: false, total: undefined }],
    ['bytes */10', { piece: false, total: 10 }],
    ['bytes 0-0/0', { piece: false, total: 0 }],
    ['bytes */0', { piece: false, total: 0 }],
    ['bytes 0-9/9', undefined],
    ['bytes 9-0/10', undefined],
    ['bytes 0-9', undefined],
    ['bytes=0-9/10', undefined],
    ['bytes 0-9/-1', undefined],
    ['bytes +0-9/10', undefined],
    ['bytes 0-9007199254740993/*', undefined],
    ['', undefined],
  ])('%s is %o', (header, range) => {
    expect(parseUploadRange(header)).toEqual(range);
  });
});

describe('the name of a download', () => {
  it.each([
    ['report.pdf', 'filename="report.pdf"'],
    ['a "b" 100%.pdf', `filename="a _b_ 100_.pdf"; filename*=UTF-8''a%20%22b%22%20100%25.pdf`],
    ['Übersicht (1).pdf', `filename="_bersicht (1).pdf"; filename*=UTF-8''%C3%9Cbersicht%20%281%29.pdf`],
    ['🌍', `filename="_"; filename*=UTF-8''%F0%9F%8C%8D`],
    ['../../etc/passwd', 'filename=".._.._etc_passwd"'],
    ['C:\\boot.ini', 'filename="C:_boot.ini"'],
    ['a\r\nX: y', 'filename="a_X: y"'],
    ['a\u202egpj.exe', 'filename="a_gpj.exe"'],
    ['a\u0000b', 'filename="a_b"'],
    ['a\u2028b', 'filename="a_b"'],
    ['a\ud800b', `filename="a_b"; filename*=UTF-8''a%EF%BF%BDb`],
    ['', 'filename="download"'],
    ['   ', 'filename="download"'],
  ])('expected', (name, expected) => {
    expect(contentDisposition('attachment', name)).toBe(`attachment; ${expected}`);
  });

  it('is cut to the limit of file systems, at a character boundary', () => {
    expect(contentDisposition('inline', 'x'.repeat(1_000))).toBe(`inline; filename="${'x'.repeat(255)}"`);
    expect(contentDisposition('inline', `${'x'.repeat(254)}🌍🌍`)).toMatch(/x%F0%9F%8C%8D$/);
  });
});

describe('the type of a download', () => {
  it.each([
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/plain; charset=latin1', 'text/plain; charset=latin1'],
    ['Application/PDF', 'Application/PDF'],
    ['', 'application/octet-stream'],
    ['html', 'application/octet-stream'],
    ['text/html\r\nX: y', 'application/octet-stream'],
  ])('expected', (contentType, expected) => {
    expect(presentation({ filename: 'x', contentType, inline: false }).contentType).toBe(expected);
  });

  it('decides whether a browser may display the file', () => {
    const kind = (contentType: string) =>
      presentation({ filename: 'x', contentType, inline: true }).disposition.split(';')[0];
    for (const shown of ['application/pdf', 'IMAGE/PNG', 'text/plain; charset=utf-8'])
      expect([shown, kind(shown)]).toEqual([shown, 'inline']);
    for (const saved of [
      'text/html',
      'image/svg+xml',
      'application/xhtml+xml',
      'text/xml',
      'text/html;x=text/plain',
      '',
    ])
      expect([saved, kind(saved)]).toEqual([saved, 'attachment']);
  });
});
