import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/id.ts';
import { counted } from '../../support/database.ts';
import { newDocuments } from '../../support/storage.ts';
import { joinProject } from '../../support/world.ts';
import { HOSTILE, newScene, withoutRequestId } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;
let path: string;

beforeAll(async () => {
  scene = await newScene();
  path = `${scene.path}/projects/${scene.project.id}`;
  await joinProject(scene.db, scene.project, scene.member, 'VIEWER');
});

const newFolder = async (name: string, parentId?: string): Promise<string> => {
  const input = { projectId: scene.project.id, folders: [{ name, parentId }] };
  const mutation = `mutation ($input: CreateFoldersInput!) { createFolders(input: $input) { folders { id } } }`;
  const { data } = await scene.owner.graph(mutation, { input });
  return data.createFolders.folders[0].id;
};

const newDocument = async (name: string, folderId?: string) => {
  const [document] = await newDocuments(await scene.owner.context(), scene.project.id, [{ name, folderId }]);
  if (!document) throw new Error('no document');
  return document;
};

describe('the documents of a project in the console', () => {
  it('are listed at its root and in its folders, each where it is', async () => {
    const folder = await newFolder('Plans');
    const below = await newFolder('Plans', folder);
    await newDocument('At the root.txt');
    await newDocument('In the folder.txt', below);
    const root = await scene.as.member.open(path);
    expect(root.text).toContain('<title>Quay – Harbor – Docgraph</title>');
    expect(root.text).toContain(`href="${path}/folders/${folder}"`);
    expect(root.text).toContain('At the root.txt');
    expect(root.text).toContain('Text · 15 bytes');
    expect(root.text).not.toContain('In the folder.txt');
    const inner = await scene.as.member.open(`${path}/folders/${below}`);
    expect(inner.text).toContain('In the folder.txt');
    const crumbs = /aria-label="Breadcrumbs">.*?<\/nav>/s.exec(inner.text)?.[0];
    expect(crumbs).toContain(`href="${path}/folders/${folder}"`);
    expect(crumbs).not.toContain(`href="${path}/folders/${below}"`);
  });

  it('are ordered by name, or by when they were changed', async () => {
    const folder = await newFolder('Ordered');
    await newDocument('b.txt', folder);
    await newDocument('a.txt', folder);
    await newDocument('c.txt', folder);
    const namesIn = ({ text }: { text: string }) => text.match(/\b[abc]\.txt/g);
    const at = `${path}/folders/${folder}`;
    expect(namesIn(await scene.as.member.open(at))).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect(namesIn(await scene.as.member.open(`${at}?sort=newest`))).toEqual(['c.txt', 'a.txt', 'b.txt']);
  });

  it('are shown by 25, and the next page keeps the order', async () => {
    const folder = await newFolder('Many');
    for (let each = 0; each < 27; each++)
      await newDocument(`No ${each.toString().padStart(2, '0')}.txt`, folder);
    const at = `${path}/folders/${folder}`;
    const first = await scene.as.member.open(`${at}?sort=newest`);
    expect(first.text).not.toContain('No 00.txt');
    const next = /href="([^"]*after=[^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(next).toContain('sort=newest');
    const second = await scene.as.member.open(next);
    expect(second.text.match(/No \d\d\.txt/g)).toEqual(['No 01.txt', 'No 00.txt']);
  });

  it('take as many statements for twenty as for two', async () => {
    const [few, many] = [await newFolder('Few'), await newFolder('More')];
    const fill = async (folder: string, count: number) => {
      for (let each = 0; each < count; each++) {
        await newDocument(`${each}.txt`, folder);
        await newFolder(`${each}`, folder);
      }
    };
    await fill(few, 2);
    await fill(many, 20);
    const statementsOf = async (folder: string) =>
      (await counted(() => scene.as.member.open(`${path}/folders/${folder}`))).statements.length;
    await statementsOf(few);
    expect(await statementsOf(many)).toBe(await statementsOf(few));
  });

  it('with hostile names are shown as text', async () => {
    const { id } = await newDocument('plain.txt');
    await scene.db.prisma.document.update({ where: { id }, data: { name: HOSTILE } });
    for (const at of [path, `${path}/documents/${id}`]) {
      const { status, text } = await scene.as.owner.open(at);
      expect([status, text.includes('&lt;script&gt;alert')]).toEqual([200, true]);
      expect(text).not.toContain('<script>alert');
    }
    await scene.db.prisma.document.update({ where: { id }, data: { name: 'plain.txt' } });
  });

  it('are as unknown to a stranger, and below another project, as those that do not exist', async () => {
    const folder = await newFolder('Hidden');
    const { id } = await newDocument('hidden.txt', folder);
    const other = `${scene.path}/projects/${newId('Project')}`;
    const nowhere = await scene.as.stranger.open(`${scene.path}/projects/${newId('Project')}`);
    expect(nowhere.status).toBe(404);
    for (const below of ['', `/folders/${folder}`, `/documents/${id}`, '/bin'])
      expect(withoutRequestId(await scene.as.stranger.open(path + below))).toEqual(withoutRequestId(nowhere));
    for (const below of [`/folders/${folder}`, `/documents/${id}`])
      expect((await scene.as.owner.open(other + below)).status).toBe(404);
    const elsewhere = await scene.db.prisma.membership.findFirstOrThrow({
      where: { userId: scene.stranger.id },
    });
    const foreign = `/console/${elsewhere.organizationId}/projects/${scene.project.id}`;
    for (const below of ['', `/documents/${id}`])
      expect((await scene.as.stranger.open(foreign + below)).status).toBe(404);
  });
});

