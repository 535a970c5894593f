import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../../../src/db/database.ts';
import { reindex } from '../../../../src/domain/search/search-reindex.ts';
import type { Recognition } from '../../../../src/files/content/text/ocr-pages.ts';
import { scannedPdf, writtenPicture } from '../../../files/content/picture-source.ts';
import { drawnPdf, picture, words } from '../../../files/content/scans/mixed-source.ts';
import { faxTiff } from '../../../files/content/scans/tiff-source.ts';
import { newDatabase } from '../../../support/database.ts';
import { dropJobs, runJobs } from '../../../support/jobs.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newWorld, type Person } from '../../../support/world.ts';

let note: Buffer;
let scan: Buffer;
beforeAll(async () => {
  await dropJobs();
  note = await writtenPicture('Bring the theodolite');
  scan = await scannedPdf('A covering letter', await writtenPicture('The zephyr blew'));
});

const ENGLISH = { languages: ['eng'] };

const DOCUMENT = `query ($id: ID!) { document(id: $id) { textStatus textError
  currentRevision { textAttempts recognizedPages text(page: 2) textPieces { nodes { firstPage text } } } } }`;

const SEARCH = `query ($id: ID!, $query: String) { organization(id: $id) { search(query: $query) {
  nodes { node { ... on Document { name } } highlights { part page text } } } } }`;

const RETRY =
  'mutation ($input: RetryTextsInput!) { retryTexts(input: $input) { documents { textStatus } } }';

interface Found {
  node: { name: string };
}

type FileName = 'note.png' | 'letter.pdf';

/** Documents whose text is in pictures. */
const setUp = (...omitted: FileName[]) => setUpOn(undefined, ...omitted);

async function setUpOn(db: Database | undefined, ...omitted: FileName[]) {
  const world = await newWorld(db);
  const ctx = await world.owner.context();
  const files = [
    { name: 'note.png' as const, content: note },
    { name: 'letter.pdf' as const, content: scan },
  ].filter(({ name }) => !omitted.includes(name));
  const documents = await newDocuments(ctx, world.project.id, files);
  const idOf = (name: string) => documents.find((each) => each.name === name)?.id as string;
  const ids = { picture: idOf('note.png'), letter: idOf('letter.pdf') };
  const read = async (id: string, person = world.owner) =>
    (await person.graph(DOCUMENT, { id })).data.document;
  const find = async (query: string, person: Person = world.owner) =>
    (await person.graph(SEARCH, { id: world.organization.id, query })).data.organization?.search.nodes;
  return { ...world, ids, read, find };
}

