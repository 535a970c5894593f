import { beforeAll, describe, expect, it } from 'vitest';
import { verifyApplication } from '../../../src/domain/oauth/verification/verification.ts';
import { newId } from '../../../src/lib/id.ts';
import { picture } from '../../oauth/presentation/presented.ts';
import { hidden, SAME } from '../../support/browser.ts';
import { appOn, ask, browser, CALLBACK, newClient, signedIn } from '../../support/oauth.ts';
import { newScene } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;
let apps: string;

beforeAll(async () => {
  scene = await newScene();
  apps = `${scene.path}/apps`;
});

const HOSTILE = '<b onload=alert(1)>&"';

const APP: [string, string][] = [
  ['name', 'Planner'],
  ['kind', 'CONFIDENTIAL'],
  ['redirectUris', `${CALLBACK}\r\n\r\nhttp://127.0.0.1:3000/back`],
  ['scopes', 'READ'],
  ['scopes', 'WRITE'],
];

const withValue = (name: string, value?: string): [string, string][] => [
  ...APP.filter(([each]) => each !== name),
  ...(value === undefined ? [] : [[name, value] as [string, string]]),
];

const register = (fields = APP) => scene.as.admin.submit(apps, fields);

const registered = async (name: string): Promise<string> => {
  const where = { organizationId: scene.organization.id, name };
  return (await scene.db.prisma.client.findFirstOrThrow({ where })).id;
};

