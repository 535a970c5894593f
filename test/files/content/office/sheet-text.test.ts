import { describe, expect, it } from 'vitest';
import { expectFound, packageOf, packageRoot, pagesOf, relations } from '../corpus.ts';

const FORMATS = [
  '#,##0.00',
  '0.00%',
  '[$€-407]\\ #,##0.00',
  'd. mmmm yyyy',
  'yyyy\\-mm\\-dd\\ hh:mm',
  '_-* #,##0.00\\ &quot;€&quot;_-;\\-* #,##0.00\\ &quot;€&quot;_-;_-* &quot;-&quot;??\\ &quot;€&quot;_-;_-@_-',
  '000\\-00\\-0000',
  '[h]:mm',
  'broken&quot;',
];

const styles = `<styleSheet><numFmts>${FORMATS.map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`).join('')}</numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/>${FORMATS.map((_, index) => `<xf numFmtId="${164 + index}"/>`).join('')}</cellXfs></styleSheet>`;

/** The style of a cell with the format at this index of FORMATS. */
const styleOf = (index: number) => index + 2;

const workbook = (cells: string, parts: Record<string, string> = {}, properties = '') =>
  packageOf({
    ...packageRoot('spreadsheetml.sheet', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook>${properties}<sheets><sheet name="Prices" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      r1: ['worksheets/sheet1.xml', 'worksheet'],
      r2: ['styles.xml', 'styles'],
    }),
    'xl/styles.xml': styles,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row>${cells}</row></sheetData></worksheet>`,
    ...parts,
  });

const cell = (value: string | number, style = 0) => `<c s="${style}"><v>${value}</v></c>`;

describe('a cell of a workbook', () => {
  it.each<[string, string, string[]]>([
    ['a number', cell(1234.5), ['1234.5']],
    ['thousands and decimals', cell(1234.5, styleOf(0)), ['1,234.50', '1234.5']],
    ['rounding', cell(1234.5678, styleOf(0)), ['1,234.57', '1234.5678']],
    ['what binary fractions leave', cell('1.1000000000000001'), ['1.1']],
    ['a share', cell(0.1234, styleOf(1)), ['12.34%', '0.1234']],
    ['a currency', cell(1234.5, styleOf(2)), ['€ 1.234,50', '1234.5']],
    ['a currency with padding', cell(-1234.5, styleOf(5)), ['-1,234.50 €', '-1234.5']],
    ['a short date', cell(45000, 1), ['3/15/2023', '2023-03-15']],
    ['a long date', cell(45000, styleOf(3)), ['15. March 2023', '2023-03-15']],
    ['a date and time', cell(45000.5, styleOf(4)), ['2023-03-15 12:00']],
    ['a number with its own signs', cell(123456789, styleOf(6)), ['123-45-6789', '123456789']],
    ['a duration', cell(2.5, styleOf(7)), ['60:00']],
    ['a broken format', cell(4711, styleOf(8)), ['4711']],
    ['an unknown style', cell(4711, 99), ['4711']],
    ['a truth value', '<c t="b"><v>1</v></c><c t="b"><v>0</v></c>', ['TRUE FALSE']],
    ['a date as text', '<c t="d"><v>2023-03-15</v></c>', ['2023-03-15']],
    ['the text of a formula', '<c t="str"><f>A1&amp;B1</f><v>Ann &amp; Lee</v></c>', ['Ann & Lee']],
    ['an error', '<c t="e"><v>#N/A</v></c>', ['N/A']],
  ])('is found as it is shown and as it is stored: %s', async (_, cells, found) => {
    await expectFound(workbook(cells), 'a.xlsx', { found });
  });

  it('has its date by the calendar of the workbook', async () => {
    const bytes = workbook(cell(43538, styleOf(3)), {}, '<workbookPr date1904="1"/>');
    expect(await pagesOf(bytes, 'a.xlsx')).toEqual(['Prices\n15. March 2023 2023-03-15']);
  });

  it('is not found by its formula, its reading or the number of its string', async () => {
    const cells =
      '<c t="s"><f>secret1</f><v>1</v></c><c t="inlineStr"><is><t>inline</t><rPh><t>secret2</t></rPh></is></c><c t="s"><v/></c>';
    const strings = '<sst><si><t>zero</t></si><si><t>東京</t><rPh><t>とうきょう</t></rPh></si></sst>';
    await expectFound(workbook(cells, { 'xl/sharedStrings.xml': strings }), 'a.xlsx', {
      found: ['東京', 'inline'],
      not: ['secret1', 'secret2', 'とう', 'zero'],
    });
  });
});

