import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/id.ts';
import { counted } from '../../support/database.ts';
import { newDocuments } from '../../support/storage.ts';
import { newScene, withoutRequestId } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;
let path: string;

beforeAll(async () => {
  scene = await newScene();
  path = `${scene.path}/search`;
});

const newDocument = async (name: string, tags?: string[]): Promise<string> => {
  const [document] = await newDocuments(await scene.owner.context(), scene.project.id, [{ name, tags }]);
  return document?.id ?? '';
};

const comment = (documentId: string, text: string) => {
  const mutation = `mutation ($input: CreateCommentsInput!) { createComments(input: $input) { comments { id } } }`;
  return scene.owner.graph(mutation, { input: { documentId, texts: [text] } });
};

const search = (q: string, more: Record<string, string> = {}) =>
  scene.as.owner.open(`${path}?${new URLSearchParams({ q, ...more })}`);

describe('the search of the console', () => {
  it('marks the words that were found, in names and in comments, and leads to the page', async () => {
    const id = await newDocument('Granite steps.txt');
    await comment(id, 'The granite is <b>cold</b>.');
    const { status, text } = await search('granite');
    expect(status).toBe(200);
    expect(text).toContain(
      `<a href="${scene.path}/projects/${scene.project.id}/documents/${id}"><bdi class="who"><mark>Granite</mark> steps.txt`,
    );
    expect(text).toContain('Comment: <bdi>The <mark>granite</mark> is &lt;b&gt;cold&lt;/b&gt;.');
    expect(text).toContain('value="granite"');
  });

  it('finds folders, tasks and forms too, and shows one kind on request', async () => {
    const { owner, project } = scene;
    const create = async (name: string, type: string, input: object, select: string): Promise<string> => {
      const mutation = `mutation ($input: ${type}!) { ${name}(input: $input) { ${select} { id } } }`;
      const { data, errors } = await owner.graph(mutation, { input: { projectId: project.id, ...input } });
      expect(errors).toBeUndefined();
      return data[name][select][0].id;
    };
    const folder = await create(
      'createFolders',
      'CreateFoldersInput',
      { folders: [{ name: 'Beacon' }] },
      'folders',
    );
    const task = await create(
      'createTasks',
      'CreateTasksInput',
      { tasks: [{ name: 'Paint the beacon' }] },
      'tasks',
    );
    const all = await search('beacon');
    expect(all.text).toContain(`/folders/${folder}"`);
    expect(all.text).toContain(`/tasks/${task}"`);
    const { text } = await search('beacon', { kind: 'TASK' });
    expect([text.includes(`/tasks/${task}"`), text.includes(`/folders/${folder}"`)]).toEqual([true, false]);
  });

  it('searches one project, and leads from there to all of the organization', async () => {
    await newDocument('Lantern.txt');
    const { text } = await search('lantern', { project: scene.project.id });
    expect(text).toContain('<mark>Lantern</mark>');
    expect(text).toContain(`href="${path}?q=lantern"`);
    expect(text).toContain('aria-label="Project"');
  });

  it('shows what was typed as text, also where it is refused', async () => {
    for (const q of [
      '"><script>alert(1)</script>',
      Array.from({ length: 40 }, (_, i) => `w${i}`).join(' '),
    ]) {
      const { status, text } = await search(q);
      expect(text).not.toContain('<script>alert');
      expect([status, text.includes('role="alert"')]).toEqual(q.startsWith('w') ? [422, true] : [200, false]);
    }
    expect((await search('x'.repeat(1_001))).status).toBe(422);
  });

  it('asks for words before it searches', async () => {
    const { status, text } = await search(' ');
    expect([status, text.includes('aria-label="Results"')]).toEqual([200, false]);
    expect((await search('nowherefound')).text).toContain('Nothing was found.');
  });

  it('takes as many statements for twenty results as for two, and has a next page', async () => {
    for (const [word, count] of [
      ['pebble', 2],
      ['gravel', 21],
    ] as const)
      for (let each = 0; each < count; each++) await newDocument(`${word} ${each}.txt`, [`${word} tag`]);
    const statementsOf = async (word: string) => (await counted(() => search(word))).statements.length;
    await statementsOf('pebble');
    expect(await statementsOf('gravel')).toBe(await statementsOf('pebble'));
    const first = await search('gravel');
    const next = /href="([^"]*after=[^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await scene.as.owner.open(next);
    expect(second.text.match(/<mark>gravel<\/mark> \d+\.txt/g)).toHaveLength(1);
  });

  it('finds nothing of projects that a member does not see, and is unknown to strangers', async () => {
    await newDocument('Secret cove.txt');
    await scene.db.prisma.project.update({ where: { id: scene.project.id }, data: { access: 'RESTRICTED' } });
    const { text } = await scene.as.member.open(`${path}?q=cove`);
    expect(text).toContain('Nothing was found.');
    const unknown = await scene.as.stranger.open(`/console/${newId('Organization')}/search?q=cove`);
    expect(withoutRequestId(await scene.as.stranger.open(`${path}?q=cove`))).toEqual(
      withoutRequestId(unknown),
    );
    expect(unknown.status).toBe(404);
    for (const q of ['', 'cove'])
      expect((await scene.as.member.open(`${path}?q=${q}&project=${scene.project.id}`)).status).toBe(404);
  });

  it('has its field on the pages of an organization and of a project', async () => {
    const field = (text: string) =>
      /<form method="get" action="[^"]*\/search" class="search">.*?<\/form>/s.exec(text)?.[0];
    expect(field((await scene.as.owner.open(`${scene.path}/people`)).text)).not.toContain('name="project"');
    const page = await scene.as.owner.open(`${scene.path}/projects/${scene.project.id}`);
    expect(field(page.text)).toContain(`name="project" value="${scene.project.id}"`);
  });
});
