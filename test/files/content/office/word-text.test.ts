import { describe, expect, it } from 'vitest';
import { expectFound, packageOf, packageRoot, pagesOf, relations } from '../corpus.ts';

const body = (paragraphs: string) => `<w:document><w:body>${paragraphs}</w:body></w:document>`;

const word = (paragraphs: string, parts: Record<string, string> = {}) =>
  packageOf({
    ...packageRoot('wordprocessingml.document', 'word/document.xml'),
    'word/document.xml': body(paragraphs),
    ...parts,
  });

const run = (text: string, properties = '') =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
const paragraph = (...runs: string[]) => `<w:p>${runs.join('')}</w:p>`;
const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const box = (text: string) => `<w:txbxContent>${paragraph(run(text))}</w:txbxContent>`;

describe('a paragraph of Word', () => {
  it.each<[string, string, string]>([
    ['a non-breaking hyphen', '<w:r><w:t>XQ</w:t><w:noBreakHyphen/><w:t>4711</w:t></w:r>', 'XQ-4711'],
    ['a soft hyphen', '<w:r><w:t>water</w:t><w:softHyphen/><w:t>tight</w:t></w:r>', 'watertight'],
    ['a soft hyphen as a character', run('water\u00adtight'), 'watertight'],
    ['a non-breaking hyphen as a character', run('XQ\u20114711'), 'XQ-4711'],
    ['a tab', '<w:r><w:t>net</w:t><w:tab/><w:t>gross</w:t></w:r>', 'net gross'],
    [
      'a tab at a position',
      '<w:r><w:t>net</w:t><w:ptab w:relativeTo="margin"/><w:t>gross</w:t></w:r>',
      'net gross',
    ],
    ['a line break', '<w:r><w:t>street</w:t><w:br/><w:t>town</w:t></w:r>', 'street town'],
    ['a carriage return', '<w:r><w:t>street</w:t><w:cr/><w:t>town</w:t></w:r>', 'street town'],
    [
      'a symbol between words',
      '<w:r><w:t>a</w:t><w:sym w:font="Wingdings" w:char="F0FC"/><w:t>done</w:t></w:r>',
      'a done',
    ],
    [
      'a Greek letter',
      '<w:r><w:t xml:space="preserve">type </w:t><w:sym w:font="Symbol" w:char="F062"/></w:r>',
      'type β',
    ],
    ['a letter as a symbol', '<w:r><w:t>caf</w:t><w:sym w:font="Arial" w:char="00E9"/></w:r>', 'café'],
    ['a word in several runs', run('contr') + run('act', '<w:b/>'), 'contract'],
    [
      'a smart tag',
      `${run('dear ')}<w:smartTag w:element="name">${run('Ann')}</w:smartTag>${run(' Lee')}`,
      'dear Ann Lee',
    ],
    [
      'a content control',
      `<w:sdt><w:sdtPr><w:text/></w:sdtPr><w:sdtContent>${run('chosen value')}</w:sdtContent></w:sdt>`,
      'chosen value',
    ],
    ['a link', `${run('see ')}<w:hyperlink r:id="x">${run('our terms')}</w:hyperlink>`, 'see our terms'],
    ['a formula', '<m:oMath><m:r><m:t>energy</m:t></m:r></m:oMath>', 'energy'],
    ['text that was inserted', `<w:ins>${run('newly')}</w:ins>`, 'newly'],
    ['text that was moved here', `<w:moveTo>${run('arrived')}</w:moveTo>`, 'arrived'],
    [
      'an entry of a list in a form',
      '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="red"/><w:listEntry w:val="green"/></w:ddList></w:ffData></w:fldChar></w:r>',
      'green',
    ],
  ])('is found with %s', async (_, runs, phrase) => {
    await expectFound(word(paragraph(runs)), 'a.docx', { found: [phrase] });
  });

  it.each<[string, string]>([
    ['deleted', `<w:del><w:r><w:delText>secret</w:delText></w:r></w:del>`],
    ['deleted, as some programs write it', `<w:del>${run('secret')}</w:del>`],
    ['moved away', `<w:moveFrom>${run('secret')}</w:moveFrom>`],
    ['hidden', run('secret', '<w:vanish/>')],
    ['the code of a field', `${field('begin')}<w:r><w:instrText>secret</w:instrText></w:r>${field('end')}`],
    ['the code of a deleted field', '<w:r><w:delInstrText>secret</w:delInstrText></w:r>'],
    [
      'the result of a field within a code',
      `${field('begin')}<w:r><w:instrText>IF </w:instrText></w:r>${field('begin')}${field('separate')}${run('secret')}${field('end')}${field('separate')}${field('end')}`,
    ],
    [
      'a choice of a form that is not made',
      '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:listEntry w:val="red"/><w:listEntry w:val="secret"/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>',
    ],
  ])('is not found by what is not seen: %s', async (_, runs) => {
    const bytes = word(paragraph(run('before '), runs, run(' after')) + paragraph(run('next')));
    await expectFound(bytes, 'a.docx', { found: ['before', 'after', 'next'], not: ['secret'] });
  });

  it('shows the results of fields, also where the end of one is missing', async () => {
    const date = `${field('begin')}<w:r><w:instrText> DATE </w:instrText></w:r>${field('separate')}${run('5 May')}${field('end')}`;
    const simple = `<w:fldSimple w:instr=" AUTHOR ">${run('Ann')}</w:fldSimple>`;
    const open = paragraph(field('begin'), '<w:r><w:instrText>PAGE</w:instrText></w:r>');
    await expectFound(word(paragraph(date) + paragraph(simple) + open + paragraph(run('rest'))), 'a.docx', {
      found: ['5 May', 'Ann', 'rest'],
      not: ['DATE', 'AUTHOR', 'PAGE'],
    });
  });

  it('is not hidden by a hidden paragraph mark, or by what was hidden before', async () => {
    const mark = '<w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>';
    const before = run('shown', '<w:vanish w:val="0"/><w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>');
    await expectFound(word(paragraph(mark, run('seen')) + paragraph(before)), 'a.docx', {
      found: ['seen', 'shown'],
    });
  });

  it('stays a phrase where readings or a text box stand beside it', async () => {
    const ruby =
      '<w:ruby><w:rt><w:r><w:t>とう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東</w:t></w:r></w:rubyBase></w:ruby>';
    const second = ruby.replace('とう', 'きょう').replace('東', '京');
    const shape = `<mc:AlternateContent><mc:Choice>${box('aside note')}</mc:Choice><mc:Fallback>${box('aside note')}</mc:Fallback></mc:AlternateContent>`;
    const bytes = word(
      paragraph(`<w:r>${ruby}</w:r><w:r>${second}</w:r>`, run('都')) +
        paragraph(run('red '), `<w:r>${shape}</w:r>`, run('green')),
    );
    await expectFound(bytes, 'a.docx', { found: ['東京都', 'とうきょう', 'red green', 'aside note'] });
    expect((await pagesOf(bytes, 'a.docx')).join().split('aside note')).toHaveLength(2);
  });

  it('shows the branch that is there of an alternative', async () => {
    const only = `<mc:AlternateContent><mc:Fallback>${box('fallback')}</mc:Fallback></mc:AlternateContent>`;
    const two = `<mc:AlternateContent><mc:Choice>${box('first')}</mc:Choice><mc:Choice>${box('second')}</mc:Choice></mc:AlternateContent>`;
    await expectFound(word(paragraph(`<w:r>${only}${two}</w:r>`)), 'a.docx', {
      found: ['fallback', 'first'],
      not: ['second'],
    });
  });
});