describe('beside its cells, a sheet', () => {
  it('has notes, threaded comments, text boxes, charts, and headers of the print', async () => {
    const text = (words: string) => `<a:p><a:r><a:t>${words}</a:t></a:r></a:p>`;
    const bytes = workbook(cell(1), {
      'xl/worksheets/sheet1.xml':
        '<worksheet><sheetData><row><c><v>1</v></c></row></sheetData><headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;14R&amp;&amp;D report&amp;CPage &amp;P</oddHeader></headerFooter></worksheet>',
      'xl/worksheets/_rels/sheet1.xml.rels': relations({
        n: ['../comments1.xml', 'comments'],
        t: ['../threadedComments/threadedComment1.xml', 'threadedComment'],
        d: ['../drawings/drawing1.xml', 'drawing'],
      }),
      'xl/comments1.xml':
        '<comments><authors><author>Ann</author><author>tc={1-2}</author></authors><commentList><comment authorId="0"><text><r><t>check </t></r><r><t>this</t></r></text></comment><comment authorId="1"><text><t>[Threaded comment] boilerplate</t></text></comment></commentList></comments>',
      'xl/threadedComments/threadedComment1.xml':
        '<ThreadedComments><threadedComment><text>why so high</text></threadedComment><threadedComment><text>season</text></threadedComment></ThreadedComments>',
      'xl/drawings/drawing1.xml': `<xdr:wsDr><xdr:txBody>${text('callout')}</xdr:txBody></xdr:wsDr>`,
      'xl/drawings/_rels/drawing1.xml.rels': relations({ c: ['../charts/chart1.xml', 'chart'] }),
      'xl/charts/chart1.xml': `<c:chartSpace><c:title>${text('Turnover')}</c:title><c:cat><c:strRef><c:strCache><c:pt><c:v>North</c:v></c:pt><c:pt><c:v>South</c:v></c:pt></c:strCache></c:strRef></c:cat></c:chartSpace>`,
      'xl/charts/_rels/chart1.xml.rels': relations({ u: ['../drawings/drawing2.xml', 'chartUserShapes'] }),
      'xl/drawings/drawing2.xml': `<c:userShapes>${text('peak')}</c:userShapes>`,
    });
    await expectFound(bytes, 'a.xlsx', {
      found: [
        'check this',
        'why so high season',
        'callout',
        'Turnover',
        'North',
        'South',
        'peak',
        'R&D report',
        'Page',
      ],
      not: ['boilerplate', 'Arial', '14R'],
    });
  });

  it('is read for as long as the limit allows, however many notes it has', async () => {
    const notes = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [
        `n${index}`,
        [`../comments${index}.xml`, 'comments'] as const,
      ]),
    );
    const parts = Object.fromEntries(
      Object.keys(notes).map((_, index) => [
        `xl/comments${index}.xml`,
        `<comments><comment><text><t>${'note '.repeat(2_000)}</t></text></comment></comments>`,
      ]),
    );
    const bytes = workbook(cell(1), { 'xl/worksheets/_rels/sheet1.xml.rels': relations(notes), ...parts });
    const { length } = (await pagesOf(bytes, 'a.xlsx')).join('');
    expect(length).toBeGreaterThan(9_900_000);
    expect(length).toBeLessThanOrEqual(10_000_000);
  });
});
