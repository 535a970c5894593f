import { describe, expect, it } from 'vitest';
import { expectFound, packageOf, packageRoot, pagesOf, relations } from '../corpus.ts';

const STRICT = 'http://purl.oclc.org/ooxml/officeDocument/relationships';

const document = (text: string) =>
  `<w:document><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`;
const sheet = (cells: string) => `<worksheet><sheetData><row>${cells}</row></sheetData></worksheet>`;
const slide = (text: string) => `<p:sld><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sld>`;

const WORD = { ...packageRoot('wordprocessingml.document', 'word/document.xml') };

/** A workbook of one sheet whose cell refers to a shared string, with other names of its parts. */
const workbook = (rename: (name: string) => string) =>
  packageOf(
    Object.fromEntries(
      Object.entries({
        ...packageRoot('spreadsheetml.sheet', 'xl/workbook.xml'),
        'xl/workbook.xml': '<workbook><sheets><sheet name="Prices" r:id="r1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels': relations({
          r1: ['worksheets/sheet1.xml', 'worksheet'],
          r2: ['sharedStrings.xml', 'sharedStrings'],
        }),
        'xl/sharedStrings.xml': '<sst><si><t>zephyr</t></si></sst>',
        'xl/worksheets/sheet1.xml': sheet('<c t="s"><v>0</v></c>'),
      }).map(([name, content]) => [rename(name), content]),
    ),
  );

describe('the parts of an Office package', () => {
  it.each<[string, (name: string) => string]>([
    ['as in the relations', (name) => name],
    ['SharedStrings.xml', (name) => name.replace('sharedStrings', 'SharedStrings')],
    ['[content_types].xml', (name) => name.toLowerCase()],
    ['capitals', (name) => name.toUpperCase()],
    ['backslashes', (name) => name.replaceAll('/', '\\')],
    ['a slash at the beginning', (name) => `/${name}`],
  ])('are found by any spelling of their names: %s', async (_, rename) => {
    await expectFound(workbook(rename), 'a.xlsx', { found: ['Prices', 'zephyr'] });
  });

  it.each([
    ['word/document2.xml', 'word/document2.xml'],
    ['an absolute target', '/word/document.xml'],
    ['a folder of its own', 'content/main.xml'],
    ['the root', 'main.xml'],
    ['an escaped name', 'word/my%20letter.xml'],
    ['backslashes', 'word\\document9.xml'],
    ['a path with dots', 'word/../other/./main.xml'],
  ])('begin with that to which the package refers: %s', async (_, target) => {
    const path = decodeURIComponent(new URL(target.replaceAll('\\', '/'), 'http://x/').pathname.slice(1));
    const bytes = packageOf({
      ...packageRoot('wordprocessingml.document', path),
      '_rels/.rels': relations({ r1: [target, 'officeDocument'] }),
      [path]: document('zephyr'),
    });
    await expectFound(bytes, 'a.docx', { found: ['zephyr'] });
  });

  it('are those of a strict file too', async () => {
    const bytes = packageOf({
      ...WORD,
      '_rels/.rels': relations({ r1: ['word/document.xml', 'officeDocument'] }, STRICT),
      'word/document.xml': document('body'),
      'word/_rels/document.xml.rels': relations({ r7: ['top.xml', 'header'] }, STRICT),
      'word/top.xml': `<w:hdr>${document('letterhead')}</w:hdr>`,
    });
    await expectFound(bytes, 'a.docx', { found: ['body', 'letterhead'] });
  });

  it('are found by their usual names where relations are missing', async () => {
    const bare = { '[Content_Types].xml': '<Types/>' };
    const word = packageOf({
      ...bare,
      'word/document.xml': document('zephyr'),
      'word/footer1.xml': document('foot'),
    });
    await expectFound(word, 'a.docx', { found: ['zephyr', 'foot'] });
    const slides = packageOf({
      ...bare,
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId r:id="a"/><p:sldId r:id="b"/><p:sldId r:id="c"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations({
        b: ['slides/slide1.xml', 'slide'],
        c: ['gone.xml', 'slide'],
      }),
      'ppt/slides/slide1.xml': slide('one'),
      'ppt/slides/slide10.xml': slide('ten'),
      'ppt/slides/slide2.xml': slide('two'),
    });
    expect(await pagesOf(slides, 'a.pptx')).toEqual(['two', 'one', 'ten']);
  });

  it('are missing from a file without a main part, which is not read as an empty one', async () => {
    const bytes = packageOf({ ...WORD, 'word/other.xml': document('zephyr') });
    await expect(pagesOf(bytes, 'a.docx')).rejects.toThrow('Its main part is missing.');
  });

  it('are read once, however they refer to each other', async () => {
    const chart = '<c:chartSpace><c:title><a:p><a:r><a:t>Turnover</a:t></a:r></a:p></c:title></c:chartSpace>';
    const loop = relations({ a: ['a.xml', 'chart'], b: ['b.xml', 'chart'], d: ['document.xml', 'chart'] });
    const bytes = packageOf({
      ...WORD,
      'word/document.xml': document('body'),
      'word/_rels/document.xml.rels': loop,
      'word/a.xml': chart,
      'word/_rels/a.xml.rels': loop,
      'word/b.xml': chart,
      'word/_rels/b.xml.rels': loop,
    });
    expect(await pagesOf(bytes, 'a.docx')).toEqual(['body\nTurnover\nTurnover']);
  });

  it('are not read outside of the package', async () => {
    const bytes = packageOf({
      ...WORD,
      'word/document.xml': document('body'),
      'word/_rels/document.xml.rels': relations({ a: ['../../../../etc/hostname', 'header'] }),
    });
    expect(await pagesOf(bytes, 'a.docx')).toEqual(['body']);
  });
});
