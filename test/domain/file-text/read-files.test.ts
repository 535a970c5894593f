import { beforeAll, describe, expect, it } from 'vitest';
import { packageOf, packageRoot, relations } from '../../files/content/corpus.ts';
import { dropJobs, runJobs } from '../../support/jobs.ts';
import { newDocuments } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

beforeAll(dropJobs);

const SEARCH = `query ($id: ID!, $query: String) { organization(id: $id) { search(query: $query) {
  nodes { node { ... on Document { name textStatus } } } } } }`;

const letter = packageOf({
  ...packageRoot('wordprocessingml.document', 'word/document.xml'),
  '_rels/.rels': relations({ r1: ['word/letter2.xml', 'officeDocument'] }),
  'word\\Letter2.xml':
    '<w:document><w:body><w:p><w:r><w:t>Order XQ</w:t><w:noBreakHyphen/><w:t>4711</w:t></w:r></w:p></w:body></w:document>',
});

const prices = packageOf({
  ...packageRoot('spreadsheetml.sheet', 'xl/workbook.xml'),
  'xl/workbook.xml': '<workbook><sheets><sheet name="Prices" r:id="r1"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': relations({ r1: ['worksheets/sheet1.xml', 'worksheet'] }),
  'xl/styles.xml':
    '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="4"/><xf numFmtId="14"/></cellXfs></styleSheet>',
  'xl/worksheets/sheet1.xml':
    '<worksheet><row><c s="1"><v>81234.5</v></c><c s="2"><v>45000</v></c></row></worksheet>',
});

const plan = packageOf({
  'styles.xml':
    '<o><master-styles><style:footer><text:p>Registered in Aarhus</text:p></style:footer></master-styles></o>',
  'content.xml':
    '<o><office:body><text:p>Zoë<office:annotation><text:p>why</text:p></office:annotation></text:p></office:body></o>',
  mimetype: 'application/vnd.oasis.opendocument.text',
});

const mail =
  'From m@example.test Mon May  6 10:00:00 2024\nSubject: Breakwater\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nNo HTML no view\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPHA+cGVubmFudDwvcD4=\n--b--\n';

const FILES = [
  { name: 'letter.docx', content: letter },
  { name: 'prices.xlsx', content: prices },
  { name: 'plan.odt', content: plan },
  { name: 'note.eml', content: mail },
  { name: 'names.csv', content: 'Name;Größe\r\nŁukasz;5\r\n\x1a' },
  {
    name: 'broken.txt',
    content: Buffer.concat([Buffer.from('über Füssen nach Ålesund '), Buffer.from([0xff])]),
  },
  { name: 'invoice.txt', content: Buffer.from('90bf8b818f9194d48d86', 'hex') },
];

describe('a search', () => {
  it('finds uploaded files by what their readers see, and not by what they do not', async () => {
    const { owner, organization, project } = await newWorld();
    await newDocuments(await owner.context(), project.id, FILES);
    await runJobs();
    const found = async (query: string) => {
      const { data, errors } = await owner.graph(SEARCH, { id: organization.id, query });
      if (errors) throw new Error(errors[0]?.message);
      return data.organization.search.nodes.map(({ node }: { node: { name: string } }) => node.name);
    };
    const expected: [query: string, names: string[]][] = [
      ['"XQ-4711"', ['letter.docx']],
      ['"81,234.50"', ['prices.xlsx']],
      ['"81234.5"', ['prices.xlsx']],
      ['"2023-03-15"', ['prices.xlsx']],
      ['"3/15/2023"', ['prices.xlsx']],
      ['"registered in aarhus"', ['plan.odt']],
      ['zoe why', ['plan.odt']],
      ['pennant', ['note.eml']],
      ['"no view"', []],
      ['text:PHA', []],
      ['łukasz größe', ['names.csv']],
      ['füssen ålesund', ['broken.txt']],
      ['請求書', ['invoice.txt']],
    ];
    for (const [query, names] of expected) expect([query, await found(query)]).toEqual([query, names]);
  });
});
