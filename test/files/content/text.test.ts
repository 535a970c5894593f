import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readText } from '../../../src/files/content/text/text.ts';
import { sourceOf } from './bytes.ts';
import { bombPdf, encryptedPdf, textPdf } from './pdf-source.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const WORD = `${OOXML}.wordprocessingml.document`;
const SHEET = `${OOXML}.spreadsheetml.sheet`;
const SLIDES = `${OOXML}.presentationml.presentation`;
const ODF = 'application/vnd.oasis.opendocument';

const archive = (entries: Record<string, string | Uint8Array>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(entries).map(([name, content]) => [name, new Uint8Array(Buffer.from(content))]),
      ),
      { level: 9 },
    ),
  );

const read = (bytes: Buffer | string, contentType: string, timeLimit?: number) =>
  readText(sourceOf(Buffer.from(bytes)), contentType, timeLimit);

const word = (body: string, head = ''): Buffer =>
  archive({
    'word/document.xml': `<?xml version="1.0"?>${head}<w:document><w:body>${body}</w:body></w:document>`,
  });

const RELS = (targets: Record<string, string>) =>
  `<Relationships>${Object.entries(targets)
    .map(([id, target]) => `<Relationship Id="${id}" Type="http://x/relationships/any" Target="${target}"/>`)
    .join('')}</Relationships>`;

