import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createComments } from '../../../../src/domain/comments/comment.ts';
import { notifyNext } from '../../../../src/domain/notifications/notify.ts';
import { listen } from '../../../../src/http/listen.ts';
import { createApp } from '../../../../src/http/server.ts';
import { testDatabase } from '../../../support/database.ts';
import { dropJobs } from '../../../support/jobs.ts';
import { type Frame, type Reader, subscribe } from '../../../support/sse.ts';
import { newDocuments, testStorage } from '../../../support/storage.ts';
import { config, joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

const ADDED = `subscription ($org: ID!) { notificationAdded(organizationId: $org) {
  id kind readAt viewer { unreadNotificationCount } } }`;
const READ =
  'mutation ($input: MarkNotificationsReadInput!) { markNotificationsRead(input: $input) { viewer { unreadNotificationCount } } }';
const INBOX = `{ viewer { unreadNotificationCount notifications(first: 20, filter: { isUnread: true }) { nodes { id kind } } } }`;

let url: string;
let close: () => Promise<void>;
const open: Reader[] = [];

beforeAll(async () => {
  const db = await testDatabase();
  const parts = { config, db, storage: await testStorage(db), log: pino({ level: 'silent' }) };
  const server = await listen(createApp(parts), { port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${server.port}`;
  close = server.close;
});
beforeEach(() => dropJobs());
afterEach(() => {
  for (const reader of open.splice(0)) reader.cut();
});
afterAll(() => close());

async function setUp() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const member = await newMember(db, organization.id, 'MEMBER');
  const colleague = await newMember(db, organization.id, 'MEMBER');
  for (const person of [member, colleague]) await joinProject(db, project, person, 'EDITOR');
  const ctx = await owner.context();
  const [document] = await newDocuments(ctx, project.id, [{ name: 'plan.txt' }]);
  const mention = async (person: Person) => {
    await createComments(ctx, { documentId: document?.id as string, texts: [`@${person.email}`] });
    while (await notifyNext(db));
  };
  const follow = async (person: Person) => {
    const reader = await subscribe(url, person.key, ADDED, { org: organization.id });
    open.push(reader);
    return reader;
  };
  return { ...world, member, colleague, mention, follow };
}

const next = async (reader: Reader) => ((await reader.take(1))[0] as Frame).json;

it('a new notification comes with the number of unread ones, to its reader alone', async () => {
  const { member, colleague, mention, follow } = await setUp();
  await mention(member);
  const reader = await follow(member);
  const first = (await next(reader)).data.notificationAdded;
  expect(first).toMatchObject({ kind: 'MENTIONED', viewer: { unreadNotificationCount: 1 } });
  const other = await follow(colleague);
  await mention(member);
  const second = (await next(reader)).data.notificationAdded;
  expect(second.viewer.unreadNotificationCount).toBe(2);
  expect(second.id).not.toBe(first.id);
  await mention(colleague);
  const theirs = (await next(other)).data.notificationAdded;
  expect(theirs.viewer.unreadNotificationCount).toBe(1);
  const { data } = await member.graph(INBOX);
  expect(data.viewer.unreadNotificationCount).toBe(2);
  expect(data.viewer.notifications.nodes.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
});

it('the count falls when notifications are read elsewhere, which only their reader can do', async () => {
  const { member, colleague, mention, follow } = await setUp();
  await mention(member);
  const reader = await follow(member);
  const { id } = (await next(reader)).data.notificationAdded;
  const { errors } = await colleague.graph(READ, { input: { ids: [id] } });
  expect(errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  await colleague.graph(READ, { input: { until: new Date(Date.now() + 60_000).toISOString() } });
  expect((await member.graph(INBOX)).data.viewer.unreadNotificationCount).toBe(1);
  await member.graph(READ, { input: { ids: [id] } });
  const again = (await next(reader)).data.notificationAdded;
  expect(again).toMatchObject({ id, readAt: expect.any(String), viewer: { unreadNotificationCount: 0 } });
});

it('ends for who leaves the organization, and is not found by strangers', async () => {
  const { db, member, stranger, mention, follow } = await setUp();
  await mention(member);
  const reader = await follow(member);
  await next(reader);
  await db.prisma.membership.deleteMany({ where: { userId: member.id } });
  expect((await next(reader)).errors[0].extensions.code).toBe('NOT_FOUND');
  const refused = await follow(stranger);
  expect((await next(refused)).errors[0].extensions.code).toBe('NOT_FOUND');
});
