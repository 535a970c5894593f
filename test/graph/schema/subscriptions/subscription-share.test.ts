import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../../src/auth/api-key.ts';
import type { Database } from '../../../../src/db/database.ts';
import { createTasks } from '../../../../src/domain/tasks/task-create.ts';
import { listen } from '../../../../src/http/listen.ts';
import { createApp } from '../../../../src/http/server.ts';
import { counted, testDatabase } from '../../../support/database.ts';
import { type Reader, subscribe } from '../../../support/sse.ts';
import { testStorage } from '../../../support/storage.ts';
import { config, newMember, newWorld, type Person } from '../../../support/world.ts';

const FOLLOW = `subscription ($id: ID!) {
  eventAppended(organizationId: $id) { sequence subject { ... on Task { name description createdBy { name } } } } }`;

let db: Database;
let url: string;
let close: () => Promise<void>;
const open: Reader[] = [];

async function serve(changed: Partial<typeof config.limits>): Promise<void> {
  const limits = { ...config.limits, ...changed };
  const log = pino({ level: 'silent' });
  const app = createApp({ config: { ...config, limits }, db, storage: await testStorage(db), log });
  const server = await listen(app, { port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${server.port}`;
  close = server.close;
}

beforeAll(async () => {
  db = await testDatabase();
  await serve({ subscriptions: 4, subscriptionsUser: 6, subscriptionsOrganization: 8 });
});

afterEach(() => {
  for (const reader of open.splice(0)) reader.cut();
});
afterAll(() => close());

async function follow(person: Person, id: string, count: number): Promise<Reader[]> {
  const readers: Reader[] = [];
  while (readers.length < count) readers.push(await subscribe(url, person.key, FOLLOW, { id }));
  open.push(...readers);
  return readers;
}

const otherKey = async (person: Person): Promise<Person> => {
  const { secret } = await issueApiKey(db.prisma, {
    userId: person.id,
    name: 'other',
    scopes: ['read', 'write'],
  });
  return person.with(secret);
};

const refusalOf = async ([reader]: Reader[]) => (await reader?.next())?.json.errors[0];

const createTask = async (person: Person, projectId: string, name: string) =>
  createTasks(await person.context(), { projectId, tasks: [{ name }] });

describe('concurrent subscriptions', () => {
  it('are limited for each user, across all keys', async () => {
    const { owner, organization, stranger } = await newWorld();
    const other = await otherKey(owner);
    await follow(owner, organization.id, 4);
    await follow(other, organization.id, 2);
    expect(await refusalOf(await follow(other, organization.id, 1))).toMatchObject({
      message: 'A user has at most 6 subscriptions at a time.',
      extensions: { code: 'RATE_LIMITED' },
    });
    const [elsewhere] = stranger ? await follow(stranger, organization.id, 1) : [];
    expect((await elsewhere?.next())?.json.errors[0].extensions.code).toBe('NOT_FOUND');
  });

  it('are limited for each organization, across all people', async () => {
    const { owner, organization } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    await follow(owner, organization.id, 4);
    await follow(member, organization.id, 4);
    const third = await newMember(db, organization.id, 'MEMBER');
    expect(await refusalOf(await follow(third, organization.id, 1))).toMatchObject({
      message: 'An organization has at most 8 subscriptions at a time.',
      extensions: { code: 'RATE_LIMITED' },
    });
  });
});

/** The statements of one change with this number of streams, each of which receives its event. */
async function costOf(streams: number, keys: number) {
  const { owner, organization, project } = await newWorld();
  const people = [owner];
  while (people.length < keys) people.push(await otherKey(owner));
  const readers = (
    await Promise.all(people.map((each) => follow(each, organization.id, streams / keys)))
  ).flat();
  const happen = async (name: string) => {
    await createTask(owner, project.id, name);
    return Promise.all(readers.map(async (reader) => (await reader.next())?.json.data.eventAppended));
  };
  // Once all have received an event, no statement of their beginning is left.
  await happen('Cast off');
  return counted(() => happen('Moor the boat'));
}

describe('subscriptions to the same events with the same rights', () => {
  it('share one read, and each receives every event', async () => {
    const one = await costOf(1, 1);
    const six = await costOf(6, 2);
    expect(six.result.map(({ subject }) => subject.name)).toEqual(Array(6).fill('Moor the boat'));
    const reads = (statements: string[]) =>
      statements.filter((text) => /FROM (event_heads|tasks|organizations)/.test(text)).length;
    // Not six times as many; either may include a poll without events.
    expect(reads(six.statements)).toBeLessThan(2 * reads(one.statements));
  });

  it('read separately if their rights differ', async () => {
    const { owner, organization, project } = await newWorld();
    const guest = await newMember(db, organization.id, 'GUEST');
    const [own] = await follow(owner, organization.id, 1);
    const [foreign] = await follow(guest, organization.id, 1);
    await createTask(owner, project.id, 'Not for guests');
    expect((await own?.next())?.json.data.eventAppended.subject.name).toBe('Not for guests');
    const silence = new Promise((resolve) => setTimeout(() => resolve('nothing'), 1_000));
    expect(await Promise.race([foreign?.next(), silence])).toBe('nothing');
  });
});

describe('more subscriptions of a credential than go on at a time', () => {
  beforeAll(async () => {
    await close();
    await serve({ subscriptions: 24, subscriptionsUser: 24, subscriptionsOrganization: 24 });
  });

  it('read its rights once', async () => {
    const rights = ({ statements }: { statements: string[] }) =>
      statements.filter((text) => /FROM api_keys/.test(text)).length;
    const many = await costOf(24, 1);
    expect(many.result).toHaveLength(24);
    // Once for each change that is notified meanwhile, not for each stream.
    expect(rights(many)).toBeLessThanOrEqual(4);
  });
});
