import { deflateSync } from 'node:zlib';
import { PDFDocument, type PDFPage } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { readText } from '../../../src/files/content/text/text.ts';
import { runJobs } from '../../support/jobs.ts';
import { newDocuments } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';
import { type Annotation, annotatedPdf, FIRST_ANNOTATION } from './annotation-source.ts';
import { sourceOf } from './bytes.ts';
import { textPdf } from './pdf-source.ts';

async function read(...made: Parameters<typeof annotatedPdf>) {
  const result = await readText(sourceOf(annotatedPdf(...made)), 'application/pdf');
  return 'text' in result ? result.text.pages.join('\f').split('\n') : result;
}

let fields = 0;
const field = (entries: string, shown?: string): Annotation => ({
  entries: `/Subtype/Widget/T(f${fields++})${entries}`,
  shown,
});
const text = (value: string, shown?: string) => field(`/FT/Tx/DA(/F1 12 Tf 0 g)/V(${value})`, shown);
const note = (entries: string, shown?: string): Annotation => ({ entries, shown });

const COUNTRIES = '/Opt[[(US)(United States)][(DE)(Germany)][(FR)(France)]]';

/** After what is printed on the page, line by line. */
const CASES: [string, Annotation[], string[]][] = [
  ['the value of a text field, once', [text('Zephyr lane', 'Zephyr lane')], ['Zephyr lane']],
  ['a value without an appearance', [text('Zephyr lane')], ['Zephyr lane']],
  [
    'a value that is shown otherwise',
    [text('2026-01-05', '5 January 2026')],
    ['5 January 2026', '2026-01-05'],
  ],
  [
    'a value of which a part is shown',
    [text('Zephyr lane 12', 'Zephyr la')],
    ['Zephyr la', 'Zephyr lane 12'],
  ],
  [
    'a comb, as one word',
    [text('ZEPHYR', 'Z) Tj 20 0 Td (E) Tj 20 0 Td (P) Tj 20 0 Td (HYR')],
    ['Z E P HYR', 'ZEPHYR'],
  ],
  [
    'a value of several lines',
    [field('/FT/Tx/Ff 4096/DA(/F1 12 Tf 0 g)/V(North\\nquay)')],
    ['North', 'quay'],
  ],
  ['the option that a person sees', [field(`/FT/Ch/Ff 131072/V(DE)${COUNTRIES}`, 'Germany')], ['Germany']],
  ['an option of one’s own', [field(`/FT/Ch/Ff 393216/V(Norway)${COUNTRIES}`, 'Norway')], ['Norway']],
  [
    'all options that are selected',
    [field('/FT/Ch/Ff 2097152/V[(red)(blue)]/Opt[(red)(green)(blue)]', 'red')],
    ['red', 'blue'],
  ],
  ['the caption of a button', [field('/FT/Btn/Ff 65536/MK<</CA(Send it)>>', 'Send it')], ['Send it']],
  [
    'the value of a field of two boxes, of which one is shown',
    [
      note(`/FT/Tx/T(parent)/V(Zephyr lane)/Kids[${FIRST_ANNOTATION + 1} 0 R ${FIRST_ANNOTATION + 2} 0 R]`),
      note(`/Subtype/Widget/Parent ${FIRST_ANNOTATION} 0 R`),
      note(`/Subtype/Widget/F 2/Parent ${FIRST_ANNOTATION} 0 R`),
    ],
    ['Zephyr lane'],
  ],
  ['a field of which no form knows', [note('/Subtype/Widget/FT/Tx/V(Zephyr lane)', 'Zephyr')], ['Zephyr']],
  [
    'free text, with or without an appearance',
    [
      note('/Subtype/FreeText/DA(/F1 12 Tf 0 g)/Contents(Margin words)', 'Margin words'),
      note('/Subtype/FreeText/DA(/F1 12 Tf 0 g)/Contents(Other words)'),
    ],
    ['Margin words', 'Other words'],
  ],
  [
    'rich text, where it says more',
    [
      note(
        '/Subtype/FreeText/DA(/F1 12 Tf 0 g)/Contents(Bold move)/RC(<?xml version="1.0"?><body><p>Bold <b>move</b></p></body>)',
      ),
      note('/Subtype/Square/RC(<body><p>Only</p><p>rich &amp; deep</p></body>)'),
    ],
    ['Bold move', 'Only', 'rich & deep'],
  ],
  [
    'a note and its pop-up, once',
    [
      note(`/Subtype/Text/F 28/Contents(Check this)/Popup ${FIRST_ANNOTATION + 1} 0 R`),
      note(`/Subtype/Popup/Contents(Check this again)/Parent ${FIRST_ANNOTATION} 0 R`),
    ],
    ['Check this'],
  ],
  [
    'replies, which Acrobat hides, but no states',
    [
      note('/Subtype/Text/F 28/Contents(A question)'),
      note(`/Subtype/Text/F 30/Contents(An answer)/IRT ${FIRST_ANNOTATION} 0 R`),
      note(`/Subtype/Text/F 30/Contents(A second answer)/RT/R/IRT ${FIRST_ANNOTATION + 1} 0 R`),
      note(
        `/Subtype/Text/F 30/Contents(Accepted by x)/StateModel(Review)/State(Accepted)/IRT ${FIRST_ANNOTATION} 0 R`,
      ),
    ],
    ['A question', 'An answer', 'A second answer'],
  ],
  [
    'comments on text',
    ['Highlight', 'Underline', 'Squiggly', 'StrikeOut'].map((kind) =>
      note(`/Subtype/${kind}/QuadPoints[72 750 200 750 72 735 200 735]/Contents(${kind} why)`),
    ),
    ['Highlight why', 'Underline why', 'Squiggly why', 'StrikeOut why'],
  ],
  [
    'stamps',
    [
      note('/Subtype/Stamp/Name/Approved', 'APPROVED by the board'),
      note('/Subtype/Stamp/Name/NotForPublicRelease'),
    ],
    ['APPROVED by the board', 'Not For Public Release'],
  ],
  [
    'an attached file',
    [
      note(
        '/Subtype/FileAttachment/Contents(Plan of the quay)/FS<</Type/Filespec/F(quay.dwg)/UF(quay.dwg)/Desc(Drawing 7)>>',
      ),
    ],
    ['quay.dwg', 'Drawing 7', 'Plan of the quay'],
  ],
  [
    'a link’s own text',
    [note('/Subtype/Link/Contents(To the annex)/A<</S/URI/URI(http://x.test/hidden)>>')],
    ['To the annex'],
  ],
  ['a watermark', [note('/Subtype/Watermark', 'Copy 7')], ['Copy 7']],
];

