import { beforeAll, describe, expect, it } from 'vitest';
import { recycleDocuments } from '../../../../src/domain/documents/document-bin.ts';
import { restoreRevision } from '../../../../src/domain/documents/document-change.ts';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { textPdf } from '../../../files/content/pdf-source.ts';
import { counted } from '../../../support/database.ts';
import { dropJobs, runJobs } from '../../../support/jobs.ts';
import { newDocuments } from '../../../support/storage.ts';
import { joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

beforeAll(dropJobs);

const SEARCH = `query ($id: ID!, $query: String, $filter: SearchFilter) {
  organization(id: $id) { search(query: $query, filter: $filter) {
    totalCount facets { kinds { kind count } }
    nodes { score node { ... on Document { name } ... on Folder { name } } highlights { part page text matches } }
  } } }`;

interface Found {
  score: number;
  node: { name: string };
  highlights: { part: string; page: number | null; text: string; matches: number[] }[];
}

async function search(person: Person, id: string, query: string, filter: object = {}) {
  const { data, errors } = await person.graph(SEARCH, { id, query, filter });
  if (errors) throw new Error(errors.map(({ message }) => message).join());
  const { nodes, totalCount, facets } = data.organization.search;
  expect(facets.kinds.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(totalCount);
  expect(nodes).toHaveLength(totalCount);
  return nodes as Found[];
}

const names = (hits: Found[]) => hits.map(({ node }) => node.name);

const DOCUMENT = `query ($id: ID!) { document(id: $id) { textStatus textError
  currentRevision { textStatus textError textAttempts textNextAt text(page: 2)
    textPieces { totalCount nodes { firstPage text } } }
  project { textProgress { pending ready none failed skipped } } } }`;

const RETRY =
  'mutation ($input: RetryTextsInput!) { retryTexts(input: $input) { documents { textStatus } } }';

const REPORT = textPdf([
  ['Quarterly report'],
  ['The zephyr blew', 'over the breakwater'],
  ['End of the zephyr'],
]);

/** A report and a note whose texts were not extracted yet. */
async function setUp() {
  const world = await newWorld();
  const ctx = await world.owner.context();
  const [report, note] = await newDocuments(ctx, world.project.id, [
    { name: 'report.pdf', content: REPORT },
    { name: 'zephyr note.txt', content: 'Nothing else' },
  ]);
  if (!report || !note) throw new Error('the fixture is not whole');
  const read = async (id: string, person = world.owner) =>
    (await person.graph(DOCUMENT, { id })).data.document;
  const find = (query: string, filter: object = {}, person = world.owner) =>
    search(person, world.organization.id, query, filter);
  return { ...world, ctx, report, note, read, find };
}

async function readyWorld() {
  const world = await setUp();
  await runJobs();
  return world;
}

describe('the text of a file', () => {
  it('is extracted in the background, page by page', async () => {
    const { report, read } = await setUp();
    const before = await read(report.id);
    await runJobs();
    const after = await read(report.id);
    expect(before).toMatchObject({ textStatus: 'PENDING', textError: null });
    expect(before.currentRevision).toMatchObject({ text: null, textAttempts: 0 });
    expect(before.project.textProgress).toEqual({ pending: 2, ready: 0, none: 0, failed: 0, skipped: 0 });
    expect(after.textStatus).toBe('READY');
    expect(after.currentRevision).toEqual({
      textStatus: 'READY',
      textError: null,
      textAttempts: 1,
      textNextAt: null,
      text: 'The zephyr blew\nover the breakwater',
      textPieces: {
        totalCount: 1,
        nodes: [
          {
            firstPage: 1,
            text: 'Quarterly report\fThe zephyr blew\nover the breakwater\fEnd of the zephyr',
          },
        ],
      },
    });
    expect(after.project.textProgress).toEqual({ pending: 0, ready: 2, none: 0, failed: 0, skipped: 0 });
  });

  it('is extracted once for the same bytes', async () => {
    const { ctx, db, project, read } = await readyWorld();
    const [copy] = await newDocuments(ctx, project.id, [{ name: 'copy.pdf', content: REPORT }]);
    expect((await read(copy?.id as string)).currentRevision).toMatchObject({
      textStatus: 'READY',
      textAttempts: 1,
    });
    expect(await db.prisma.blob.count({ where: { organizationId: project.organizationId } })).toBe(2);
  });

  it('has the status NONE for a file without text', async () => {
    const { ctx, project, read } = await setUp();
    const [empty] = await newDocuments(ctx, project.id, [{ name: 'empty.pdf', content: textPdf([[]]) }]);
    await runJobs();
    expect(await read(empty?.id as string)).toMatchObject({ textStatus: 'NONE', textError: null });
  });

  it('that cannot be extracted has an error, is retried later, and at the end on demand', async () => {
    const { ctx, db, owner, project, read } = await setUp();
    const broken = REPORT.subarray(0, 300);
    const [document] = await newDocuments(ctx, project.id, [{ name: 'broken.pdf', content: broken }]);
    const id = document?.id as string;
    await runJobs();
    const first = await read(id);
    await db.prisma.blob.updateMany({
      where: { textStatus: 'PENDING' },
      data: { textNextAt: new Date(0) },
    });
    await runJobs();
    const last = await read(id);
    const retried = await owner.graph(RETRY, { input: { documentIds: [id] } });
    expect(first).toMatchObject({ textStatus: 'PENDING', textError: expect.stringContaining('broken') });
    expect(new Date(first.currentRevision.textNextAt).getTime()).toBeGreaterThan(Date.now() + 30_000);
    expect(last).toMatchObject({ textStatus: 'FAILED', textError: expect.stringContaining('broken') });
    expect(last.currentRevision).toMatchObject({ textAttempts: 2, textNextAt: null });
    expect(retried.data.retryTexts.documents).toEqual([{ textStatus: 'PENDING' }]);
  });

  it('cannot be retried if it did not fail, nor by a guest or a stranger', async () => {
    const { db, owner, stranger, organization, project, report } = await readyWorld();
    const guest = await newMember(db, organization.id, 'GUEST');
    await joinProject(db, project, guest, 'VIEWER');
    const codes = [];
    for (const person of [owner, guest, stranger])
      codes.push(
        (await person.graph(RETRY, { input: { documentIds: [report.id] } })).errors?.[0]?.extensions.code,
      );
    expect(codes).toEqual(['CONFLICT', 'FORBIDDEN', 'NOT_FOUND']);
  });

  it('is invisible to strangers', async () => {
    const { report, stranger } = await readyWorld();
    const { data, errors } = await stranger.graph(DOCUMENT, { id: report.id });
    expect(data.document).toBeNull();
    expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  });

  it('needs the same number of statements for any number of documents', async () => {
    const { ctx, owner, project } = await readyWorld();
    const query = `query ($id: ID!) { project(id: $id) { documents { nodes {
      textStatus thumbnailUrl currentRevision { textError text(page: 1) textPieces(first: 1) { nodes { text } } } } } } }`;
    const statementCount = async () =>
      (await counted(() => owner.graph(query, { id: project.id }))).statements.length;
    const few = await statementCount();
    await newDocuments(ctx, project.id, [{ name: 'a.txt' }, { name: 'b.txt' }, { name: 'c.txt' }]);
    await runJobs();
    expect(await statementCount()).toBe(few);
  });
});

describe('a search', () => {
  it('finds words of texts after words of names, with their pages', async () => {
    const { find } = await readyWorld();
    const hits = await find('zephyr');
    expect(names(hits)).toEqual(['zephyr note.txt', 'report.pdf']);
    expect(hits[1]?.highlights).toEqual([
      { part: 'TEXT', page: 2, text: 'The zephyr blew\nover the breakwater', matches: [4, 10] },
      { part: 'TEXT', page: 3, text: 'End of the zephyr', matches: [11, 17] },
    ]);
  });

  it.each([
    ['a word of the name and one of the text', 'report breakwater', ['report.pdf']],
    ['a phrase of the text', '"over the breakwater"', ['report.pdf']],
    ['no phrase in another order', '"breakwater over"', []],
    ['the beginning of the last word', 'breakw', ['report.pdf']],
    ['a word only in texts', 'text:zephyr', ['report.pdf']],
    ['a word only in names', 'name:zephyr', ['zephyr note.txt']],
    ['nothing that a text excludes', 'zephyr -breakwater', ['zephyr note.txt']],
    [
      'nothing for a word excluded only in texts that is there',
      'zephyr -text:breakwater',
      ['zephyr note.txt'],
    ],
  ])('finds %s: %s', async (_, query, expected) => {
    const { find } = await readyWorld();
    expect(names(await find(query))).toEqual(expected);
  });

  it('highlights a phrase of a long text where its words are adjacent', async () => {
    const { ctx, find, project } = await setUp();
    const filler = 'wind and water '.repeat(300);
    await newDocuments(ctx, project.id, [
      { name: 'long.txt', content: `steel first ${filler} of weathering\nsteel, ${filler}` },
    ]);
    await runJobs();
    const [hit] = await find('"weathering steel"');
    const [highlight] = hit?.highlights ?? [];
    const [a, b, c, d] = highlight?.matches ?? [];
    expect(hit?.highlights).toHaveLength(1);
    expect(highlight).toMatchObject({ part: 'TEXT', page: null });
    expect([highlight?.text.slice(a, b), highlight?.text.slice(c, d)]).toEqual(['weathering', 'steel']);
  });

  it('finds documents by text when filtered by kind, and nothing of other kinds', async () => {
    const { find } = await readyWorld();
    expect(names(await find('breakwater', { kind: 'DOCUMENT' }))).toEqual(['report.pdf']);
    expect(names(await find('breakwater', { kind: 'FOLDER' }))).toEqual([]);
  });

  it('finds only the text of the newest revision', async () => {
    const { ctx, find, project, report } = await readyWorld();
    await newDocuments(ctx, project.id, [
      { name: 'report.pdf', content: textPdf([['Another wind']]), documentId: report.id },
    ]);
    await runJobs();
    const revised = [names(await find('breakwater')), names(await find('"another wind"'))];
    await restoreRevision(ctx, { documentId: report.id, number: 1 });
    const restored = [names(await find('breakwater')), names(await find('"another wind"'))];
    expect(revised).toEqual([[], ['report.pdf']]);
    expect(restored).toEqual([['report.pdf'], []]);
  });

  it('finds recycled documents by their text only if the filter includes them', async () => {
    const { ctx, find, report } = await readyWorld();
    await recycleDocuments(ctx, { documentIds: [report.id] });
    expect(names(await find('breakwater'))).toEqual([]);
    expect(names(await find('breakwater', { states: ['RECYCLED'] }))).toEqual(['report.pdf']);
  });

  it('neither finds nor counts documents of other organizations and of invisible restricted projects', async () => {
    const { ctx, db, find, organization, stranger } = await readyWorld();
    const [hidden] = await createProjects(ctx, {
      organizationId: organization.id,
      projects: [{ name: 'Hidden', access: 'RESTRICTED' }],
    });
    await newDocuments(ctx, hidden?.id as string, [
      { name: 'secret.txt', content: 'A breakwater in secret' },
    ]);
    await runJobs();
    const member = await newMember(db, organization.id, 'MEMBER');
    const guest = await newMember(db, organization.id, 'GUEST');
    const { data } = await stranger.graph('{ viewer { organizations { nodes { id } } } }');
    const elsewhere = data.viewer.organizations.nodes[0].id;
    expect(names(await find('breakwater')).sort()).toEqual(['report.pdf', 'secret.txt']);
    expect(names(await find('breakwater', {}, member))).toEqual(['report.pdf']);
    expect(names(await find('breakwater', {}, guest))).toEqual([]);
    expect(names(await search(stranger, elsewhere, 'breakwater'))).toEqual([]);
    expect(
      (await stranger.graph(SEARCH, { id: organization.id, query: 'breakwater' })).data.organization,
    ).toBeNull();
  });
});
