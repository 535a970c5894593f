import { expect, it } from 'vitest';
import { newDocuments } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

const SEARCH = `query ($id: ID!, $query: String!) { organization(id: $id) { search(query: $query) {
  nodes { node { ... on Document { name } } highlights { text matches } } } } }`;

/** What is written in a name, and queries of which each finds it. */
const FOUND: [string, string[]][] = [
  ['كتاب يحيى', ['کتاب', 'یحیی', 'كتاب يحيي']],
  ['گزارش شركة', ['شرکه', 'شركة']],
  ['أحمد إبراهيم آل', ['احمد', 'ابراهيم', 'ال', 'ٱحمد']],
  ['فاکتور ۱۲۳۴', ['1234', '١٢٣٤', '۱۲۳۴']],
  ['مـحـمّـد', ['محمد']],
  ['می\u200Cخواهم', ['میخواهم', 'می\u200Cخواهم']],
  ['रसीद १२३', ['123', 'रसीद']],
  ['ใบเสร็จ ๔๕๖', ['456']],
  ["O'Brien contract", ['obrien', "o'brien", 'o’brien', 'brien', 'oʼbrien', "O'Brien contract"]],
  ['O’Neill', ["o'neill", 'oneill']],
  ['OReilly', ["o'reilly", 'oreilly']],
  [
    'Konto DE89 3704 0044 0532 0130 00',
    ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00', '"DE89 3704 0044"', 'DE89370400'],
  ],
  ['DE02120300000000202051', ['DE02 1203 0000 0000 2020 51', 'de02120300000000202051']],
  ['GB29 NWBK 6016 1331 9268 19', ['GB29NWBK60161331926819', 'GB29-NWBK-6016-1331-9268-19']],
  ['GB33BUKB20201555555555', ['GB33 BUKB 2020 1555 5555 55']],
  ['AB-1234/56', ['AB1234', 'AB-1234/56', 'ab123456', 'AB 1234', '1234']],
  ['XY98765', ['XY-98765', 'xy 98765', 'XY98765']],
  ['Tel. +49 30 1234-567', ['+49301234567', '49 30 1234 567']],
  ['Fax 030.765.4321', ['0307654321', '030 765 4321', '030/7654321']],
  ['0891239876', ['089 123 9876', '089-123-98-76', '(089) 1239876']],
  ['VAT ATU 12345678', ['ATU12345678', 'ATU 12345678']],
  ['NL001234567B01', ['NL 001234567B01', 'NL001234567B01']],
  ['2031-04-30', ['20310430', '2031-04', '2031']],
  ['Straße', ['strasse', 'straße', 'STRASSE']],
  ['ﬁnance ＡＢＣ１２３', ['finance', 'abc123']],
  ['Iğdır İzmir', ['igdir', 'izmir', 'ığdır']],
  ['jane.doe@example.com', ['jane.doe@example.com', 'doe', 'example.com', 'jane.doe']],
  ['scan_2031_final.pdf', ['scan', '2031', 'final', 'scan_2031', 'scan2031']],
  ['e-mail', ['email', 'e-mail', 'mail']],
  ['Notes on C++', ['c++', 'C']],
  ['Vertrag § 5', ['§ 5', '5']],
];

it('a name is found however its letters, digits and separators are written, and marked', async () => {
  const { owner, project, organization } = await newWorld();
  await newDocuments(await owner.context(), project.id, [
    ...FOUND.map(([name]) => ({ name })),
    { name: 'other thing' },
    { name: '77 12' },
  ]);
  const search = async (query: string): Promise<string[]> =>
    (await owner.graph(SEARCH, { id: organization.id, query })).data.organization.search.nodes.map(
      ({ node }: { node: { name: string } }) => node.name,
    );
  const missed: [string, string][] = [];
  for (const [name, queries] of FOUND)
    for (const query of queries)
      if (!(await search(query)).includes(name.normalize('NFC'))) missed.push([name, query]);
  expect(missed).toEqual([]);
  expect(await search('DE12345678901234567890')).toEqual([]);
  expect(await search('-obrien brien')).toEqual([]);
});

it.each([
  ["Mr O'Brien", 'obrien', "O'Brien"],
  ['Konto DE89 3704 0044 0532 0130 00.', 'DE89370400440532013000', 'DE89 3704 0044 0532 0130 00'],
  ['Case AB-1234/56', 'ab123456', 'AB-1234/56'],
  ['Phone 0891239876', '089 123 9876', '0891239876'],
])('in %j, %s marks what is written in another way', async (name, query, marked) => {
  const { owner, project, organization } = await newWorld();
  await newDocuments(await owner.context(), project.id, [{ name }]);
  const { data } = await owner.graph(SEARCH, { id: organization.id, query });
  const [{ highlights }] = data.organization.search.nodes;
  const [{ text, matches }] = highlights;
  expect(text.slice(matches[0], matches.at(-1))).toBe(marked);
});
