import { beforeAll, describe, expect, it } from 'vitest';
import { gotenberg } from '../../../src/files/office/gotenberg.ts';
import { dropJobs } from '../../support/jobs.ts';
import { newGotenberg } from '../../support/office/gotenberg-server.ts';
import { docx } from '../../support/office/office-files.ts';
import { dropRenditions, renderAll } from '../../support/office/rendering.ts';
import { newDocuments } from '../../support/storage.ts';
import { joinProject } from '../../support/world.ts';
import { newScene } from './scene.ts';

beforeAll(dropJobs);

/** The page of an office file, for an editor and a viewer, before its PDF is made. */
async function setUp() {
  const scene = await newScene();
  const { db, owner, project, admin, member, path } = scene;
  await joinProject(db, project, admin, 'EDITOR');
  await joinProject(db, project, member, 'VIEWER');
  await dropRenditions(db);
  const files = [{ name: 'offer.docx', content: docx(project.id) }];
  const [document] = await newDocuments(await owner.context(), project.id, files);
  const where = { revision: { documentId: document?.id as string } };
  return {
    as: { ...scene.as, editor: scene.as.admin, viewer: scene.as.member },
    page: `${path}/projects/${project.id}/documents/${document?.id}`,
    stateOf: async () => (await db.prisma.rendition.findFirst({ where }))?.state,
    drop: () => db.prisma.rendition.deleteMany({ where }),
  };
}

async function fail() {
  const server = await newGotenberg((response) => response.writeHead(400).end());
  await renderAll(gotenberg(server.url));
}

const BUTTON = 'Make the pages';
const FAILED = 'Its pages could not be made. It cannot be opened: it is broken, or locked with a password.';
const MISSING = 'Its pages were not made: the server converted no office files when it was uploaded.';

describe('the page of an office file', () => {
  it('says why its pages could not be made, and has them made again for an editor', async () => {
    const { as, page, stateOf } = await setUp();
    await fail();
    const { text } = await as.editor.open(page);
    expect(text.split(FAILED)).toHaveLength(2);
    expect(text).toContain(BUTTON);
    const retried = await as.editor.submit(`${page}/rendition`);
    expect([retried.status, retried.headers.get('location')]).toEqual([303, `${page}?done=rendition`]);
    expect(await stateOf()).toBe('PENDING');
    const after = await as.editor.open(`${page}?done=rendition`);
    expect(after.text).toContain('Its pages are made in the background.');
    expect(after.text).toContain('Its pages are being made.');
    expect(after.text).not.toContain(BUTTON);
  });

  it('says that it was uploaded before the server converted files, and has its pages made', async () => {
    const { as, page, stateOf, drop } = await setUp();
    await drop();
    const { text } = await as.editor.open(page);
    expect([text.includes(MISSING), text.includes(BUTTON)]).toEqual([true, true]);
    expect((await as.editor.submit(`${page}/rendition`)).status).toBe(303);
    expect(await stateOf()).toBe('PENDING');
  });

  it('says to an editor who comes too late that its pages are due already', async () => {
    const { as, page } = await setUp();
    const { status, text } = await as.editor.submit(`${page}/rendition`);
    expect([status, text.includes('The PDF of a document did not fail to be made.')]).toEqual([409, true]);
  });

  it('says to a viewer why there are no pages, and lets only editors have them made', async () => {
    const { as, page, stateOf } = await setUp();
    await fail();
    const { text } = await as.viewer.open(page);
    expect([text.includes(FAILED), text.includes(BUTTON)]).toEqual([true, false]);
    expect((await as.viewer.submit(`${page}/rendition`)).status).toBe(403);
    expect(await stateOf()).toBe('FAILED');
  });

  it('is not there for a stranger, nor are its pages made for one', async () => {
    const { as, page, stateOf } = await setUp();
    await fail();
    expect((await as.stranger.open(page)).status).toBe(404);
    expect((await as.stranger.submit(`${page}/rendition`)).status).toBe(404);
    expect(await stateOf()).toBe('FAILED');
  });
});