describe('beside the body, Word', () => {
  it('has headers, footers, notes, comments, charts and diagrams', async () => {
    const part = (name: string, text: string) => `<w:${name}>${paragraph(run(text))}</w:${name}>`;
    const bytes = word(paragraph(run('body')), {
      'word/_rels/document.xml.rels': relations({
        a: ['header7.xml', 'header'],
        b: ['footer7.xml', 'footer'],
        c: ['footnotes.xml', 'footnotes'],
        d: ['endnotes.xml', 'endnotes'],
        e: ['remarks.xml', 'comments'],
        f: ['charts/chart1.xml', 'chart'],
        g: ['diagrams/data1.xml', 'diagramData'],
        h: ['glossary/document.xml', 'glossaryDocument'],
      }),
      'word/header7.xml': part('hdr', 'letterhead'),
      'word/footer7.xml': part('ftr', 'registered'),
      'word/footnotes.xml': part('footnotes', 'smallprint'),
      'word/endnotes.xml': part('endnotes', 'sources'),
      'word/remarks.xml': part('comments', 'objection'),
      'word/charts/chart1.xml':
        '<c:chartSpace><c:title><c:tx><c:rich><a:p><a:r><a:t>Turnover</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser><c:tx><c:strRef><c:f>Sheet1!$B$1</c:f><c:strCache><c:pt idx="0"><c:v>Region North</c:v></c:pt></c:strCache></c:strRef></c:tx><c:val><c:numRef><c:f>Sheet1!$B$2</c:f><c:numCache><c:formatCode>General</c:formatCode></c:numCache></c:numRef></c:val></c:ser></c:chartSpace>',
      'word/diagrams/data1.xml':
        '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Chief</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Clerk</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>',
      'word/glossary/document.xml': body(paragraph(run('template'))),
    });
    await expectFound(bytes, 'a.docx', {
      found: [
        'body',
        'letterhead',
        'registered',
        'smallprint',
        'sources',
        'objection',
        'Turnover',
        'Region North',
        'Chief',
        'Clerk',
      ],
      not: ['Sheet1', 'General', 'template'],
    });
  });
});

