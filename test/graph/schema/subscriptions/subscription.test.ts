import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../../src/auth/api-key.ts';
import { createProjects } from '../../../../src/domain/projects/project.ts';
import { createTasks } from '../../../../src/domain/tasks/task-create.ts';
import { listen } from '../../../../src/http/listen.ts';
import { createApp } from '../../../../src/http/server.ts';
import { testDatabase } from '../../../support/database.ts';
import { type Reader, subscribe } from '../../../support/sse.ts';
import { testStorage } from '../../../support/storage.ts';
import { config, newMember, newWorld, type Person } from '../../../support/world.ts';

const FOLLOW = `subscription ($id: ID!, $after: BigInt, $kinds: [String!], $projectId: ID) {
  eventAppended(organizationId: $id, after: $after, kinds: $kinds, projectId: $projectId) {
    sequence kind subject { __typename ... on Task { name } ... on Project { name } } } }`;

let app: ReturnType<typeof createApp>;
let url: string;
let close: () => Promise<void>;
const stopping = new AbortController();
const open: Reader[] = [];

beforeAll(async () => {
  const db = await testDatabase();
  const storage = await testStorage(db);
  const limits = { ...config.limits, subscriptions: 2 };
  const log = pino({ level: 'silent' });
  app = createApp({ config: { ...config, limits }, db, storage, log, stopping: stopping.signal });
  const server = await listen(app, { port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${server.port}`;
  close = server.close;
});

afterEach(() => {
  for (const reader of open.splice(0)) reader.cut();
});

async function follow(person: Person, variables: object, headers?: Record<string, string>): Promise<Reader> {
  const reader = await subscribe(url, person.key, FOLLOW, variables, headers);
  open.push(reader);
  return reader;
}

const createTasksIn = async (person: Person, projectId: string, ...names: string[]) =>
  createTasks(await person.context(), { projectId, tasks: names.map((name) => ({ name })) });

const eventOf = ({ json }: { json?: { data?: { eventAppended: unknown } } }) => json?.data?.eventAppended;

describe('eventAppended', () => {
  it('sends past events after a sequence, then new events, each once and in order', async () => {
    const { owner, organization, project } = await newWorld();
    const reader = await follow(owner, { id: organization.id, after: 2 });
    expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const [past] = await reader.take(1);
    expect(past).toMatchObject({ event: 'next', id: '3' });
    expect(eventOf(past as object)).toEqual({
      sequence: 3,
      kind: 'project.created',
      subject: { __typename: 'Project', name: 'Quay' },
    });
    await createTasksIn(owner, project.id, 'a', 'b');
    await createTasksIn(owner, project.id, 'c');
    expect((await reader.take(3)).map(eventOf)).toEqual([
      { sequence: 4, kind: 'task.created', subject: { __typename: 'Task', name: 'a' } },
      { sequence: 5, kind: 'task.created', subject: { __typename: 'Task', name: 'b' } },
      { sequence: 6, kind: 'task.created', subject: { __typename: 'Task', name: 'c' } },
    ]);
  });

  it('sends what happens once the answer has begun, before any of it is read', async () => {
    const { owner, organization, project } = await newWorld();
    const headers = {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${owner.key}`,
    };
    const body = JSON.stringify({ query: FOLLOW, variables: { id: organization.id } });
    const response = await app.request('/graphql', { method: 'POST', headers, body });
    await createTasksIn(owner, project.id, 'at once');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('data: ')) text += (await reader?.read())?.value;
    await reader?.cancel();
    expect(text).toContain('"name":"at once"');
  });

  it('loses and repeats no event over a reconnection with `after` or the header last-event-id', async () => {
    const { owner, organization, project } = await newWorld();
    await createTasksIn(owner, project.id, ...Array.from({ length: 70 }, (_, index) => `t${index}`));
    const first = await follow(owner, { id: organization.id, after: 0 });
    const read = (await first.take(10)).map(({ id }) => Number(id));
    first.cut();
    await createTasksIn(owner, project.id, 'meanwhile');
    const second = await follow(owner, { id: organization.id, after: read.at(-1) });
    read.push(...(await second.take(40)).map(({ id }) => Number(id)));
    second.cut();
    const third = await follow(
      owner,
      { id: organization.id, after: 0 },
      { 'last-event-id': String(read.at(-1)) },
    );
    read.push(...(await third.take(24)).map(({ id }) => Number(id)));
    expect(read).toEqual(Array.from({ length: 74 }, (_, index) => index + 1));
  });

  it.each([
    '',
    'x',
    '-1',
    '1.5',
    '1e3',
    '9'.repeat(19),
    '999999',
    '18446744073709551616',
  ])('refuses the header last-event-id %j, which is no position of the feed', async (id) => {
    const { owner, organization } = await newWorld();
    const reader = await follow(owner, { id: organization.id }, { 'last-event-id': id });
    const [frame, end] = [await reader.next(), await reader.next()];
    expect([frame?.json.errors[0].extensions.code, frame?.json.errors[0].message, end?.event]).toEqual([
      'BAD_USER_INPUT',
      expect.stringMatching(/^(?:last-event-id|after): is not a position of this feed$/),
      'complete',
    ]);
  });

  it('answers an invalid position only to viewers of the organization, and NOT_FOUND to others', async () => {
    const { owner, organization, stranger } = await newWorld();
    const code = async (person: Person, after: number) => {
      const reader = await follow(person, { id: organization.id, after });
      return (await reader.next())?.json.errors[0].extensions.code;
    };
    expect([await code(owner, 1_000), await code(owner, -1), await code(stranger, 1_000)]).toEqual([
      'BAD_USER_INPUT',
      'BAD_USER_INPUT',
      'NOT_FOUND',
    ]);
  });

  it('starts at the last position, and waits for new events', async () => {
    const { db, owner, organization, project } = await newWorld();
    const head = await db.prisma.eventHead.findUniqueOrThrow({ where: { organizationId: organization.id } });
    const reader = await follow(owner, { id: organization.id }, { 'last-event-id': String(head.sequence) });
    await createTasksIn(owner, project.id, 'next');
    expect((await reader.take(1)).map(({ id }) => id)).toEqual([String(head.sequence + 1n)]);
  });

  it('sends only events of the requested kinds and project', async () => {
    const { owner, organization, project } = await newWorld();
    const [other] = await createProjects(await owner.context(), {
      organizationId: organization.id,
      projects: [{ name: 'Other' }],
    });
    const reader = await follow(owner, { id: organization.id, projectId: other?.id, kinds: ['task.*'] });
    await createTasksIn(owner, project.id, 'not this');
    await createTasksIn(owner, other?.id as string, 'this');
    expect(eventOf((await reader.take(1))[0] as object)).toMatchObject({ subject: { name: 'this' } });
  });

  it('sends a member only events that are visible to them at that time', async () => {
    const { db, owner, organization, project } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const [vault] = await createProjects(await owner.context(), {
      organizationId: organization.id,
      projects: [{ name: 'Vault', access: 'RESTRICTED' }],
    });
    const reader = await follow(member, { id: organization.id, after: 4 });
    await createTasksIn(owner, vault?.id as string, 'secret');
    await createTasksIn(owner, project.id, 'seen');
    expect(eventOf((await reader.take(1))[0] as object)).toMatchObject({
      sequence: 6,
      subject: { name: 'seen' },
    });
  });

  it('ends when its credential is revoked or expires, or its user is removed', async () => {
    const { db, organization } = await newWorld();
    const now = new Date();
    const revocations: [string, (userId: string) => Promise<unknown>][] = [
      [
        'UNAUTHENTICATED',
        (userId) => db.prisma.apiKey.updateMany({ where: { userId }, data: { revokedAt: now } }),
      ],
      [
        'UNAUTHENTICATED',
        (userId) => db.prisma.apiKey.updateMany({ where: { userId }, data: { expiresAt: now } }),
      ],
      ['NOT_FOUND', (userId) => db.prisma.membership.deleteMany({ where: { userId } })],
    ];
    // Concurrently, since each waits for the server's next check.
    await Promise.all(
      revocations.map(async ([code, end]) => {
        const member = await newMember(db, organization.id, 'MEMBER');
        const reader = await follow(member, { id: organization.id });
        await end(member.id);
        const [error, complete] = await reader.take(3);
        expect(error?.json.errors[0].extensions.code).toBe(code);
        expect(complete).toMatchObject({ event: 'complete' });
        expect(await reader.next()).toBeUndefined();
      }),
    );
  });

  it('is refused to strangers, and without the scope read', async () => {
    const { db, owner, organization, stranger } = await newWorld();
    const outside = await follow(stranger, { id: organization.id });
    expect((await outside.next())?.json.errors[0].extensions.code).toBe('NOT_FOUND');
    const { secret } = await issueApiKey(db.prisma, { userId: owner.id, name: 'w', scopes: ['write'] });
    const withoutScope = await follow(await owner.with(secret), { id: organization.id });
    expect(withoutScope.status).toBe(403);
  });

  it('is allowed for a read-only key', async () => {
    const { db, owner, organization } = await newWorld();
    const { secret } = await issueApiKey(db.prisma, { userId: owner.id, name: 'r', scopes: ['read'] });
    const reader = await follow(await owner.with(secret), { id: organization.id, after: 0 });
    expect((await reader.next())?.id).toBe('1');
  });

  it('is limited to a number of concurrent streams for each credential', async () => {
    const { owner, organization } = await newWorld();
    const [first] = [
      await follow(owner, { id: organization.id }),
      await follow(owner, { id: organization.id }),
    ];
    const third = await follow(owner, { id: organization.id });
    expect((await third.next())?.json.errors[0].extensions.code).toBe('RATE_LIMITED');
    first.cut();
    const again = async () => (await follow(owner, { id: organization.id, after: 0 })).next();
    await expect.poll(async () => (await again())?.id).toBe('1');
  });

  it('costs points like a query', async () => {
    const { owner, organization } = await newWorld();
    const expensive = `subscription { eventAppended(organizationId: "${organization.id}") { createdBy { id }
      subject { ... on Project { documents(first: 100) { nodes { comments(first: 100) { nodes { id } } } } } } } }`;
    const reader = await subscribe(url, owner.key, expensive);
    expect((await reader.next())?.json.errors[0].extensions.code).toBe('COST_LIMIT_EXCEEDED');
  });

  it.each([
    'application/json',
    'multipart/mixed;subscriptionSpec=1.0',
  ])('is refused as %s with what to accept', async (accept) => {
    const { owner, organization } = await newWorld();
    const response = await app.request('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json', accept },
      body: JSON.stringify({ query: FOLLOW, variables: { id: organization.id } }),
    });
    expect(response.status).toBe(406);
    expect((await response.json()).errors[0]).toMatchObject({
      message: expect.stringContaining('text/event-stream'),
      extensions: { code: 'BAD_USER_INPUT' },
    });
  });
});

afterAll(async () => {
  const { owner, organization } = await newWorld();
  const reader = await subscribe(url, owner.key, FOLLOW, { id: organization.id, after: 2 });
  await reader.take(1);
  stopping.abort();
  // Neither an error nor `complete`, which clients would take for the end.
  expect(await reader.take(2)).toEqual([]);
  await close();
});
