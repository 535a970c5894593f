import { beforeAll, describe, expect, it } from 'vitest';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { newId } from '../../../../src/lib/id.ts';
import { counted } from '../../../support/database.ts';
import { HOSTILE, newScene } from '../scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;
let hooks: string;

beforeAll(async () => {
  scene = await newScene();
  hooks = `${scene.path}/webhooks`;
  await createProjects(await scene.owner.context(), {
    organizationId: scene.organization.id,
    projects: ['North', 'South', 'West'].map((name) => ({ name })),
  });
});

const HOOK = {
  url: 'https://receiver.example/hook?a=1&b=2',
  kinds: 'project.created, task.*',
  projectId: '',
  query: '{ kind }',
};

const create = (fields: Record<string, string> = {}) => scene.as.admin.submit(hooks, { ...HOOK, ...fields });

/** A new webhook, and where its page is. */
async function created(fields: Record<string, string> = {}) {
  const { text } = await create(fields);
  const [, id = ''] = /webhooks\/(whk_\w{26})"/.exec(text) ?? [];
  return { id, page: `${hooks}/${id}`, text };
}

/** A delivery of a webhook as the worker leaves it, with one attempt. */
async function delivered(webhookId: string, state: 'FAILED' | 'DELIVERED', response = 'so it is') {
  const { db, organization } = scene;
  const events = await db.prisma.event.findMany({
    where: { organizationId: organization.id, kind: 'project.created' },
    orderBy: { sequence: 'asc' },
  });
  const sequence = events[await db.prisma.webhookDelivery.count({ where: { webhookId } })]?.sequence ?? 0n;
  const id = newId('WebhookDelivery');
  const row = { id, organizationId: organization.id, webhookId, sequence, state, tries: 1 };
  await db.prisma.webhookDelivery.create({ data: row });
  const attempt = { id: newId('WebhookAttempt'), organizationId: organization.id, deliveryId: id };
  const failure = state === 'FAILED' ? { status: 500, error: 'The receiver answered 500' } : { status: 200 };
  await db.prisma.webhookAttempt.create({ data: { ...attempt, duration: 12, response, ...failure } });
  return id;
}

