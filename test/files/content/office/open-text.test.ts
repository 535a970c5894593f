import { describe, expect, it } from 'vitest';
import { expectFound, packageOf, pagesOf } from '../corpus.ts';

const ODF = 'application/vnd.oasis.opendocument';

const content = (body: string, styles = '') =>
  `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`;

const text = (body: string, parts: Record<string, string> = {}, styles = '') =>
  packageOf({
    mimetype: `${ODF}.text`,
    'content.xml': content(`<office:text>${body}</office:text>`, styles),
    ...parts,
  });

const paragraph = (inner: string) => `<text:p>${inner}</text:p>`;
const frame = (inner: string) =>
  `<draw:frame draw:name="Frame1"><draw:text-box>${paragraph(inner)}</draw:text-box><svg:title>alternative</svg:title></draw:frame>`;

const masterPages = `<office:document-styles><office:styles><style:style style:name="x">${paragraph('style')}</style:style></office:styles>
  <office:master-styles><style:master-page><style:header>${paragraph('letterhead')}</style:header><style:header-left style:display="false">${paragraph('left')}</style:header-left><style:footer-first>${paragraph('registered')}</style:footer-first></style:master-page></office:master-styles></office:document-styles>`;

describe('a paragraph of OpenDocument', () => {
  it.each<[string, string, string[]]>([
    ['blanks', 'net<text:s text:c="3"/>gross', ['net gross']],
    ['a tab', 'net<text:tab/>gross', ['net gross']],
    ['a line break', 'street<text:line-break/>town', ['street town']],
    ['a word in several spans', 'contr<text:span text:style-name="T1">act</text:span>', ['contract']],
    ['a non-breaking hyphen', 'XQ\u20114711', ['XQ-4711']],
    ['a soft hyphen', 'water\u00adtight', ['watertight']],
    [
      'readings',
      '<text:ruby><text:ruby-base>東</text:ruby-base><text:ruby-text>とう</text:ruby-text></text:ruby><text:ruby><text:ruby-base>京</text:ruby-base><text:ruby-text>きょう</text:ruby-text></text:ruby>都',
      ['東京都', 'とうきょう'],
    ],
    [
      'a comment',
      'red<office:annotation><dc:creator>Ann</dc:creator><dc:date>2030</dc:date><text:p>a remark</text:p></office:annotation> green',
      ['red green', 'a remark'],
    ],
    [
      'a footnote',
      'red<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>small print</text:p></text:note-body></text:note> green',
      ['red green', 'small print'],
    ],
    ['a text box', `red ${frame('boxed words')}green`, ['red green', 'boxed words']],
    ['a field', 'see <text:page-number>7</text:page-number>', ['see 7']],
  ])('is found with %s', async (_, inner, found) => {
    await expectFound(text(paragraph(inner)), 'a.odt', { found, not: ['Ann', 'alternative', '1'] });
  });

  it('is not found by what is deleted, hidden or a setting', async () => {
    const styles =
      '<style:style style:name="T9"><style:text-properties text:display="none"/></style:style><style:style style:name="T1"><style:text-properties/></style:style>';
    const bytes = text(
      `<text:tracked-changes><text:changed-region><text:deletion>${paragraph('secret')}</text:deletion></text:changed-region></text:tracked-changes>` +
        paragraph(
          'one <text:span text:style-name="T9">secret</text:span><text:hidden-text>secret</text:hidden-text>two',
        ) +
        `<text:section text:display="none">${paragraph('secret')}</text:section>` +
        paragraph(
          '<text:change-start/>inserted<text:change-end/> <text:span text:style-name="T1">three</text:span>',
        ),
      {},
      styles,
    );
    await expectFound(bytes, 'a.odt', { found: ['one two', 'inserted three'], not: ['secret'] });
  });
});

describe('beside the body, OpenDocument', () => {
  it('has headers and footers in its styles, but not those that are not shown', async () => {
    await expectFound(text(paragraph('body'), { 'styles.xml': masterPages }), 'a.odt', {
      found: ['body', 'letterhead', 'registered'],
      not: ['style', 'left'],
    });
  });

  it('has the titles of its charts, each once', async () => {
    const object = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';
    const chart = content(`<office:chart><chart:title>${paragraph('Turnover')}</chart:title></office:chart>`);
    const bytes = text(paragraph(`body ${object}${object}`), { 'Object 1/content.xml': chart });
    expect(await pagesOf(bytes, 'a.odt')).toEqual(['body\nTurnover']);
  });

  it('is recognized and read by any spelling of its parts, and without a type at its beginning', async () => {
    const parts = { 'CONTENT.XML': content(`<office:text>${paragraph('zephyr')}</office:text>`) };
    await expectFound(packageOf({ ...parts, mimetype: `${ODF}.text` }), 'a.odt', { found: ['zephyr'] });
    const manifest = `<manifest:manifest><manifest:file-entry manifest:full-path="/" manifest:media-type="${ODF}.text"/></manifest:manifest>`;
    await expectFound(packageOf({ 'META-INF\\manifest.xml': manifest, ...parts }), 'a.odt', {
      found: ['zephyr'],
    });
  });
});

