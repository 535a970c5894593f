import { describe, expect, it } from 'vitest';
import { executeOnce } from '../../../src/domain/idempotency/idempotency.ts';
import { sweep } from '../../../src/domain/maintenance/sweep.ts';
import { createApiKeys } from '../../../src/domain/oauth/api-key.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { digest, seal } from '../../../src/lib/seal.ts';
import { newSecret } from '../../../src/lib/secret.ts';
import { fromNow, HOUR } from '../../../src/lib/time.ts';
import { newDatabase } from '../../support/database.ts';
import { checkAnswer } from '../../support/description.ts';
import { dump } from '../../support/dump.ts';
import { appOn } from '../../support/oauth.ts';
import { newMember, newWorld, type Person } from '../../support/world.ts';

const AT_ONCE = 20;

let keys = 0;
const newKey = () => `key ${++keys} ${Math.random()}`;

async function setUp(creation = newWorld(), limits: Parameters<typeof appOn>[1] = {}) {
  const world = await creation;
  const { db, owner, organization, project } = world;
  const app = await appOn(db, limits);
  const base = `/organizations/${organization.id}/projects/${project.id}`;
  const send = async (
    method: string,
    path: string,
    { key, body, who = owner }: { key?: string; body?: unknown; who?: Person } = {},
  ) => {
    const answer = await app.request(`/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${who.key}`, ...(key !== undefined && { 'idempotency-key': key }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
    const read = type === 'application/json' ? JSON.parse(text) : text;
    checkAnswer(method, path, { status: answer.status, type, body: read });
    return {
      status: answer.status,
      replayed: answer.headers.get('idempotency-replayed'),
      body: read,
      answer,
    };
  };
  const create = (key: string | undefined, name: string, who?: Person) =>
    send('POST', `${base}/tasks`, { key, body: [{ Name: name }], who });
  const graph = async (key: string | undefined, query: string, variables: object, who = owner) => {
    const answer = await app.request('/graphql', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${who.key}`,
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: JSON.stringify({ query, variables }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: its shape is the query's
    const body = (await answer.json()) as any;
    return { status: answer.status, replayed: answer.headers.get('idempotency-replayed'), body };
  };
  const tasks = () => db.prisma.task.count({ where: { projectId: project.id } });
  return { ...world, app, base, send, create, graph, tasks };
}

const CREATE = `mutation ($projectId: ID!, $name: String!) {
  createTasks(input: { projectId: $projectId, tasks: [{ name: $name }] }) { tasks { id name } }
}`;

describe('a request with an Idempotency-Key', () => {
  it('repeats the answer of an internal error, and is not executed again', async () => {
    const db = await newDatabase();
    const { create, tasks } = await setUp(newWorld(db));
    const key = newKey();
    await db.prisma.$executeRawUnsafe('ALTER TABLE events RENAME TO events_away');
    const first = await create(key, 'once');
    await db.prisma.$executeRawUnsafe('ALTER TABLE events_away RENAME TO events');
    const [second, other] = [await create(key, 'once'), await create(newKey(), 'once')];
    const count = await tasks();
    await db.close();
    expect([first.status, first.replayed]).toEqual([500, null]);
    expect([second.status, second.replayed, second.body]).toEqual([500, 'true', first.body]);
    expect([other.status, count]).toEqual([200, 1]);
  });

  it('is executed once, and a retry gets the first answer', async () => {
    const { create, tasks } = await setUp();
    const key = newKey();
    const [first, second] = [await create(key, 'once'), await create(key, 'once')];
    expect([first.status, first.replayed]).toEqual([200, null]);
    expect([second.status, second.replayed, second.body]).toEqual([200, 'true', first.body]);
    expect(await tasks()).toBe(1);
  });

  it.each([
    'REST',
    'GraphQL',
  ])('with an answer too long to store is not executed again in %s: a retry gets the ids in it', async (api) => {
    const { project, base, send, graph, tasks, db } = await setUp();
    const key = newKey();
    const items = (member: string, text: string) =>
      Array.from({ length: 30 }, (_, index) => ({ [member]: `T${index}`, [text]: 'é'.repeat(5_000) }));
    const create = async () => {
      if (api === 'REST') return send('POST', `${base}/tasks`, { key, body: items('Name', 'Description') });
      const query =
        'mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { id description } } }';
      return graph(key, query, { input: { projectId: project.id, tasks: items('name', 'description') } });
    };
    const first = await create();
    expect(JSON.stringify(first.body).length).toBeGreaterThan(150_000);
    const again = await create();
    const { message, code } = again.body.errors
      ? { message: again.body.errors[0].message, ...again.body.errors[0].extensions }
      : again.body;
    expect([again.status, code]).toEqual([api === 'REST' ? 409 : 200, 'CONFLICT']);
    expect(message).toMatch(/was carried out, and its answer had more than 262144 bytes/);
    const created = await db.prisma.task.findMany({ where: { projectId: project.id } });
    for (const { id } of created) expect(message).toContain(id);
    expect(await tasks()).toBe(30);
    const stored = await db.prisma.idempotencyKey.findMany();
    expect(Math.max(...stored.map(({ answer }) => answer?.length ?? 0))).toBeLessThan(300_000);
  });

  it('is refused with 429 beyond the number of keys of its sender, until one expires, and repeats are answered', async () => {
    const { create, db, app, owner, stranger } = await setUp(newWorld(await newDatabase()), {
      idempotencyKeys: 3,
    });
    const used = [newKey(), newKey(), newKey()];
    const first = await create(used[0] as string, 'first');
    for (const key of used.slice(1)) await create(key, 'more');
    const refused = newKey();
    const beyond = await create(refused, 'beyond');
    expect([beyond.status, beyond.body.code, beyond.body.at]).toEqual([
      429,
      'RATE_LIMITED',
      'Idempotency-Key',
    ]);
    expect(Number(beyond.answer.headers.get('retry-after'))).toBeGreaterThan(3_600);
    const mutation = await app.request('/graphql', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.key}`,
        'content-type': 'application/json',
        'idempotency-key': newKey(),
      },
      body: JSON.stringify({ query: 'mutation { updateViewer(input: { name: "N" }) { viewer { name } } }' }),
    });
    expect([mutation.status, (await mutation.json()).errors[0].extensions.code]).toEqual([
      429,
      'RATE_LIMITED',
    ]);
    expect((await create(used[0] as string, 'first')).body).toEqual(first.body);
    expect((await create(newKey(), 'not theirs', stranger)).status).toBe(404);
    expect(await db.prisma.idempotencyKey.count({ where: { ownerHash: { not: null } } })).toBe(4);
    await db.prisma.idempotencyKey.updateMany({ data: { expiresAt: fromNow(-HOUR) } });
    expect((await create(refused, 'now')).status).toBe(200);
  });

  it('is executed each time without the key, and with another key', async () => {
    const { create, tasks } = await setUp();
    for (const key of [undefined, undefined, newKey(), newKey()]) await create(key, 'again');
    expect(await tasks()).toBe(4);
  });

  it('answers 409 to another request under the same key, and changes nothing', async () => {
    const { create, send, base, tasks } = await setUp();
    const key = newKey();
    await create(key, 'one');
    const others = [
      await create(key, 'other'),
      await send('POST', `${base}/tasks?x=1`, { key, body: [{ Name: 'one' }] }),
      await send('PUT', base, { key, body: { Name: 'P' } }),
    ];
    expect(others.map(({ status, body }) => [status, body.message])).toEqual(
      Array(3).fill([409, 'This Idempotency-Key was used for another request.']),
    );
    expect(await tasks()).toBe(1);
  });

  it.each([
    ['', 400],
    ['x'.repeat(255), 200],
    ['x'.repeat(256), 400],
  ])('accepts a key of 1 to 255 characters', async (key, status) => {
    const { create } = await setUp();
    expect((await create(key, 'T')).status).toBe(status);
  });

  it('is not stored if its input was refused: once corrected, it succeeds under the same key', async () => {
    const { db, organization, base, send, create, stranger, tasks } = await setUp();
    const guest = await newMember(db, organization.id, 'GUEST');
    const key = newKey();
    expect((await send('POST', `${base}/tasks`, { key, body: [{}] })).status).toBe(400);
    expect((await create(key, 'T')).status).toBe(200);
    for (const who of [stranger, guest]) {
      const answers = [await create(key, 'T', who), await create(key, 'T', who)];
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    }
    expect(await tasks()).toBe(1);
  });

  it('is stored with its answer if the state refused it', async () => {
    const { owner, project, send, base } = await setUp();
    const [task] = await createTasks(await owner.context(), {
      projectId: project.id,
      tasks: [{ name: 'T' }],
    });
    const path = `${base}/tasks/${task?.id}`;
    await send('POST', `${path}/actions/complete`);
    const key = newKey();
    const first = await send('POST', `${path}/actions/complete`, { key });
    const again = await send('POST', `${path}/actions/complete`, { key });
    expect([first.status, first.replayed, again.status, again.replayed]).toEqual([409, null, 409, 'true']);
    expect(again.body).toEqual(first.body);
  });

  it('belongs to its sender: another person with the same key gets a separate answer', async () => {
    const { create, send, stranger } = await setUp();
    const key = newKey();
    const body = [{ Name: 'Mine' }];
    const first = await send('POST', '/organizations', { key, body });
    const other = await send('POST', '/organizations', { key, body, who: stranger });
    expect([other.status, other.replayed]).toEqual([200, null]);
    expect(other.body[0].ID).not.toBe(first.body[0].ID);
    expect((await create(key, 'T', stranger)).status).toBe(409);
  });

  it('is shared by all keys of a person, and refused for a read-only key', async () => {
    const { owner, send } = await setUp();
    const key = newKey();
    const createdKeys = await createApiKeys(await owner.context(), {
      keys: [{ name: 'Second' }, { name: 'Reader', scopes: ['read'] }],
    });
    const [second, reader] = await Promise.all(createdKeys.map(({ secret }) => owner.with(secret)));
    const first = await send('POST', '/organizations', { key, body: [{ Name: 'O' }] });
    const again = await send('POST', '/organizations', { key, body: [{ Name: 'O' }], who: second });
    expect([again.replayed, again.body]).toEqual(['true', first.body]);
    const refused = await send('POST', '/organizations', { key, body: [{ Name: 'O' }], who: reader });
    expect([refused.status, refused.replayed]).toEqual([403, null]);
  });

  it('repeats a secret in the answer to a retry, and stores neither the secret nor the key in plain text', async () => {
    const { db, send } = await setUp();
    const key = newKey();
    const body = [{ Name: 'Machine' }];
    const [first, again] = [
      await send('POST', '/user/apiKeys', { key, body }),
      await send('POST', '/user/apiKeys', { key, body }),
    ];
    expect(again.body).toEqual(first.body);
    const secret = /dgk_[\w-]{43}/.exec(JSON.stringify(first.body))?.[0] as string;
    const databaseText = await dump(db);
    expect(databaseText).toContain('idempotency_keys');
    expect([databaseText.includes(secret), databaseText.includes(key)]).toEqual([false, false]);
    expect(await db.prisma.apiKey.count({ where: { name: 'Machine', prefix: secret.slice(0, 12) } })).toBe(1);
  });

  it('repeats a secret only to the credential that received it, not to others of the same person', async () => {
    const { db, owner, send, graph, organization } = await setUp();
    const createdKeys = await createApiKeys(await owner.context(), { keys: [{ name: 'Second' }] });
    const second = await owner.with(createdKeys[0]?.secret as string);
    const client = `mutation ($id: ID!) { createClient(input: {
      organizationId: $id, name: "App", kind: CONFIDENTIAL, redirectUris: ["https://app.example/"], scopes: [READ]
    }) { secret } }`;
    const hook = `mutation ($id: ID!) { createWebhooks(input: {
      organizationId: $id, webhooks: [{ url: "https://app.example/hook" }] }) { created { secret } } }`;
    const requests = [
      (key: string, who: Person) => send('POST', '/user/apiKeys', { key, body: [{ Name: 'Machine' }], who }),
      (key: string, who: Person) => graph(key, client, { id: organization.id }, who),
      (key: string, who: Person) => graph(key, hook, { id: organization.id }, who),
    ];
    for (const request of requests) {
      const key = newKey();
      const [first, other, again] = [
        await request(key, owner),
        await request(key, second),
        await request(key, owner),
      ];
      expect(JSON.stringify(first.body)).toMatch(/dg[a-z]_[\w-]{43}/);
      expect([again.replayed, again.body]).toEqual(['true', first.body]);
      expect(JSON.stringify(other.body)).toContain('was carried out with another credential');
      expect([other.replayed, JSON.stringify(other.body).includes('dg')]).toEqual([null, false]);
    }
    expect(await db.prisma.apiKey.count({ where: { name: 'Machine', userId: owner.id } })).toBe(1);
  });

  it('does not repeat a secret that was stored without its credential', async () => {
    const { db, owner } = await setUp();
    const once = executeOnce(() => {});
    const [ctx, named] = [await owner.context(), { key: newKey(), request: 'the request' }];
    const work = async () => ({ answer: '{"secret":"none"}', keep: true });
    await once(ctx, named, work);
    const keyHash = digest(JSON.stringify([owner.id, named.key]));
    const answer = seal(`{"secret":"${newSecret('dgk_')}"}`, named.key, keyHash);
    await db.prisma.idempotencyKey.update({ where: { keyHash }, data: { answer } });
    await expect(once(ctx, named, work)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is executed again after it expired, and is swept', async () => {
    const { db, owner, create, tasks } = await setUp();
    const key = newKey();
    await create(key, 'T');
    const mine = { where: {}, data: { expiresAt: fromNow(-1) } };
    await db.prisma.idempotencyKey.updateMany(mine);
    expect((await create(key, 'other')).status).toBe(200);
    expect(await tasks()).toBe(2);
    await db.prisma.idempotencyKey.updateMany(mine);
    const { storage } = await owner.context();
    expect((await sweep(db, storage.store)).credentials).toBeGreaterThan(0);
    expect(await db.prisma.idempotencyKey.count()).toBe(0);
  });
});

