import { describe, expect, it } from 'vitest';
import { parseByteRange } from '../../../src/files/transfer/byte-range.ts';
import { parseUploadRange } from '../../../src/files/transfer/content-range.ts';
import { contentDisposition, presentation } from '../../../src/files/transfer/disposition.ts';
import { downloadName } from '../../../src/files/transfer/download-name.ts';

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
    ['a "b" 100%.pdf', `filename="a _b_ 100_.pdf"; filename*=UTF-8''a%20_b_%20100%25.pdf`],
    ['Übersicht (1).pdf', `filename="_bersicht (1).pdf"; filename*=UTF-8''%C3%9Cbersicht%20%281%29.pdf`],
    ['🌍', `filename="_"; filename*=UTF-8''%F0%9F%8C%8D`],
    ['../../etc/passwd', 'filename="__.._etc_passwd"'],
    ['C:\\boot.ini', 'filename="C_boot.ini"'],
    ['a\r\nX: y', 'filename="a_X_ y"'],
    ['a\u202egpj.exe', 'filename="agpj.exe"'],
    ['a\u0000b', 'filename="a_b"'],
    ['a\u2028b', 'filename="a_b"'],
    ['a\ud800b', `filename="a_b"; filename*=UTF-8''a%EF%BF%BDb`],
    ['', 'filename="download"'],
    ['   ', 'filename="download"'],
    ['.', 'filename="download"'],
    ['..', 'filename="download"'],
    ['...', 'filename="download"'],
    ['.env', 'filename="_env"'],
    ['..hidden.txt', 'filename="_hidden.txt"'],
    ['report.pdf. . ', 'filename="report.pdf"'],
    ['CON', 'filename="_CON"'],
    ['nul.txt', 'filename="_nul.txt"'],
    ['Com1.tar.gz', 'filename="_Com1.tar.gz"'],
    ['lpt9 .txt', 'filename="_lpt9 .txt"'],
    ['COM¹.txt', `filename="_COM_.txt"; filename*=UTF-8''_COM%C2%B9.txt`],
    ['CONIN$', 'filename="_CONIN$"'],
    ['aux.', 'filename="_aux"'],
    ['\u200bcon', 'filename="_con"'],
    ['console.log', 'filename="console.log"'],
    ['COM10.txt', 'filename="COM10.txt"'],
    ['a<b>c|d?e*f:g.txt', 'filename="a_b_c_d_e_f_g.txt"'],
    ['file.txt:stream', 'filename="file.txt_stream"'],
    ['\u200epay\u00adroll\u200b.xlsx', 'filename="payroll.xlsx"'],
  ])('expected', (name, expected) => {
    expect(contentDisposition('attachment', name)).toBe(`attachment; ${expected}`);
  });

  it('is cut to 255 bytes, between characters and before the extension', () => {
    expect(downloadName('x'.repeat(1_000))).toBe('x'.repeat(255));
    expect(downloadName(`${'x'.repeat(251)}🌍🌍`)).toBe(`${'x'.repeat(251)}🌍`);
    expect(downloadName(`${'ä'.repeat(255)}.pdf`)).toBe(`${'ä'.repeat(125)}.pdf`);
    expect(downloadName(`${'字'.repeat(255)}.docx`)).toBe(`${'字'.repeat(83)}.docx`);
    expect(downloadName(`${'👩🏽\u200D💻'.repeat(60)}.png`)).toBe(`${'👩🏽\u200D💻'.repeat(16)}.png`);
    expect(downloadName(`${'x'.repeat(250)}. . . .pdf`)).toBe(`${'x'.repeat(250)}.pdf`);
    expect(downloadName(`a.${'x'.repeat(400)}`)).toBe(`a.${'x'.repeat(253)}`);
  });

  it.each([
    'گزارش می\u200Cخواهم.pdf',
    'فایل PDF\u200Cها.pdf',
    'خانواده 👨\u200D👩\u200D👧.jpg',
    '❤\uFE0F.png',
    '葛\u{E0100}城市.docx',
    'Team \u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}.txt',
  ])('keeps what belongs to the letters and emoji of %s', (name) => {
    expect(downloadName(name)).toBe(name);
    expect(contentDisposition('attachment', name)).toContain(`''${encodeURIComponent(name)}`);
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