describe('a presentation', () => {
  it('has on each page the slide, its notes, comments, charts and diagrams', async () => {
    const text = (words: string) => `<a:p><a:r><a:t>${words}</a:t></a:r></a:p>`;
    const bytes = packageOf({
      ...packageRoot('presentationml.presentation', 'ppt/presentation.xml'),
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="b"/><p:sldId id="257" r:id="a"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations({
        a: ['slides/slide1.xml', 'slide'],
        b: ['slides/slide2.xml', 'slide'],
      }),
      'ppt/slides/slide1.xml': `<p:sld>${text('last')}</p:sld>`,
      'ppt/slides/slide2.xml': `<p:sld><a:p><a:r><a:t>first</a:t></a:r><a:br/><a:r><a:t>line</a:t></a:r></a:p></p:sld>`,
      'ppt/slides/_rels/slide2.xml.rels': relations({
        n: ['../notesSlides/notesSlide1.xml', 'notesSlide'],
        c: ['../comments/comment1.xml', 'comments'],
        g: ['../charts/chartEx1.xml', 'chartEx'],
        d: ['../diagrams/data1.xml', 'diagramData'],
      }),
      'ppt/notesSlides/notesSlide1.xml': `<p:notes>${text('said aloud')}</p:notes>`,
      'ppt/comments/comment1.xml':
        '<p:cmLst><p:cm><p:text>unclear</p:text></p:cm><p:cm><p:text>agreed</p:text></p:cm></p:cmLst>',
      'ppt/charts/chartEx1.xml':
        '<cx:chartSpace><cx:data><cx:strDim><cx:f>S!A1</cx:f><cx:lvl><cx:pt idx="0">North</cx:pt><cx:pt idx="1">South</cx:pt></cx:lvl></cx:strDim></cx:data><cx:series><cx:tx><cx:txData><cx:v>Margin</cx:v></cx:txData></cx:tx></cx:series></cx:chartSpace>',
      'ppt/diagrams/data1.xml': `<dgm:dataModel><dgm:t>${text('cycle')}</dgm:t></dgm:dataModel>`,
    });
    const [first, second] = await pagesOf(bytes, 'a.pptx');
    expect(second).toBe('last');
    for (const line of ['first\nline', 'said aloud', 'unclear\nagreed', 'North\nSouth\nMargin', 'cycle'])
      expect(first).toContain(line);
  });
});