describe('a webhook in the console', () => {
  it('is created, and its secret is shown once', async () => {
    const { id, page, text } = await created();
    const secret = /dgw_[\w-]{43}/.exec(text)?.[0] ?? 'none';
    expect(secret).toHaveLength(47);
    const shown = await scene.as.owner.open(page);
    expect(shown.text).not.toContain(secret);
    expect(shown.text).toContain('https://receiver.example/hook?a=1&amp;b=2');
    expect(await scene.db.prisma.webhook.findUnique({ where: { id } })).toMatchObject({
      kinds: ['project.created', 'task.*'],
      projectId: null,
      query: '{ kind }',
    });
    expect((await scene.as.owner.open(hooks)).text).toContain(page);
  });

  it('keeps a project that is not among the first hundred', async () => {
    const { owner, organization, as } = scene;
    const names = Array.from({ length: 100 }, (_, index) => ({ name: `A ${index}` }));
    const add = async (projects: { name: string }[]) =>
      createProjects(await owner.context(), { organizationId: organization.id, projects });
    await add(names);
    const [last] = await add([{ name: 'Zenith' }]);
    const { page } = await created({ projectId: last?.id as string });
    expect((await as.owner.open(page)).text).toMatch(new RegExp(`value="${last?.id}"[^>]* selected`));
  });

  it.each([
    [{ url: '' }, 'url'],
    [{ url: 'ftp://receiver.example' }, 'url'],
    [{ kinds: 'every kind!' }, 'kinds'],
    [{ query: '{ nothing }' }, 'query'],
    [{ query: `{ ${HOSTILE}` }, 'query'],
  ])('is refused with %j, at its field, with what was typed', async (fields, at) => {
    const { status, text } = await create(fields);
    expect([status, text.includes(`href="#${at}"`), text.includes(`id="${at}-error"`)]).toEqual([
      422,
      true,
      true,
    ]);
    expect(text).not.toContain('<script>alert');
  });

  it('is changed, switched off and on, and deleted with a confirmation', async () => {
    const { id, page } = await created();
    const { as, db } = scene;
    const stored = () => db.prisma.webhook.findUniqueOrThrow({ where: { id } });
    const version = `${(await stored()).version}`;
    const changed = await as.owner.submit(page, { ...HOOK, kinds: '', version });
    expect(changed.headers.get('location')).toBe(`${page}?done=changed`);
    expect(await stored()).toMatchObject({ kinds: [] });
    expect((await as.owner.submit(page, { ...HOOK, version })).status).toBe(409);
    await as.owner.submit(`${page}/enabled`, { enabled: 'no' });
    expect((await as.owner.open(page)).text).toContain('Switch it on');
    await as.owner.submit(`${page}/enabled`, { enabled: 'yes' });
    expect((await as.owner.open(page)).text).toContain('Switch it off');
    expect((await as.owner.submit(`${page}/secret`)).text).toMatch(/dgw_[\w-]{43}/);
    expect((await as.owner.submit(`${page}/delete`)).status).toBe(422);
    const { headers } = await as.owner.submit(`${page}/delete`, { confirm: 'yes' });
    expect(headers.get('location')).toBe(`${hooks}?done=deleted`);
    expect((await as.owner.open(page)).status).toBe(404);
  });

  it('says why it does not send, also on the first page', async () => {
    const { id, page } = await created();
    const { as, db, path } = scene;
    const data = { state: 'SUSPENDED', stateReason: 'Its owner left the organization' } as const;
    await db.prisma.webhook.update({ where: { id }, data });
    for (const each of [hooks, page]) expect((await as.owner.open(each)).text).toContain(data.stateReason);
    expect((await as.owner.open(page)).text).toContain('Switch it on: it then reads with your rights');
    for (const each of ['/console', path])
      expect((await as.admin.open(each)).text).toContain('failing webhook');
    expect((await as.member.open('/console')).text).not.toContain('failing webhook');
  });

  it('shows its deliveries by state, each with its attempts and the request', async () => {
    const { id, page } = await created();
    const [failed, good] = [await delivered(id, 'FAILED', HOSTILE), await delivered(id, 'DELIVERED')];
    const { as } = scene;
    const all = (await as.owner.open(page)).text;
    for (const each of [failed, good]) expect(all).toContain(each);
    const some = (await as.owner.open(`${page}?state=FAILED`)).text;
    expect([some.includes(failed), some.includes(good)]).toEqual([true, false]);
    const { text } = await as.owner.open(`${page}/deliveries/${failed}`);
    for (const each of [
      'Status 500',
      '12 ms',
      'The receiver answered 500',
      'docgraph-signature',
      'project.created',
    ])
      expect(text).toContain(each);
    expect(text).toContain('&lt;script&gt;alert');
    expect(text).not.toContain('<script>alert');
  });

  it('sends one delivery again, or all that failed', async () => {
    const { id, page } = await created();
    const { as, db } = scene;
    const ids = [
      await delivered(id, 'FAILED'),
      await delivered(id, 'FAILED'),
      await delivered(id, 'DELIVERED'),
    ];
    const states = async () => {
      const rows = await db.prisma.webhookDelivery.findMany({
        where: { id: { in: ids } },
        orderBy: { id: 'asc' },
      });
      return rows.map(({ state }) => state);
    };
    const one = await as.owner.submit(`${page}/deliveries/${ids[0]}`);
    expect(one.headers.get('location')).toBe(`${page}/deliveries/${ids[0]}?done=queued`);
    expect(await states()).toEqual(['PENDING', 'FAILED', 'DELIVERED']);
    const rest = await as.owner.submit(`${page}/redeliver`);
    expect(rest.headers.get('location')).toBe(`${page}?done=redelivered`);
    expect(await states()).toEqual(['PENDING', 'PENDING', 'DELIVERED']);
  });

  it('sends more than a thousand failed ones again at once', async () => {
    const { id, page } = await created();
    const { db, as, organization } = scene;
    await db.prisma.webhookDelivery.createMany({
      data: Array.from({ length: 1_250 }, (_, index) => ({
        ...{ id: newId('WebhookDelivery'), organizationId: organization.id, webhookId: id },
        ...{ sequence: BigInt(1_000_000 + index), state: 'FAILED' as const, tries: 3 },
      })),
    });
    const answer = await as.owner.submit(`${page}/redeliver`);
    expect(answer.headers.get('location')).toBe(`${page}?done=redelivered`);
    const where = { webhookId: id, state: 'FAILED' as const };
    expect(await db.prisma.webhookDelivery.count({ where })).toBe(0);
    await db.prisma.webhookDelivery.deleteMany({ where: { webhookId: id } });
  });

  it('offers to send failed ones again that are not on the page, with as many statements for many as for few', async () => {
    const { id, page } = await created();
    const { db, as, organization } = scene;
    const deliver = (from: number, count: number, state: 'FAILED' | 'DELIVERED') =>
      db.prisma.webhookDelivery.createMany({
        data: Array.from({ length: count }, (_, index) => ({
          ...{ id: newId('WebhookDelivery'), organizationId: organization.id, webhookId: id },
          ...{ sequence: BigInt(from + index), state },
        })),
      });
    await deliver(1, 2, 'DELIVERED');
    await as.owner.open(page);
    const few = await counted(() => as.owner.open(page));
    expect(few.result.text).not.toContain('Send all failed ones again');
    await deliver(3, 1, 'FAILED');
    await deliver(4, 30, 'DELIVERED');
    const many = await counted(() => as.owner.open(page));
    expect(many.result.text).toContain('Send all failed ones again');
    expect(many.statements.length).toBe(few.statements.length);
    await db.prisma.webhookDelivery.deleteMany({ where: { webhookId: id } });
  });

  it('has a page also after a hundred others', async () => {
    const { page, id } = await created();
    const { db, as, organization } = scene;
    const stored = await db.prisma.webhook.findUniqueOrThrow({ where: { id } });
    const earlier = Array.from({ length: 101 }, (_, index) => ({
      ...stored,
      id: newId('Webhook'),
      createdAt: new Date(index),
    }));
    await db.prisma.webhook.createMany({ data: earlier });
    const delivery = await delivered(id, 'FAILED');
    for (const path of [page, `${page}/deliveries/${delivery}`])
      expect((await as.owner.open(path)).status).toBe(200);
    await db.prisma.webhook.deleteMany({
      where: { organizationId: organization.id, id: { in: earlier.map((each) => each.id) } },
    });
  });

  it('says why nothing is sent again while it is switched off', async () => {
    const { id, page } = await created();
    const { as } = scene;
    await delivered(id, 'FAILED');
    await as.owner.submit(`${page}/enabled`, { enabled: 'no' });
    const { status, text } = await as.owner.submit(`${page}/redeliver`);
    expect([status, text.includes('role="alert"'), text.includes('The webhook is DISABLED')]).toEqual([
      409,
      true,
      true,
    ]);
  });

  it('is for owners and admins alone', async () => {
    const { id, page } = await created();
    const delivery = await delivered(id, 'FAILED');
    const { as, db } = scene;
    for (const [who, status] of [
      ['member', 403],
      ['stranger', 404],
    ] as const) {
      for (const path of [hooks, `${hooks}/new`, page, `${page}/deliveries/${delivery}`]) {
        const answer = await as[who].open(path);
        const isList = path === hooks || path.endsWith('/new');
        expect([who, path, answer.status]).toEqual([who, path, isList ? status : 404]);
        expect(answer.text).not.toContain('receiver.example');
      }
      for (const path of [
        hooks,
        page,
        `${page}/delete`,
        `${page}/redeliver`,
        `${page}/deliveries/${delivery}`,
      ]) {
        const answer = await as[who].submit(path, { ...HOOK, confirm: 'yes', version: '1' });
        expect([who, path, answer.status]).toEqual([who, path, path === hooks ? status : 404]);
      }
    }
    expect(await db.prisma.webhookDelivery.findUnique({ where: { id: delivery } })).toMatchObject({
      state: 'FAILED',
    });
    const own = (await scene.stranger.graph('{ viewer { organizations(first: 1) { nodes { id } } } }')).data
      .viewer.organizations.nodes[0].id;
    expect((await as.stranger.open(`/console/${own}/webhooks/${id}`)).status).toBe(404);
  });
});