describe('the text of a file', () => {
  it('is that of a PDF, by page', async () => {
    expect(await read(textPdf([['one', 'two'], [], ['three']]), 'application/pdf')).toEqual({
      text: { pages: ['one\ntwo', '', 'three'], paged: true },
    });
  });

  it('is that of a Word document, without deleted text, and with one of its alternatives', async () => {
    const bytes = word(`<w:p><w:r><w:t>Dear </w:t></w:r><w:del><w:r><w:delText>old</w:delText></w:r></w:del>
      <w:r><w:t xml:space="preserve">Zo&#235; &amp; all</w:t></w:r></w:p>
      <w:p><mc:AlternateContent><mc:Choice><w:t>box</w:t></mc:Choice><mc:Fallback><w:t>box</w:t></mc:Fallback></mc:AlternateContent></w:p>`);
    expect(await read(bytes, WORD)).toEqual({ text: { pages: ['Dear Zoë & all\nbox'], paged: false } });
  });

  it('is that of a workbook, one page for each sheet in order', async () => {
    const bytes = archive({
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="Second" r:id="r2"/><sheet name="First" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': RELS({ r1: 'worksheets/sheet1.xml', r2: '/xl/worksheets/sheet2.xml' }),
      'xl/sharedStrings.xml':
        '<sst><si><t>Zephyr</t><rPh><t>zefa</t></rPh></si><si><r><t>Break</t></r><r><t>water</t></r></si></sst>',
      'xl/worksheets/sheet1.xml':
        '<worksheet><sheetData><row><c t="s"><v>0</v></c><c><v>12.5</v></c></row></sheetData></worksheet>',
      'xl/worksheets/sheet2.xml':
        '<worksheet><row><c t="s"><v>1</v></c><c t="inlineStr"><is><t>inline</t></is></c></row></worksheet>',
    });
    expect(await read(bytes, SHEET)).toEqual({
      text: { pages: ['Second\nBreakwater inline', 'First\nZephyr 12.5'], paged: true },
    });
  });

  it('is that of slides in order, with their notes', async () => {
    const slide = (text: string) => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;
    const bytes = archive({
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="b"/><p:sldId id="257" r:id="a"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': RELS({ a: 'slides/slide1.xml', b: 'slides/slide2.xml' }),
      'ppt/slides/slide1.xml': slide('one'),
      'ppt/slides/slide2.xml': slide('two'),
      'ppt/slides/_rels/slide1.xml.rels':
        '<Relationships><Relationship Id="n" Type="http://x/relationships/notesSlide" Target="../notesSlides/notesSlide7.xml"/></Relationships>',
      'ppt/notesSlides/notesSlide7.xml': slide('said'),
    });
    expect(await read(bytes, SLIDES)).toEqual({ text: { pages: ['two', 'one\nsaid'], paged: true } });
  });

  it('is that of OpenDocument, without deleted text', async () => {
    const content = (body: string) =>
      archive({
        'content.xml': `<office:document><office:styles>no</office:styles><office:body>${body}</office:body></office:document>`,
      });
    const text = content(
      '<text:tracked-changes><text:deletion><text:p>gone</text:p></text:deletion></text:tracked-changes><text:h>Head</text:h><text:p>A<text:s/>b</text:p>',
    );
    const slides = content(
      '<draw:page><text:p>one</text:p></draw:page><draw:page><text:p>two</text:p></draw:page>',
    );
    expect(await read(text, `${ODF}.text`)).toEqual({ text: { pages: ['Head\nA b'], paged: false } });
    expect(await read(slides, `${ODF}.presentation`)).toEqual({
      text: { pages: ['one', 'two'], paged: true },
    });
  });

  it('is the visible text of a web page, in its encoding', async () => {
    const page =
      '<html><head><meta charset="windows-1251"><style>p{}</style><script>var x</script></head><p>one<p>&lt;two&gt; &eacute;<table><tr><td>a</td><td>b</td></tr></table> ';
    const bytes = Buffer.concat([Buffer.from(page), Buffer.from([0xcf, 0xf0, 0xe8])]);
    expect(await read(bytes, 'text/html')).toEqual({
      text: { pages: ['one\n\n<two> é\n\na b\n\nПри'], paged: false },
    });
  });

  it('is that of a mail: sender, text, and names of attachments', async () => {
    const mail = [
      'From: Margit <m@example.test>',
      'To: s@example.test',
      'Subject: =?utf-8?Q?Zephyr_=C3=BCber_all?=',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Hello <b>there</b></p>',
      '--b',
      'Content-Type: application/pdf; name="plan.pdf"',
      'Content-Disposition: attachment; filename="plan.pdf"',
      '',
      'x',
      '--b--',
    ].join('\r\n');
    const result = await read(mail, 'message/rfc822');
    const text = 'text' in result ? result.text.pages.join() : '';
    for (const part of ['Zephyr über all', 'Margit m@example.test', 'Hello there', 'plan.pdf'])
      expect(text).toContain(part);
  });

  it('is a text file unchanged in any encoding, without characters that the database refuses', async () => {
    expect(await read('# a\u0001b\n\n\n\nc', 'text/markdown')).toEqual({
      text: { pages: ['# a b\n\nc'], paged: false },
    });
    expect(await read(Buffer.from('Gr\xfc\xdfe', 'latin1'), 'text/plain')).toEqual({
      text: { pages: ['Grüße'], paged: false },
    });
    expect(await read(Buffer.from('\ufeffzwei', 'utf16le'), 'text/csv')).toEqual({
      text: { pages: ['zwei'], paged: false },
    });
  });

  it('is empty for files without text', async () => {
    expect(await read('', 'text/plain')).toEqual({ none: true });
    expect(await read(' \n ', 'text/plain')).toEqual({ none: true });
    expect(await read(word(''), WORD)).toEqual({ none: true });
  });
});

const BROKEN = { failed: expect.stringMatching(/broken/), retries: expect.any(Number) };