describe('an application in the console', () => {
  it('is registered, and its secret is shown once', async () => {
    const { status, text } = await register();
    const id = await registered('Planner');
    const secret = /dgb_[\w-]{43}/.exec(text)?.[0] ?? 'none';
    expect([status, text.includes(id), secret.length]).toEqual([200, true, 47]);
    const page = await scene.as.owner.open(`${apps}/${id}`);
    expect(page.text).not.toContain(secret);
    for (const each of ['On a server', CALLBACK, 'http://127.0.0.1:3000/back', 'read, write'])
      expect(page.text).toContain(each);
    expect(await scene.db.prisma.client.findUnique({ where: { id } })).toMatchObject({
      kind: 'CONFIDENTIAL',
      redirectUris: [CALLBACK, 'http://127.0.0.1:3000/back'],
      scopes: ['read', 'write'],
    });
  });

  it.each([
    ['NATIVE', { kind: 'PUBLIC', native: true }],
    ['PUBLIC', { kind: 'PUBLIC', native: false }],
  ])('of the kind %s has no secret', async (kind, stored) => {
    const { text } = await register([...withValue('kind', kind), ['name', kind]].reverse() as typeof APP);
    expect(text).not.toContain('dgb_');
    expect(await scene.db.prisma.client.findUnique({ where: { id: await registered(kind) } })).toMatchObject(
      stored,
    );
  });

  it('that only checks tokens needs its address alone', async () => {
    const { text } = await register([
      ['name', 'Archive'],
      ['kind', 'RESOURCE_SERVER'],
      ['resourceUri', 'https://api.example/archive'],
    ]);
    expect(text).toContain('dgb_');
    const page = await scene.as.owner.open(`${apps}/${await registered('Archive')}`);
    expect(page.text).toContain('/oauth/introspect');
    expect(page.text).not.toContain('/oauth/authorize');
  });

  it.each([
    ['name', undefined, 'name'],
    ['kind', 'OTHER', 'kind'],
    ['redirectUris', '  ', 'redirectUris'],
    ['redirectUris', `${CALLBACK}\nhttp://far.example/"><script>`, 'redirectUris'],
    ['scopes', undefined, 'scopes'],
    ['scopes', 'EVERYTHING', 'scopes'],
    ['name', 'x'.repeat(51), 'name'],
  ])('is refused with the %s %j, at its field, with what was typed', async (name, value, at) => {
    const { status, text } = await register(withValue(name, value));
    expect([status, text.includes(`href="#${at}"`), text.includes(`id="${at}-error"`)]).toEqual([
      422,
      true,
      true,
    ]);
    expect(text).not.toContain('"><script>');
    expect(text).toContain(
      CALLBACK.replace('callback', name === 'redirectUris' && value === '  ' ? '' : 'callback'),
    );
  });

  it('names the redirect address that is wrong', async () => {
    const { text } = await register(withValue('redirectUris', `${CALLBACK}\nhttp://far.example/`));
    expect(text).toContain('http://far.example/: Must use https, except on the local machine');
  });

  it('has requests to copy that work as they stand', async () => {
    const { owner, organization, db } = scene;
    const client = await newClient(owner, organization.id, { name: 'Copied', scopes: ['read'] });
    const { text } = await scene.as.owner.open(`${apps}/${client.id}`);
    const url = new URL(
      /<pre[^>]*>\s*(http[^<\s]*authorize[^<\s]*)/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '',
    );
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: client.id,
      redirect_uri: CALLBACK,
      scope: 'read',
    });
    url.searchParams.set('code_challenge', ask(client).code_challenge as string);
    const app = await appOn(db);
    const page = await browser(app, await signedIn(db, owner.id)).request(url.search.slice(1));
    expect(page.status).toBe(200);
    expect(text).toContain(`-u &#39;${client.id}:&#39;&quot;$CLIENT_SECRET&quot;`);
  });

  it('with a hostile name is shown as text, and deleted by typing it', async () => {
    const { id } = await newClient(scene.owner, scene.organization.id, { name: HOSTILE });
    for (const path of [apps, `${apps}/${id}`]) {
      const { text } = await scene.as.owner.open(path);
      expect(text).toContain('&lt;b onload');
      expect(text).not.toContain('<b onload');
    }
    const wrong = await scene.as.owner.submit(`${apps}/${id}/delete`, { typed: 'b onload' });
    expect([wrong.status, wrong.text.includes('href="#typed"')]).toEqual([422, true]);
    const { headers } = await scene.as.owner.submit(`${apps}/${id}/delete`, { typed: HOSTILE });
    expect(headers.get('location')).toBe(`${apps}?done=deleted`);
    expect((await scene.as.owner.open(`${apps}/${id}`)).status).toBe(404);
  });

  it('is changed, unless somebody else did so meanwhile', async () => {
    const { id } = await newClient(scene.owner, scene.organization.id, { name: 'Before' });
    const fields: [string, string][] = [
      ...withValue('name', 'After'),
      ['version', '1'],
      ['tokenFormat', 'JWT'],
    ];
    const { headers } = await scene.as.admin.submit(`${apps}/${id}`, fields);
    expect(headers.get('location')).toBe(`${apps}/${id}?done=changed`);
    expect(await scene.db.prisma.client.findUnique({ where: { id } })).toMatchObject({
      name: 'After',
      tokenFormat: 'JWT',
    });
    const stale = await scene.as.admin.submit(`${apps}/${id}`, fields);
    expect([stale.status, stale.text.includes('role="alert"')]).toEqual([409, true]);
  });

  it('has pages that people see, and says that a change ends its verification', async () => {
    const { as, db, owner, organization } = scene;
    const { id } = await newClient(owner, organization.id, { name: 'Presented' });
    const fields = (homePageUrl: string): [string, string][] => [
      ...withValue('name', 'Presented'),
      ['homePageUrl', homePageUrl],
      ['privacyUrl', ''],
    ];
    const wrong = await as.admin.submit(`${apps}/${id}`, [
      ...fields('http://a.example/"><b>'),
      ['version', '1'],
    ]);
    expect([wrong.status, wrong.text.includes('id="homePageUrl-error"')]).toEqual([422, true]);
    expect(wrong.text).not.toContain('"><b>');
    await as.admin.submit(`${apps}/${id}`, [...fields('https://a.example/'), ['version', '1']]);
    const stored = () => db.prisma.client.findUniqueOrThrow({ where: { id } });
    expect(await stored()).toMatchObject({ homePageUrl: 'https://a.example/', privacyUrl: null });
    expect((await as.admin.open(`${apps}/${id}`)).text).not.toContain('ends the verification');
    await verifyApplication(db, id, 'test');
    expect((await as.admin.open(`${apps}/${id}`)).text).toContain('ends the verification');
    await as.admin.submit(`${apps}/${id}`, [...fields(''), ['version', '2']]);
    expect(await stored()).toMatchObject({ homePageUrl: null, verifiedAt: null });
  });

  it('has a logo, which admins upload and remove', async () => {
    const { as, db, owner, organization } = scene;
    const { id } = await newClient(owner, organization.id, { name: 'Logo' });
    const page = `${apps}/${id}`;
    const send = async (bytes: Uint8Array<ArrayBuffer>, who: keyof typeof as = 'admin', token?: string) => {
      const form = new FormData();
      form.set('form_token', token ?? hidden(await as[who].open('/account'), 'form_token') ?? '');
      form.set('logo', new File([bytes], 'logo.png', { type: 'image/png' }));
      return as[who].browser.send(`${page}/logo`, { method: 'POST', headers: SAME, body: form });
    };
    const stored = async () => (await db.prisma.client.findUniqueOrThrow({ where: { id } })).logoHash;
    const png = new Uint8Array(Buffer.from(await picture('png', 64, 64), 'base64'));
    expect((await send(png)).headers.get('location')).toBe(`${page}?done=logo`);
    const hash = await stored();
    expect((await as.member.open(page)).text).not.toContain('Save the logo');
    expect((await as.admin.open(page)).text).toContain(`src="/oauth/logos/${id}?v=${hash}"`);
    const refused = [
      await send(new Uint8Array()),
      await send(new TextEncoder().encode('<svg/>')),
      await send(new Uint8Array(310_000)),
      await send(png, 'member'),
      await send(png, 'stranger'),
      await send(png, 'admin', 'forged'),
      await as.admin.submit(`${page}/logo`, { logo: 'AAAA' }),
      await as.member.submit(`${page}/logo/remove`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 413, 403, 404, 403, 400, 403]);
    expect(refused[1]?.text).toContain('Must be a PNG, JPEG or WebP picture');
    expect(await stored()).toBe(hash);
    await as.admin.submit(`${page}/logo/remove`);
    expect(await stored()).toBeNull();
  });

  it('shows when each secret was used, and ends the current one at once where others may know it', async () => {
    const { as, db, organization, owner } = scene;
    const { id } = await newClient(owner, organization.id, { name: 'Leaked' });
    const page = `${apps}/${id}`;
    expect((await as.owner.open(page)).text).toContain('Not used yet');
    const lastUsedAt = new Date('2026-05-06T07:08Z');
    await db.prisma.clientSecret.updateMany({ where: { clientId: id }, data: { lastUsedAt } });
    await as.owner.submit(`${page}/secret`, { overlap: '30' });
    const { text } = await as.admin.open(page);
    for (const each of ['Current secret', 'Previous secret', '2026-05-06 07:08 UTC', 'Not used yet'])
      expect(text).toContain(each);
    expect((await as.member.open(page)).text).not.toContain('Previous secret');
    await as.owner.submit(`${page}/secret`, { overlap: '0' });
    expect((await as.owner.open(page)).text).not.toContain('Previous secret');
    const valid = { clientId: id, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
    expect(await db.prisma.clientSecret.count({ where: valid })).toBe(1);
  });

  it('gets a second secret with a fresh proof only, while the first stays valid', async () => {
    const { as, db, admin, organization, owner } = scene;
    const { id } = await newClient(owner, organization.id, { name: 'Rotated' });
    const { text } = await as.owner.submit(`${apps}/${id}/secret`);
    expect(text).toMatch(/dgb_[\w-]{43}/);
    expect(text).toContain('The previous secret is valid until');
    expect(await db.prisma.clientSecret.count({ where: { clientId: id } })).toBe(2);
    const past = { authenticatedAt: new Date(Date.now() - 3_600_000) };
    await db.prisma.signIn.updateMany({ where: { userId: admin.id }, data: past });
    const { headers } = await as.admin.submit(`${apps}/${id}/secret`);
    expect(headers.get('location')).toBe(`/account/confirm?return_to=${encodeURIComponent(`${apps}/${id}`)}`);
    const form = await as.admin.open(`${apps}/new`);
    expect(form.headers.get('location')).toBe(
      `/account/confirm?return_to=${encodeURIComponent(`${apps}/new`)}`,
    );
    await db.prisma.signIn.updateMany({ where: { userId: admin.id }, data: { authenticatedAt: new Date() } });
  });

  it('shows who allows it to its managers, and ends that with a confirmation', async () => {
    const { as, db, owner, organization } = scene;
    const client = await newClient(owner, organization.id, { name: 'Allowed' });
    const visitor = browser(await appOn(db), await signedIn(db, owner.id));
    await visitor.approve(ask(client));
    const page = `${apps}/${client.id}`;
    expect((await as.admin.open(page)).text).toContain('1 person allows it now');
    expect((await as.member.open(page)).text).not.toContain('1 person');
    expect((await as.admin.submit(`${page}/end`)).status).toBe(422);
    const { headers } = await as.admin.submit(`${page}/end`, { confirm: 'yes' });
    expect(headers.get('location')).toBe(`${page}?done=ended`);
    expect((await as.admin.open(page)).text).toContain('0 people allow it now');
  });

  it('is seen by a member without its forms, and changed by none', async () => {
    const { as, db } = scene;
    const id = await registered('Planner');
    const { status, text } = await as.member.open(`${apps}/${id}`);
    expect(status).toBe(200);
    for (const each of ['Change it', 'Make a new secret', 'Delete the application'])
      expect(text).not.toContain(each);
    expect((await as.member.open(`${apps}/new`)).status).toBe(403);
    const answers = [
      await as.member.submit(apps, withValue('name', 'Forged')),
      await as.member.submit(`${apps}/${id}`, [...withValue('name', 'Forged'), ['version', '1']]),
      await as.member.submit(`${apps}/${id}/secret`),
      await as.member.submit(`${apps}/${id}/end`, { confirm: 'yes' }),
      await as.member.submit(`${apps}/${id}/delete`, { typed: 'Planner' }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403, 403, 403]);
    expect(await db.prisma.client.count({ where: { name: 'Forged' } })).toBe(0);
    expect(await db.prisma.clientSecret.count({ where: { clientId: id } })).toBe(1);
  });

  it('is unknown to a stranger, in this organization and in their own', async () => {
    const { as, stranger } = scene;
    const id = await registered('Planner');
    const own = (await stranger.graph('{ viewer { organizations(first: 1) { nodes { id } } } }')).data.viewer
      .organizations.nodes[0].id;
    const paths = [
      apps,
      `${apps}/new`,
      `${apps}/${id}`,
      `/console/${own}/apps/${id}`,
      `${apps}/${newId('Client')}`,
    ];
    for (const path of paths) expect([path, (await as.stranger.open(path)).status]).toEqual([path, 404]);
    expect((await as.stranger.submit(apps, APP)).status).toBe(404);
    expect((await as.stranger.submit(`${apps}/${id}/delete`, { typed: 'Planner' })).status).toBe(404);
    expect((await as.stranger.submit(`${apps}/${id}/secret`)).status).toBe(404);
  });
});