describe('the documents of a disabled project in the console', () => {
  it('are shown, and nothing changes them', async () => {
    const { as, db, project } = scene;
    const { id } = await newDocument('still.txt');
    await db.prisma.project.update({ where: { id: project.id }, data: { disabledAt: new Date() } });
    const { text } = await as.owner.open(path);
    expect(text).toContain('The project is disabled');
    for (const each of ['New folder', 'data-upload']) expect(text).not.toContain(each);
    const document = await as.owner.open(`${path}/documents/${id}`);
    for (const each of ['Your comment', 'Rename', 'data-upload']) expect(document.text).not.toContain(each);
    expect((await as.owner.submit(`${path}/folders`, { newFolder: 'New' })).status).toBe(409);
    await db.prisma.project.update({ where: { id: project.id }, data: { disabledAt: null } });
  });
});

describe('a folder in the console', () => {
  it('is created, renamed and deleted', async () => {
    const created = await scene.as.owner.submit(`${path}/folders`, { newFolder: 'Drafts' });
    const at = created.headers.get('location')?.replace('?done=folder', '') ?? '';
    const page = await scene.as.owner.open(`${at}?done=folder`);
    expect(page.text).toContain('The folder was created.');
    const version = /name="version" value="(\d+)"/.exec(page.text)?.[1] ?? '';
    const renamed = await scene.as.owner.submit(at, { name: 'Old drafts', version });
    expect(renamed.headers.get('location')).toBe(`${at}?done=renamed`);
    const stale = await scene.as.owner.submit(at, { name: 'Older drafts', version });
    expect([stale.status, stale.text.includes('value="Older drafts"')]).toEqual([409, true]);
    expect((await scene.as.owner.submit(`${at}/delete`)).status).toBe(422);
    const deleted = await scene.as.owner.submit(`${at}/delete`, { confirm: 'yes' });
    expect(deleted.headers.get('location')).toBe(`${path}?done=deleted`);
    expect((await scene.as.owner.open(at)).status).toBe(404);
  });

  it('is created in the folder of the page, and what is wrong is said at its field', async () => {
    const folder = await newFolder('Outer');
    const at = `${path}/folders/${folder}`;
    const created = await scene.as.owner.submit(`${at}/folders`, { newFolder: 'Inner' });
    const inner = /folders\/(\w+)\?/.exec(created.headers.get('location') ?? '')?.[1];
    expect(await scene.db.prisma.folder.findFirst({ where: { id: inner } })).toMatchObject({
      parentId: folder,
    });
    for (const newFolder of ['', 'a\u202eb']) {
      const refused = await scene.as.owner.submit(`${at}/folders`, { newFolder });
      expect([refused.status, refused.text.includes('href="#newFolder"')]).toEqual([422, true]);
    }
  });

  it('with a document in it is not deleted, which the page says', async () => {
    const folder = await newFolder('Full');
    await newDocument('kept.txt', folder);
    const { status, text } = await scene.as.owner.submit(`${path}/folders/${folder}/delete`, {
      confirm: 'yes',
    });
    expect([status, text.includes('role="alert"')]).toEqual([409, true]);
  });

  it('is changed by no viewer and no stranger', async () => {
    const folder = await newFolder('Fixed');
    const at = `${path}/folders/${folder}`;
    const { text } = await scene.as.member.open(at);
    for (const each of ['New folder', 'Rename', 'Delete']) expect(text).not.toContain(each);
    for (const [below, form] of [
      ['', { name: 'Taken', version: '1' }],
      ['/folders', { newFolder: 'Taken' }],
      ['/delete', { confirm: 'yes' }],
    ] as const) {
      expect([below, (await scene.as.member.submit(at + below, form)).status]).toEqual([below, 403]);
      expect([below, (await scene.as.stranger.submit(at + below, form)).status]).toEqual([below, 404]);
    }
  });
});