describe('a mutation with an Idempotency-Key', () => {
  it('is executed once, and a retry gets the first answer', async () => {
    const { project, graph, tasks } = await setUp();
    const [key, variables] = [newKey(), { projectId: project.id, name: 'T' }];
    const [first, again] = [await graph(key, CREATE, variables), await graph(key, CREATE, variables)];
    expect([first.replayed, again.replayed]).toEqual([null, 'true']);
    expect(first.body.data.createTasks.tasks).toHaveLength(1);
    expect(again.body).toEqual(first.body);
    expect(await tasks()).toBe(1);
    const other = await graph(key, CREATE, { ...variables, name: 'U' });
    expect(other.body.errors[0].extensions).toMatchObject({ code: 'CONFLICT', at: 'Idempotency-Key' });
    expect(other.body.data).toBeUndefined();
  });

  it('stores a failure of the state with its code, and no input error', async () => {
    const { project, owner, graph, tasks } = await setUp();
    const complete = 'mutation ($id: ID!) { completeTask(input: { taskId: $id }) { task { id } } }';
    const [task] = await createTasks(await owner.context(), {
      projectId: project.id,
      tasks: [{ name: 'T' }],
    });
    await graph(undefined, complete, { id: task?.id });
    const key = newKey();
    const [first, again] = [
      await graph(key, complete, { id: task?.id }),
      await graph(key, complete, { id: task?.id }),
    ];
    expect(first.body.errors[0].extensions.code).toBe('CONFLICT');
    expect([again.replayed, again.body]).toEqual(['true', first.body]);
    const [other, variables] = [newKey(), { projectId: project.id, name: '' }];
    const faulty = [await graph(other, CREATE, variables), await graph(other, CREATE, variables)];
    expect(faulty.map(({ replayed, body }) => [replayed, body.errors[0].extensions.code])).toEqual(
      Array(2).fill([null, 'BAD_USER_INPUT']),
    );
    expect(
      (await graph(other, CREATE, { ...variables, name: 'now' })).body.data.createTasks.tasks,
    ).toHaveLength(1);
    expect(await tasks()).toBe(2);
  });

  it('is stored if it was executed but a field of its result was refused', async () => {
    const { project, graph, tasks } = await setUp();
    const query = `mutation ($projectId: ID!, $name: String!) {
      createTasks(input: { projectId: $projectId, tasks: [{ name: $name }] }) { tasks { documents(first: 1, after: "none") { nodes { id } } } }
    }`;
    const [key, variables] = [newKey(), { projectId: project.id, name: 'T' }];
    const [first, again] = [await graph(key, query, variables), await graph(key, query, variables)];
    expect(first.body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    expect([await tasks(), again.replayed, again.body]).toEqual([1, 'true', first.body]);
  });

  it('has no effect for a query', async () => {
    const { graph } = await setUp();
    const key = newKey();
    const answers = [
      await graph(key, '{ viewer { user { id } } }', {}),
      await graph(key, '{ __typename }', {}),
    ];
    expect(answers.map(({ status, replayed }) => [status, replayed])).toEqual([
      [200, null],
      [200, null],
    ]);
  });
});

describe('a process that crashes', () => {
  const once = executeOnce(() => {});

  /** A request that stops for ever before or after its effect. */
  async function crashedProcess(work: (world: Awaited<ReturnType<typeof setUp>>) => 'before' | 'after') {
    const world = await setUp();
    const { owner, project, db } = world;
    const named = { key: newKey(), request: 'the request' };
    const context = await owner.context();
    const when = work(world);
    await new Promise<void>((resolve) => {
      void once(context, named, async (ctx) => {
        if (when === 'after') await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'T' }] });
        resolve();
        return new Promise(() => {});
      });
    });
    const retry = () =>
      once(context, named, async (ctx) => {
        await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'T' }] });
        return { answer: 'done', keep: true };
      });
    const expireLock = () => db.prisma.idempotencyKey.updateMany({ data: { heldUntil: fromNow(-1) } });
    return { ...world, retry, expireLock };
  }

  it('before its effect locks the key for half a minute; then a retry succeeds', async () => {
    const { retry, expireLock, tasks } = await crashedProcess(() => 'before');
    await expect(retry()).rejects.toMatchObject({ code: 'CONFLICT', retryAfter: 1 });
    await expireLock();
    expect(await retry()).toEqual({ answer: 'done', replayed: false });
    expect(await retry()).toEqual({ answer: 'done', replayed: true });
    expect(await tasks()).toBe(1);
  });

  it('after its effect does not lose it, and a retry never repeats it', async () => {
    const { retry, expireLock, tasks } = await crashedProcess(() => 'after');
    await expect(retry()).rejects.toMatchObject({ code: 'CONFLICT', retryAfter: 1 });
    await expireLock();
    await expect(retry()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('its answer was lost'),
    });
    expect(await tasks()).toBe(1);
  });

  it('only apparently, and resumes after its lock expired, changes nothing', async () => {
    const { db, owner, project, tasks } = await setUp();
    const context = await owner.context();
    const named = { key: newKey(), request: 'the request' };
    const create = async (ctx: typeof context) => {
      await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'T' }] });
      return { answer: 'done', keep: true };
    };
    let resume = () => {};
    const paused = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const delayed = once(context, named, async (ctx) => {
      await paused;
      return create(ctx);
    });
    const rejection = expect(delayed).rejects.toMatchObject({ code: 'CONFLICT' });
    while ((await db.prisma.idempotencyKey.count({ where: { heldUntil: { gt: fromNow(0) } } })) === 0);
    await db.prisma.idempotencyKey.updateMany({ data: { heldUntil: fromNow(-HOUR) } });
    expect(await once(context, named, create)).toEqual({ answer: 'done', replayed: false });
    resume();
    await rejection;
    expect(await once(context, named, create)).toEqual({ answer: 'done', replayed: true });
    expect(await tasks()).toBe(1);
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)('twenty equal concurrent requests on PostgreSQL', () => {
  it('have one effect, and the others are answered with Retry-After or the same answer', async () => {
    const { create, graph, project, tasks } = await setUp();
    for (let round = 1; round <= 5; round++) {
      const key = newKey();
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => create(key, 'T')));
      const firsts = answers.filter(({ status, replayed }) => status === 200 && !replayed);
      expect(firsts).toHaveLength(1);
      for (const { status, replayed, body, answer } of answers)
        if (status === 200) expect(body).toEqual(firsts[0]?.body);
        else expect([status, replayed, answer.headers.get('retry-after')]).toEqual([409, null, '1']);
      expect(await create(key, 'T')).toMatchObject({ status: 200, replayed: 'true', body: firsts[0]?.body });
      expect(await tasks()).toBe(2 * round - 1);
      const other = newKey();
      const variables = { projectId: project.id, name: 'G' };
      await Promise.all(Array.from({ length: AT_ONCE }, () => graph(other, CREATE, variables)));
      expect(await tasks()).toBe(2 * round);
    }
  });
});
