import { beforeAll, describe, expect, it } from 'vitest';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { HOSTILE, newScene } from '../scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;
let hooks: string;

beforeAll(async () => {
  scene = await newScene();
  hooks = `${scene.path}/webhooks`;
  await createProjects(await scene.owner.context(), {
    organizationId: scene.organization.id,
    projects: [{ name: HOSTILE }],
  });
});

const FORM = { url: 'https://receiver.example/hook', kinds: 'project.*', projectId: '', query: '{ kind }' };
const NAMED = '{ kind subject { ... on Project { name } } }';

async function created(): Promise<string> {
  const { text } = await scene.as.owner.submit(hooks, FORM);
  return `${hooks}/${/whk_\w{26}/.exec(text)?.[0]}`;
}

describe('the form of a webhook', () => {
  it('is tried on the newest event, and keeps what was typed, also without an address', async () => {
    const { as, db } = scene;
    const before = await db.prisma.webhook.count();
    const { status, text } = await as.admin.submit(`${hooks}/try`, { ...FORM, url: '', query: NAMED });
    expect(status).toBe(200);
    for (const each of ['project.created', '&quot;name&quot;', '&lt;script&gt;alert', `>${NAMED}<`])
      expect(text).toContain(each);
    expect(text).not.toContain('<script>alert');
    expect(await db.prisma.webhook.count()).toBe(before);
  });

  it('says line and character of each error of the selection', async () => {
    const { text } = await scene.as.owner.submit(`${hooks}/try`, {
      ...FORM,
      query: '{ kind\n nothing nor }',
    });
    for (const each of ['Line 2, character 2: ', 'Line 2, character 10: ']) expect(text).toContain(each);
  });

  it('says that there is no such event yet', async () => {
    const { text } = await scene.as.owner.submit(`${hooks}/try`, { ...FORM, kinds: 'document.signed' });
    expect(text).toContain('There is no event yet');
  });

  it('shows what is refused at its field, and a selection that costs too much', async () => {
    const kinds = await scene.as.owner.submit(`${hooks}/try`, { ...FORM, kinds: 'every kind!' });
    expect([kinds.status, kinds.text.includes('id="kinds-error"')]).toEqual([422, true]);
    const query =
      '{ subject { ... on Project { documents(first: 100) { nodes { comments(first: 100) { nodes { id } } } } } } }';
    for (const path of [hooks, `${hooks}/try`]) {
      const costly = await scene.as.owner.submit(path, { ...FORM, query });
      expect([costly.status, costly.text.includes('The query may cost')]).toEqual([422, true]);
    }
  });

  it('is tried before a change too, which it does not make', async () => {
    const page = await created();
    const { text } = await scene.as.owner.submit(`${page}/try`, { ...FORM, query: NAMED });
    expect(text).toContain('&quot;name&quot;');
    expect((await scene.as.owner.open(page)).text).toContain('>{ kind }<');
  });

  it('is for owners and admins alone', async () => {
    const page = await created();
    for (const [who, status] of [
      ['member', 403],
      ['stranger', 404],
    ] as const) {
      expect((await scene.as[who].submit(`${hooks}/try`, FORM)).status).toBe(status);
      expect((await scene.as[who].submit(`${page}/try`, FORM)).status).toBe(404);
    }
  });
});