describe('pages of OpenDocument', () => {
  const cell = (attributes: string, shown: string) =>
    `<table:table-cell ${attributes}>${paragraph(shown)}</table:table-cell>`;

  it('are sheets, whose cells are found as shown and as stored', async () => {
    const row = [
      cell('office:value-type="currency" office:value="1234.5"', '1.234,50 €'),
      cell('office:value-type="percentage" office:value="0.25"', '25 %'),
      cell('office:value-type="date" office:date-value="2023-03-15T12:00:00"', '15. März 2023'),
      cell('office:value-type="float" office:value="4711"', '4711'),
      '<table:table-cell office:value-type="string"><office:annotation><dc:creator>Ann</dc:creator><text:p>check this</text:p></office:annotation><text:p>words</text:p></table:table-cell>',
    ];
    const bytes = packageOf({
      mimetype: `${ODF}.spreadsheet`,
      'content.xml': content(
        `<office:spreadsheet><table:table table:name="Prices"><table:table-row>${row.join('')}</table:table-row></table:table><table:table table:name="Empty"/></office:spreadsheet>`,
      ),
      'styles.xml': masterPages,
    });
    await expectFound(bytes, 'a.ods', {
      found: [
        '1.234,50',
        '1234.5',
        '25 %',
        '0.25',
        '15. März 2023',
        '2023-03-15',
        'check this',
        'words',
        'letterhead',
      ],
      not: ['Ann', '4711 4711'],
    });
    const pages = await pagesOf(bytes, 'a.ods');
    expect(pages.map((page) => page.split('\n')[0])).toEqual(['Prices', 'Empty']);
  });

  it('are slides, also those with tables, with notes and footers', async () => {
    const slide = (inner: string) => `<draw:page>${inner}</draw:page>`;
    const table = `<draw:frame><table:table><table:table-row><table:table-cell>${paragraph('cell')}</table:table-cell></table:table-row></table:table></draw:frame>`;
    const bytes = packageOf({
      mimetype: `${ODF}.presentation`,
      'content.xml': content(
        `<office:presentation><presentation:footer-decl>confidential</presentation:footer-decl>${slide(frame('one') + table)}${slide(`${frame('two')}<presentation:notes>${frame('said')}</presentation:notes>`)}</office:presentation>`,
      ),
    });
    expect(await pagesOf(bytes, 'a.odp')).toEqual(['confidential\none\ncell', 'two\nsaid']);
  });

  it('are drawings', async () => {
    const bytes = packageOf({
      mimetype: `${ODF}.graphics`,
      'content.xml': content(`<office:drawing><draw:page>${frame('plan')}</draw:page></office:drawing>`),
    });
    expect(await pagesOf(bytes, 'a.odg')).toEqual(['plan']);
  });
});

describe('a flat file of OpenDocument', () => {
  it('is read as its package, without pictures', async () => {
    const flat = (kind: string, body: string) =>
      `<?xml version="1.0"?>\n<office:document xmlns:office="urn:x" office:version="1.3" office:mimetype="${ODF}.${kind}"><office:meta><dc:creator>Ann</dc:creator></office:meta>${masterPages}<office:body>${body}</office:body></office:document>`;
    const picture = `<draw:frame><draw:image><office:binary-data>${'iVBORw0KGgo'.repeat(20)}</office:binary-data></draw:image></draw:frame>`;
    await expectFound(flat('text', `<office:text>${paragraph(`body ${picture}`)}</office:text>`), 'a.fodt', {
      found: ['body', 'letterhead'],
      not: ['Ann', 'iVBORw0KGgo'],
    });
    const sheets =
      '<office:spreadsheet><table:table table:name="A"/><table:table table:name="B"/></office:spreadsheet>';
    expect(await pagesOf(flat('spreadsheet', sheets), 'a.xml')).toHaveLength(2);
  });

  it('is not the only XML whose pictures are left out', async () => {
    const picture = `<pkg:binaryData>${'iVBORw0KGgo '.repeat(20)}</pkg:binaryData>`;
    const bytes = `<?xml version="1.0"?><pkg:package><w:t>words</w:t>${picture}</pkg:package>`;
    await expectFound(bytes, 'a.xml', { found: ['words'], not: ['iVBORw0KGgo'] });
  });
});