describe('the annotations of a page', () => {
  it.each(CASES)('have their text: %s', async (_, annotations, lines) => {
    expect(await read(annotations)).toEqual(['Printed', ...lines]);
  });

  it.each([
    ['a password', [field('/FT/Tx/Ff 8192/V(secret)', 'secret')]],
    ['what is hidden', [{ ...text('secret', 'secret'), entries: `${text('secret').entries}/F 2` }]],
    ['what is shown on paper only', [note('/Subtype/FreeText/F 36/Contents(secret)', 'secret')]],
    ['what has no area', [{ entries: `${text('secret').entries}/Rect[0 0 0 0]` }]],
    [
      'a reply to what is hidden',
      [
        note('/Subtype/Text/F 2/Contents(secret)'),
        note(`/Subtype/Text/F 28/Contents(secret)/IRT ${FIRST_ANNOTATION} 0 R`),
      ],
    ],
    [
      'replies in a circle',
      [
        note(`/Subtype/Text/Contents(secret)/IRT ${FIRST_ANNOTATION + 1} 0 R`),
        note(`/Subtype/Text/Contents(secret)/IRT ${FIRST_ANNOTATION} 0 R`),
      ],
    ],
    ['marks of check boxes', [field('/FT/Btn/V/secret/AS/secret', 'secret')]],
  ])('are not read where a person does not see them: %s', async (_, annotations) => {
    expect(await read(annotations as Annotation[])).toEqual(['Printed']);
  });

  it('have the values of fields whose appearances are to be made by the reader', async () => {
    const fields = [text('Zephyr'), field(`/FT/Ch/Ff 131072/V(DE)/DA(/F1 12 Tf 0 g)${COUNTRIES}`)];
    expect(await read(fields, { needAppearances: true })).toEqual(['Printed', 'Zephyr', 'Germany']);
  });

  it('do not repeat what is printed differently, and do not join words of neighbours', async () => {
    const beside = [0, 1, 2].map((n) => ({
      ...text(`cell${n}`, `cell${n}`),
      entries: `${text(`cell${n}`).entries}/Rect[${72 + 24 * n} 600 ${96 + 24 * n} 620]`,
    }));
    expect(await read(beside)).toEqual(['Printed', 'cell0', 'cell1', 'cell2']);
  });

  it('are read within limits where there are very many, and the page itself is read in any case', async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => note(`/Subtype/Text/Contents(Note ${n})`));
    const lines = await read(many);
    expect(lines).toContain('Printed');
    expect(lines).toContain('Note 4');
    expect((lines as string[]).length).toBeLessThanOrEqual(5_001);
  });

  it('do not keep a page from being read, nor others, where they take too much memory', async () => {
    const packed = deflateSync(Buffer.alloc(400 * 2 ** 20, ' '));
    const bytes = annotatedPdf([{ ...text('Zephyr'), packed }]);
    const [annotated, other] = [await PDFDocument.load(bytes), await PDFDocument.load(textPdf([['Next']]))];
    const [before, after] = await annotated.copyPages(other, [0, 0]);
    annotated.insertPage(0, before as PDFPage);
    annotated.addPage(after as PDFPage);
    const result = await readText(sourceOf(await annotated.save()), 'application/pdf');
    expect(result).toEqual({ text: { pages: ['Next', 'Printed', 'Next'], paged: true } });
  });

  it('are found by a search for what was filled in', async () => {
    const { owner, project, organization } = await newWorld();
    await newDocuments(await owner.context(), project.id, [
      {
        name: 'form.pdf',
        content: annotatedPdf([text('Quagmire'), note('/Subtype/Text/Contents(Ask Ottoline first)')]),
      },
    ]);
    await runJobs();
    const query = `query ($id: ID!, $query: String) { organization(id: $id) { search(query: $query) {
      nodes { node { ... on Document { name } } highlights { page } } } } }`;
    const found = [];
    for (const words of ['quagmire', '"ask ottoline first"'])
      found.push(
        (await owner.graph(query, { id: organization.id, query: words })).data.organization.search.nodes,
      );
    const expected = [{ node: { name: 'form.pdf' }, highlights: [{ page: 1 }] }];
    expect(found).toEqual([expected, expected]);
  });
});
