import { beforeAll, describe, expect, it } from 'vitest';
import { gotenberg } from '../../../../src/files/office/gotenberg.ts';
import { pages, pdf } from '../../../files/content/pdf-source.ts';
import { dropJobs } from '../../../support/jobs.ts';
import { newGotenberg } from '../../../support/office/gotenberg-server.ts';
import { docx } from '../../../support/office/office-files.ts';
import { dropRenditions, renderAll } from '../../../support/office/rendering.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newWorld, testApp } from '../../../support/world.ts';

beforeAll(dropJobs);

const READ = `query ($id: ID!) { document(id: $id) { thumbnailUrl pageCount currentRevision { contentType
  rendition { state sha256 pageCount size downloadUrl(inline: true) error }
  first: imageUrl(page: 1) last: imageUrl(page: 2) none: imageUrl(page: 3) } } }`;
const RETRY = `mutation ($input: RetryRenditionsInput!) { retryRenditions(input: $input) {
  documents { currentRevision { rendition { state error } } } } }`;
const LIST = `query ($id: ID!, $hasPicture: Boolean) { project(id: $id) { documents(filter: { hasPicture: $hasPicture }) { nodes { name } } } }`;

async function setUp() {
  const world = await newWorld();
  await dropRenditions(world.db);
  const ctx = await world.owner.context();
  const [document, text] = await newDocuments(ctx, world.project.id, [
    { name: 'offer.docx', content: docx(world.project.id) },
    { name: 'note.txt' },
  ]);
  const id = document?.id as string;
  const read = async (of = id) => (await world.owner.graph(READ, { id: of })).data.document;
  const app = await testApp(world.db);
  const get = (url: string) => app.request(url.replace(/^https?:\/\/[^/]+/, ''));
  return { ...world, ctx, id, textId: text?.id as string, read, get };
}

const PDF = pdf(pages(2));

describe('the rendition of a revision', () => {
  it('is pending, then has the PDF and the pictures of its pages', async () => {
    const { id, read, get, owner, project } = await setUp();
    expect(await read()).toMatchObject({
      thumbnailUrl: null,
      currentRevision: {
        rendition: { state: 'PENDING', sha256: null, downloadUrl: null, error: null },
        first: null,
      },
    });
    const server = await newGotenberg((response) => response.end(PDF));
    await renderAll(gotenberg(server.url));
    const { currentRevision, thumbnailUrl, pageCount } = await read();
    expect(currentRevision.rendition).toMatchObject({ state: 'READY', pageCount: 2, size: PDF.length });
    expect([pageCount, currentRevision.none]).toEqual([null, null]);
    const file = await get(currentRevision.rendition.downloadUrl);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(file.headers.get('content-disposition')).toContain('offer.docx.pdf');
    expect(Buffer.from(await file.arrayBuffer())).toEqual(PDF);
    for (const url of [thumbnailUrl, currentRevision.first, currentRevision.last])
      expect((await get(url)).headers.get('content-type')).toBe('image/webp');
    const named = async (hasPicture: boolean) =>
      (await owner.graph(LIST, { id: project.id, hasPicture })).data.project.documents.nodes;
    expect(await named(true)).toEqual([{ name: 'offer.docx' }]);
    expect(await named(false)).toEqual([{ name: 'note.txt' }]);
    expect(id).toMatch(/^doc_/);
  });

  it('is null for a file that is not converted', async () => {
    const { read, textId } = await setUp();
    expect((await read(textId)).currentRevision.rendition).toBeNull();
  });

  it('that failed says why, and can be tried again', async () => {
    const { id, read, owner } = await setUp();
    const server = await newGotenberg((response, turn) =>
      turn === 1 ? response.writeHead(400).end() : response.end(PDF),
    );
    await renderAll(gotenberg(server.url));
    const { rendition } = (await read()).currentRevision;
    expect(rendition).toMatchObject({ state: 'FAILED', error: expect.stringContaining('cannot be opened') });
    const retried = await owner.graph(RETRY, { input: { documentIds: [id] } });
    expect(retried.data.retryRenditions.documents).toEqual([
      { currentRevision: { rendition: { state: 'PENDING', error: null } } },
    ]);
    await renderAll(gotenberg(server.url));
    expect((await read()).currentRevision.rendition.state).toBe('READY');
    const again = await owner.graph(RETRY, { input: { documentIds: [id] } });
    expect(again.errors?.[0]?.extensions?.code).toBe('CONFLICT');
  });

  it('that was never made can be asked for, of an office file', async () => {
    const { db, id, textId, owner } = await setUp();
    await db.prisma.rendition.deleteMany({ where: { revision: { documentId: id } } });
    const made = await owner.graph(RETRY, { input: { documentIds: [id] } });
    expect(made.data.retryRenditions.documents[0].currentRevision.rendition.state).toBe('PENDING');
    const text = await owner.graph(RETRY, { input: { documentIds: [textId] } });
    expect(text.errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT');
  });
});