describe('recognised text of a picture', () => {
  it('is found on each page of a TIFF, and on a scanned page that has a stamp', async () => {
    const { owner, organization, project } = await newWorld();
    const stamped = await drawnPdf([picture(note), words('Envelope ID 8F3A', 40)]);
    const [fax, letter] = await newDocuments(await owner.context(), project.id, [
      { name: 'fax.tif', content: await faxTiff('G4', [await writtenPicture('A covering letter'), note]) },
      { name: 'stamped.pdf', content: stamped },
    ]);
    await runJobs(ENGLISH);
    const query = async (words: string) =>
      (await owner.graph(SEARCH, { id: organization.id, query: words })).data.organization.search.nodes;
    const read = async (id?: string) => (await owner.graph(DOCUMENT, { id })).data.document;
    const found = await query('"the theodolite"');
    expect(found.sort((a: Found, b: Found) => a.node.name.localeCompare(b.node.name))).toMatchObject([
      { node: { name: 'fax.tif' }, highlights: [{ page: 2 }] },
      { node: { name: 'stamped.pdf' }, highlights: [{ page: 1 }] },
    ]);
    expect(await query('theodolite 8f3a')).toHaveLength(1);
    expect(await read(fax?.id)).toMatchObject({
      textStatus: 'READY',
      currentRevision: { recognizedPages: 2 },
    });
    expect(await read(letter?.id)).toMatchObject({
      textStatus: 'READY',
      currentRevision: {
        recognizedPages: 1,
        textPieces: { nodes: [{ text: 'Envelope ID 8F3A\nBring the theodolite' }] },
      },
    });
  });

  it('is text of the file, marked as recognised, and found with its page', async () => {
    const { ids, read, find, stranger } = await setUp();
    await runJobs(ENGLISH);
    expect(await read(ids.picture)).toEqual({
      textStatus: 'READY',
      textError: null,
      currentRevision: {
        textAttempts: 1,
        recognizedPages: 1,
        text: null,
        textPieces: { nodes: [{ firstPage: null, text: 'Bring the theodolite' }] },
      },
    });
    expect((await read(ids.letter)).currentRevision).toMatchObject({
      recognizedPages: 1,
      text: 'The zephyr blew',
    });
    expect(await find('theodolite')).toMatchObject([
      { node: { name: 'note.png' }, highlights: [{ page: null }] },
    ]);
    expect(await find('zephyr')).toEqual([
      { node: { name: 'letter.pdf' }, highlights: [{ part: 'TEXT', page: 2, text: 'The zephyr blew' }] },
    ]);
    expect([await read(ids.picture, stranger), await find('zephyr', stranger)]).toEqual([null, undefined]);
  });

  it('follows the text in the file itself, which is found before, and continues after a stop', async () => {
    const { ids, read, find } = await setUp('note.png');
    await runJobs({ ...ENGLISH, stopping: AbortSignal.abort() });
    const meanwhile = [await read(ids.letter), await find('covering'), await find('zephyr')];
    await runJobs(ENGLISH);
    expect(meanwhile).toMatchObject([
      { textStatus: 'PENDING', currentRevision: { recognizedPages: 0, textAttempts: 0, text: '' } },
      [{ node: { name: 'letter.pdf' } }],
      [],
    ]);
    expect(await read(ids.letter)).toMatchObject({
      textStatus: 'READY',
      currentRevision: { recognizedPages: 1, textAttempts: 1 },
    });
    expect(await find('covering zephyr')).toHaveLength(1);
  });

  it('is not produced while recognition is off, also after half the pages, and is produced at the next reindexing', async () => {
    // Reindexing takes the whole database.
    const db = await newDatabase();
    onTestFinished(() => db.close());
    const { ids, read, find } = await setUpOn(db);
    await runJobs({ ...ENGLISH, stopping: AbortSignal.abort() }, db);
    await runJobs(undefined, db);
    const whileDisabled = [await read(ids.picture), await read(ids.letter)];
    for await (const _ of reindex(db));
    await runJobs(ENGLISH, db);
    expect(whileDisabled).toMatchObject([
      { textStatus: 'NONE', currentRevision: { recognizedPages: 0 } },
      { textStatus: 'READY', currentRevision: { recognizedPages: 0 } },
    ]);
    expect(await find('theodolite')).toHaveLength(1);
    expect(await find('zephyr')).toHaveLength(1);
  });

  it('that times out has an error, and is retried on demand', async () => {
    const { ids, owner, read } = await setUp();
    /** Again after some seconds where a process had too little of the processor. */
    const recognize = async (recognition: Recognition) => {
      const states = async () => {
        await runJobs(recognition);
        return [await read(ids.picture), await read(ids.letter)].map(({ textStatus }) => textStatus);
      };
      const unfinished = expect.arrayContaining([expect.not.stringMatching(/READY|FAILED/)]);
      await expect.poll(states, { timeout: 200_000, interval: 2_000 }).not.toEqual(unfinished);
    };
    await recognize({ ...ENGLISH, pageTime: 50 });
    const timedOut = [await read(ids.picture), await read(ids.letter)];
    const retried = await owner.graph(RETRY, { input: { documentIds: [ids.picture] } });
    await recognize(ENGLISH);
    expect(timedOut).toMatchObject([
      { textStatus: 'FAILED', textError: expect.stringContaining('too long') },
      { textStatus: 'READY', textError: expect.stringContaining('1 of its pages') },
    ]);
    expect(retried.data.retryTexts.documents).toEqual([{ textStatus: 'PENDING' }]);
    expect(await read(ids.picture)).toMatchObject({ textStatus: 'READY', textError: null });
  }, 500_000);
});
