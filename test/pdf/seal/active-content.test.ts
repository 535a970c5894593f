import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { countPages } from '../../../src/files/content/pdf/pdf-pages.ts';
import { sourceOf } from '../../files/content/bytes.ts';
import { packed, pdf, revised } from '../../files/content/pdf-source.ts';
import { sealedFile } from './job.ts';

const STREAM = /stream\r?\n([\s\S]*?)\r?\nendstream/g;

/** All text in a file: outside of its streams, and in those that hold text; escapes in names resolved. */
function contentOf(bytes: Uint8Array): string {
  const raw = Buffer.from(bytes).toString('latin1');
  const streams = [...raw.matchAll(STREAM)].map(([, content = '']) => {
    try {
      return inflateSync(Buffer.from(content, 'latin1')).toString('latin1');
    } catch {
      return content;
    }
  });
  const texts = streams.filter((each) => /^[\t\n\r -~]*$/.test(each));
  return [raw.replace(STREAM, ''), ...texts]
    .join('\n')
    .replace(/#([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const ACTIVE =
  /\/(?:JavaScript|JS|Launch|SubmitForm|ImportData|GoToR|GoToE|Rendition|RichMedia|EmbeddedFiles?|EF|AA|OpenAction|XFA|SetOCGState)\b|app\.alert|calc\.exe/;

const sealed = async (content: Buffer) => {
  const { bytes, removed } = await sealedFile(content);
  return { bytes, removed, content: contentOf(bytes) };
};

const JS = '<</S/JavaScript/JS(app.alert(1))>>';
const PAGES = '<</Type/Pages/Count 1/Kids[3 0 R]>>';
const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Annots[4 0 R]>>';
const catalog = (more: string) => `<</Type/Catalog/Pages 2 0 R${more}>>`;
const link = (action: string) => `<</Type/Annot/Subtype/Link/Rect[0 0 99 99]${action}>>`;

/** Objects from 1; 4 is the annotation of the only page. */
const file = (more: string, annotation = link(''), ...others: string[]) => [
  catalog(more),
  PAGES,
  PAGE,
  annotation,
  ...others,
];

const EMBEDDED = '<</Type/Filespec/F(a.txt)/EF<</F 6 0 R>>>>';
const ATTACHED = '<</Type/EmbeddedFile/Length 8>>\nstream\ncalc.exe\nendstream';

const CASES: [string, string, string[]][] = [
  ['a script that runs when it opens', 'JAVASCRIPT', file(`/OpenAction${JS}`)],
  ['a script of the document', 'JAVASCRIPT', file(`/Names<</JavaScript<</Names[(a) ${JS}]>>>>`)],
  [
    'a script in a referenced object',
    'JAVASCRIPT',
    file('/OpenAction 5 0 R', link(''), '<</S 6 0 R/JS 7 0 R>>', '/JavaScript', '(app.alert(1))'),
  ],
  [
    'a script in a stream',
    'JAVASCRIPT',
    file(
      '/OpenAction 5 0 R',
      link(''),
      '<</S/JavaScript/JS 6 0 R>>',
      '<</Length 12>>\nstream\napp.alert(1)\nendstream',
    ),
  ],
  [
    'a script whose name is escaped',
    'JAVASCRIPT',
    file('/Open#41ction<</#53/J#61vaScript/J#53(app.alert(1))>>'),
  ],
  [
    'a script of a page',
    'OTHER_ACTION',
    [catalog(''), PAGES, PAGE.replace('/Annots', `/AA<</O ${JS}>>/Annots`), link('')],
  ],
  [
    'a script of a field',
    'JAVASCRIPT',
    file(
      '/AcroForm<</Fields[4 0 R]>>',
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/Rect[0 0 9 9]/AA<</K ${JS}/V ${JS}>>>>`,
    ),
  ],
  [
    'a script chained behind a link',
    'JAVASCRIPT',
    file('', link(`/A<</S/URI/URI(https://example.com)/Next[<</S/GoTo/D[3 0 R/Fit]/Next ${JS}>>]>>`)),
  ],
  [
    'a script of a bookmark',
    'JAVASCRIPT',
    file(
      '/Outlines 5 0 R',
      link(''),
      '<</First 6 0 R/Last 6 0 R/Count 1>>',
      `<</Title(a)/Parent 5 0 R/A ${JS}>>`,
    ),
  ],
  ['a program', 'LAUNCH', file('', link('/A<</S/Launch/Win<</F(calc.exe)>>>>'))],
  ['a form that is sent', 'FORM_ACTION', file('', link('/A<</S/SubmitForm/F(https://example.com)>>'))],
  ['data that is read', 'FORM_ACTION', file('', link('/A<</S/ImportData/F(calc.exe)>>'))],
  ['another file', 'EXTERNAL_FILE', file('', link('/A<</S/GoToR/F(\\\\\\\\evil\\\\share)/D[0/Fit]>>'))],
  ['an attached file that is opened', 'EXTERNAL_FILE', file('', link('/A<</S/GoToE/T<</R/C>>>>'))],
  [
    'an address that is a script',
    'EXTERNAL_FILE',
    file('', link('/A<</S/URI/URI(javascript:app.alert\\(1\\))>>')),
  ],
  [
    'an attached file',
    'EMBEDDED_FILE',
    file('/Names<</EmbeddedFiles<</Names[(a) 5 0 R]>>>>', link(''), EMBEDDED, ATTACHED),
  ],
  [
    'an attached file of an annotation',
    'EMBEDDED_FILE',
    file('', '<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 5 0 R>>', EMBEDDED, ATTACHED),
  ],
  ['an attached file of an object', 'EMBEDDED_FILE', file('/AF[5 0 R]', link(''), EMBEDDED, ATTACHED)],
  [
    'rich media',
    'MEDIA',
    file('', '<</Type/Annot/Subtype/RichMedia/Rect[0 0 9 9]/RichMediaContent<</Assets 5 0 R>>>>', '<<>>'),
  ],
  [
    'a form in XML',
    'XFA',
    file(
      '/AcroForm<</Fields[4 0 R]/XFA 5 0 R>>',
      '<</Type/Annot/Subtype/Widget/Rect[0 0 99 99]/FT/Tx/T(a)>>',
      '<</Length 12>>\nstream\napp.alert(1)\nendstream',
    ),
  ],
  [
    'layers that are switched',
    'OTHER_ACTION',
    file('', link('/A<</S/SetOCGState/State[/OFF 5 0 R]>>'), '<<>>'),
  ],
];

describe('active content of a PDF is removed before sealing', () => {
  it.each(CASES)('%s', async (_, kind, objects) => {
    expect(contentOf(pdf(objects))).toMatch(
      /app\.alert|calc\.exe|Launch|GoTo[RE]|SubmitForm|RichMedia|SetOCGState|URI/,
    );
    const { bytes, removed, content } = await sealed(pdf(objects));
    expect(removed).toContain(kind);
    expect(ACTIVE.exec(content)?.[0]).toBeUndefined();
    expect(await countPages(sourceOf(bytes))).toEqual({ pages: 2 });
  });

  it.each(CASES)('packed in an object stream: %s', async (_, kind, objects) => {
    if (objects.some((each) => each.includes('stream'))) return;
    const { removed, content } = await sealed(packed(objects));
    expect(removed).toContain(kind);
    expect(ACTIVE.exec(content)?.[0]).toBeUndefined();
  });

  it('also of earlier revisions in the file, without a note', async () => {
    const { removed, content } = await sealed(
      revised(file('/OpenAction 5 0 R', link(''), JS), 1, catalog('')),
    );
    expect(removed).toEqual([]);
    expect(ACTIVE.exec(content)?.[0]).toBeUndefined();
  });

  it('also of a later revision', async () => {
    const { removed, content } = await sealed(revised(file(''), 1, catalog(`/OpenAction${JS}`)));
    expect(removed).toEqual(['JAVASCRIPT']);
    expect(ACTIVE.exec(content)?.[0]).toBeUndefined();
  });

  it('also in an object that cannot be parsed', async () => {
    const script = '<</S/JavaScript/JS(app.alert(1))/X ]]>>';
    const { removed, content } = await sealed(pdf(file('/OpenAction 5 0 R', link(''), script)));
    expect(removed).toEqual(['JAVASCRIPT']);
    expect(content).not.toContain('app.alert');
  });
});

describe('visible content of a PDF is kept', () => {
  it('links to its pages and to the web, and resources with the names of actions', async () => {
    const objects = [
      catalog('/OpenAction[3 0 R/Fit]'),
      PAGES,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Annots[4 0 R 5 0 R]/Contents 6 0 R/Resources<</ExtGState<</AA 7 0 R/A 7 0 R>>>>>>',
      link('/A<</S/URI/URI(https://example.com/a)>>'),
      link('/A<</S/GoTo/D[3 0 R/Fit]>>'),
      '<</Length 10>>\nstream\n/AA gs\nq Q\nendstream',
      '<</Type/ExtGState/ca 1/SMask<</S/Luminosity>>>>',
    ];
    const { removed, content } = await sealed(pdf(objects));
    expect(removed).toEqual([]);
    for (const part of ['https://example.com/a', '/GoTo', '/AA gs', '/Luminosity'])
      expect(content).toContain(part);
    expect(content).toMatch(/\/ExtGState\s*<<\s*\/A \d+ 0 R\s*\/AA \d+ 0 R/);
  });
});
