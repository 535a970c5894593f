import { beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE, newScene } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;

beforeAll(async () => {
  scene = await newScene();
});

const KEY = { name: 'Nightly export', scopes: 'READ', lifetime: '30' };

const secretIn = (text: string): string => /dgk_[\w-]{43}/.exec(text)?.[0] ?? '';

const passTime = ({ id }: { id: string }) =>
  scene.db.prisma.signIn.updateMany({
    where: { userId: id },
    data: { authenticatedAt: new Date(Date.now() - 3_600_000) },
  });

describe('an API key in the console', () => {
  it('is made with scopes and an end, and its secret is shown once', async () => {
    const { as, app } = scene;
    const form = await as.owner.open('/console/keys/new');
    for (const each of ['value="READ"', 'value="WRITE"', 'Queries: read what its owner can read'])
      expect(form.text).toContain(each);
    const { status, text, headers } = await as.owner.submit('/console/keys', KEY);
    const secret = secretIn(text);
    expect([status, secret.length, headers.get('cache-control')]).toEqual([200, 47, 'no-store']);
    const list = await as.owner.open('/console/keys');
    expect(list.text).toContain('Nightly export');
    expect(list.text).toContain(secret.slice(0, 12));
    expect(list.text).not.toContain(secret);
    const answer = await app.request('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { apiKeys(first: 1) { nodes { scopes expiresAt } } } }' }),
    });
    const [key] = ((await answer.json()) as { data: { viewer: { apiKeys: { nodes: Key[] } } } }).data.viewer
      .apiKeys.nodes;
    expect(key?.scopes).toEqual(['READ']);
    const days = (Date.parse(key?.expiresAt ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
  });

  it('is suggested by a link, with its name and scopes', async () => {
    const { text } = await scene.as.owner.open('/console/keys/new?name=Tasks&scopes=TASKS_READ,NOTHING');
    const checked = [...text.matchAll(/<input[^>]* value="(\w+)"[^>]* checked/g)].map(([, value]) => value);
    expect([checked, text.includes('value="Tasks"')]).toEqual([['TASKS_READ'], true]);
  });

  interface Key {
    scopes: string[];
    expiresAt: string;
  }

  it.each([
    [{ ...KEY, name: ' ' }, 'name'],
    [{ ...KEY, scopes: 'EVERYTHING' }, 'scopes'],
    [{ name: 'x', lifetime: '30' }, 'scopes'],
    [{ ...KEY, lifetime: '4000' }, 'lifetime'],
    [{ ...KEY, name: 'x'.repeat(300) }, 'name'],
  ] as [Record<string, string>, string][])('is refused for %j, at its field', async (fields, at) => {
    const { status, text } = await scene.as.owner.submit('/console/keys', fields);
    expect(status).toBe(422);
    expect(text).toContain('<title>Error: New API key');
    expect(text).toContain(`href="#${at}"`);
    expect(text).toContain(`id="${at}-error"`);
  });

  it('needs a proof of the last ten minutes, also for the form, and continues there', async () => {
    const { as, member } = scene;
    await as.member.open('/console/keys');
    await passTime(member);
    const confirm = '/account/confirm?return_to=%2Fconsole%2Fkeys%2Fnew';
    const form = await as.member.open('/console/keys/new');
    expect([form.status, form.headers.get('location')]).toEqual([303, confirm]);
    const refused = await as.member.submit('/console/keys', KEY);
    expect([refused.status, refused.headers.get('location')]).toEqual([303, confirm]);
    expect(await scene.db.prisma.apiKey.count({ where: { userId: member.id, name: KEY.name } })).toBe(0);
  });

  it('is revoked by its owner alone', async () => {
    const { as, db, admin, owner } = scene;
    await as.admin.submit('/console/keys', { ...KEY, name: HOSTILE });
    const { text } = await as.admin.open('/console/keys');
    expect(text).toContain('&lt;script&gt;alert');
    expect(text).not.toContain('<script>alert');
    const { id } = await db.prisma.apiKey.findFirstOrThrow({ where: { userId: admin.id, name: HOSTILE } });
    expect((await as.owner.open('/console/keys')).text).not.toContain(id);
    expect((await as.owner.submit('/console/keys/revoke', { key: id })).status).not.toBe(303);
    const { headers } = await as.admin.submit('/console/keys/revoke', { key: id });
    expect(headers.get('location')).toBe('/console/keys?done=revoked');
    expect((await as.admin.open('/console/keys')).text).not.toContain(id);
    expect(owner.id).toBeTruthy();
  });

  it('that ends soon is announced on the first page', async () => {
    const { as } = scene;
    expect((await as.admin.open('/console')).text).not.toContain('ends within 14 days');
    await as.admin.submit('/console/keys', { ...KEY, lifetime: '7' });
    expect((await as.admin.open('/console')).text).toContain('1 API key that ends within 14 days');
  });
});

describe('the first page of the console', () => {
  it('is where one lands after signing in', async () => {
    const { as, path } = scene;
    const { status, text } = await as.owner.open('/console');
    expect(status).toBe(200);
    expect(text).toContain(`href="${path}"`);
    expect(text).toContain('3 members');
  });

  it('counts the open invitations of an organization for those who manage it', async () => {
    const { as, path } = scene;
    await as.owner.submit(`${path}/people/invite`, { email: 'guest@example.test', role: 'GUEST' });
    for (const who of ['owner', 'admin'] as const)
      for (const each of ['/console', path])
        expect((await as[who].open(each)).text).toContain('1 open invitation');
    for (const each of ['/console', path])
      expect((await as.member.open(each)).text).not.toContain('open invitation');
  });

  it('shows a stranger their own organization alone', async () => {
    const { text } = await scene.as.stranger.open('/console');
    expect(text).toContain('Elsewhere');
    expect(text).not.toContain('Harbor');
  });
});