describe('a hostile file', () => {
  it('that unpacks to too much is refused before unpacking', async () => {
    const huge = new Uint8Array(140 * 2 ** 20);
    const bytes = archive({ 'word/document.xml': huge });
    expect(bytes.length).toBeLessThan(2 ** 20);
    expect(await read(bytes, WORD)).toEqual({ failed: 'It unpacks to more than 128 MB.', retries: 0 });
  });

  it('is unpacked at most to its declared size', async () => {
    const bytes = archive({ 'word/document.xml': `<w:t>${'a'.repeat(5_000_000)}</w:t>` });
    const directory = bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
    bytes.writeUInt32LE(100, directory + 24);
    const result = await read(bytes, WORD);
    expect('text' in result ? result.text.pages.join('').length : 0).toBeLessThan(200);
  });

  it('of too many entries is refused', async () => {
    const names = Array.from({ length: 20_001 }, (_, index) => [`${index}`, '']);
    expect(await read(archive(Object.fromEntries(names)), WORD)).toEqual({
      failed: 'It is an archive of more than 20,000 entries.',
      retries: 0,
    });
  });

  it('with exponential entities shows the name of the entity, and reads no file or URL', async () => {
    const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join(
      '',
    );
    const head = `<!DOCTYPE x [<!ENTITY l0 "lol">${laughs}<!ENTITY f SYSTEM "file:///etc/passwd">]>`;
    const result = await read(word('<w:p><w:t>&l9; &f;</w:t></w:p>', head), WORD);
    expect(result).toEqual({ text: { pages: ['&l9; &f;'], paged: false } });
  });

  it('with extreme nesting is refused', async () => {
    expect(await read(word('<w:p>'.repeat(200_000)), WORD)).toEqual({
      failed: 'Its elements are nested too deep.',
      retries: 0,
    });
    expect(await read('<div>'.repeat(200_000), 'text/html')).toMatchObject({ retries: 0 });
  });

  it('with one string shared by many cells yields at most ten million characters', async () => {
    const cells = '<c t="s"><v>0</v></c>'.repeat(1_000);
    const bytes = archive({
      'xl/workbook.xml': '<workbook><sheet name="S" r:id="r"/></workbook>',
      'xl/_rels/workbook.xml.rels': RELS({ r: 'worksheets/s.xml' }),
      'xl/sharedStrings.xml': `<sst><si><t>${'word '.repeat(20_000)}</t></si></sst>`,
      'xl/worksheets/s.xml': `<worksheet><row>${cells}</row></worksheet>`,
    });
    const result = await read(bytes, SHEET);
    expect('text' in result && result.text.pages.join('').length).toBeLessThanOrEqual(10_000_000);
    expect('text' in result && result.text.note).toContain('first 10,000,000 characters');
  });

  it('that takes too long is stopped', async () => {
    const bytes = `<p>${'<b>a</b> '.repeat(3_000_000)}`;
    expect(await read(bytes, 'text/html', 300)).toEqual({
      failed: 'It took too long to read.',
      retries: 1,
    });
  });

  it('that is truncated, or not an archive, is broken', async () => {
    const whole = word('<w:p><w:t>text</w:t></w:p>');
    expect(await read(whole.subarray(0, whole.length - 30), WORD)).toEqual(BROKEN);
    expect(await read('PK\x03\x04 and no more', WORD)).toEqual(BROKEN);
    expect(await read(textPdf([['a']]).subarray(0, 100), 'application/pdf')).toEqual(BROKEN);
    expect(await read(encryptedPdf(1, 'user'), 'application/pdf')).toEqual(BROKEN);
  });

  it('that is a PDF with endlessly inflating objects is broken', async () => {
    expect(await read(bombPdf(), 'application/pdf')).toEqual(BROKEN);
  });

  it('that declares a million pages costs only its real ones', async () => {
    const claims = Buffer.from(
      textPdf([['a']])
        .toString('latin1')
        .replace('/Count 1', '/Count 9'),
      'latin1',
    );
    const result = await read(claims, 'application/pdf');
    expect('text' in result && result.text.pages[0]).toBe('a');
  });

  it('that is locked with a password is reported as locked', async () => {
    const bytes = archive({
      'META-INF/manifest.xml': '<manifest:manifest><manifest:encryption-data/></manifest:manifest>',
      'content.xml': Buffer.alloc(500, 7),
    });
    expect(await read(bytes, `${ODF}.text`)).toEqual({
      failed: 'It is locked with a password.',
      retries: 0,
    });
  });
});
