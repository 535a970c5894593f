import { beforeAll, describe, expect, it } from 'vitest';
import { createComments } from '../../../src/domain/comments/comment.ts';
import { notifyNext } from '../../../src/domain/notifications/notify.ts';
import { newApprovalWorld } from '../../support/approvals.ts';
import { newApp } from '../../support/browser.ts';
import { counted } from '../../support/database.ts';
import { dropJobs } from '../../support/jobs.ts';
import { newDocuments } from '../../support/storage.ts';
import type { Person } from '../../support/world.ts';
import { HOSTILE, type Visitor, visitorsOf, withoutRequestId } from './scene.ts';

const INBOX = '/console/inbox';

type World = Awaited<ReturnType<typeof newApprovalWorld>>;

let world: World;
let as: ReturnType<typeof visitorsOf>;

beforeAll(async () => {
  await dropJobs();
  world = await newApprovalWorld();
  as = visitorsOf(world.db, await newApp(world.db));
});

/** Mentions a person in a comment on a new document; its path in the console. */
async function mention(person: Person, text = 'please look'): Promise<string> {
  const { db, owner, organization, project } = world;
  const ctx = await owner.context();
  const [document] = await newDocuments(ctx, project.id, [{ name: `${HOSTILE}.txt` }]);
  const documentId = document?.id as string;
  await createComments(ctx, { documentId, texts: [`@${person.email} ${text}`] });
  while (await notifyNext(db));
  return `/console/${organization.id}/projects/${project.id}/documents/${documentId}`;
}

const newestOf = async ({ id: userId }: Person) =>
  world.db.prisma.notification.findFirstOrThrow({ where: { userId }, orderBy: { eventId: 'desc' } });

const unreadOf = ({ id: userId }: Person) =>
  world.db.prisma.notification.count({ where: { userId, readAt: null } });

/** The ids of the notifications on a page, in their order. */
const listed = async (visitor: Visitor, query = ''): Promise<string[]> =>
  [...(await visitor.open(INBOX + query)).text.matchAll(/href="\/console\/inbox\/(\w+)"/g)].map(
    ([, id = '']) => id,
  );

describe('the inbox of a person in the console', () => {
  it('has their notifications, who caused them and the comment, as text', async () => {
    const { ann, bob } = world;
    await mention(ann, HOSTILE);
    const visitor = await as(ann);
    const { text } = await visitor.open(INBOX);
    for (const each of ['You were mentioned: ', 'has mentioned you in a comment.', '&lt;script&gt;alert(1)'])
      expect(text).toContain(each);
    expect(text).not.toContain('<script>alert');
    expect(await listed(visitor)).toContain((await newestOf(ann)).id);
    expect(await listed(await as(bob))).toEqual([]);
    expect((await visitor.open('/console')).text).toMatch(
      /href="\/console\/inbox"\s*>\s*1 unread notification</,
    );
  });

  it('leads to what a notification is about, which is read then', async () => {
    const { bob } = world;
    const path = await mention(bob);
    const visitor = await as(bob);
    const { id } = await newestOf(bob);
    const { status, headers } = await visitor.open(`${INBOX}/${id}`);
    expect([status, headers.get('location')]).toEqual([303, path]);
    expect((await newestOf(bob)).readAt).not.toBeNull();
    expect((await visitor.open(`${INBOX}/${id}`)).headers.get('location')).toBe(path);
    expect([await listed(visitor, '?show=unread'), await listed(visitor, '?show=read')]).toEqual([[], [id]]);
  });

  it('leads to the approval that waits', async () => {
    const { cyd, db, organization, requestApproval } = world;
    const { id } = await requestApproval(cyd);
    while (await notifyNext(db));
    const { headers } = await (await as(cyd)).open(`${INBOX}/${(await newestOf(cyd)).id}`);
    expect(headers.get('location')).toBe(`/console/${organization.id}/approvals/${id}`);
  });

  it('opens and marks nothing of others', async () => {
    const { ann, bob, stranger } = world;
    await mention(ann);
    const { id } = await newestOf(ann);
    for (const other of [bob, stranger]) {
      const visitor = await as(other);
      const unknown = await visitor.open(`${INBOX}/ntf_00000000000000000000000000`);
      expect(withoutRequestId(await visitor.open(`${INBOX}/${id}`))).toEqual(withoutRequestId(unknown));
      expect(unknown.status).toBe(404);
      expect((await visitor.submit(INBOX, { notification: id })).status).toBe(422);
    }
    expect((await newestOf(ann)).readAt).toBeNull();
    const document = id.replace(/^ntf/, 'doc');
    expect((await (await as(ann)).open(`${INBOX}/${document}`)).status).toBe(404);
  });

  it('marks one as read, or all up to the newest that it shows', async () => {
    const { ann } = world;
    await mention(ann);
    await mention(ann);
    const visitor = await as(ann);
    const before = await unreadOf(ann);
    const answer = await visitor.submit(INBOX, { notification: (await newestOf(ann)).id, show: 'unread' });
    expect(answer.headers.get('location')).toBe(`${INBOX}?show=unread`);
    expect(await unreadOf(ann)).toBe(before - 1);
    const until = /name="until" value="([^"]+)"/.exec((await visitor.open(INBOX)).text)?.[1] ?? '';
    await mention(ann);
    await visitor.submit(INBOX, { until });
    expect(await unreadOf(ann)).toBe(1);
    expect((await listed(visitor))[0]).toBe((await newestOf(ann)).id);
    expect((await visitor.submit(INBOX, { until: 'soon' })).status).toBe(422);
  });

  it('says nothing of what its reader does not see any more', async () => {
    const { db, project, bob } = world;
    await mention(bob);
    const { id } = await newestOf(bob);
    const visitor = await as(bob);
    const setAccess = (access: 'OPEN' | 'RESTRICTED') =>
      db.prisma.project.update({ where: { id: project.id }, data: { access } });
    await setAccess('RESTRICTED');
    const { text } = await visitor.open(INBOX);
    expect([text.includes(id), text.includes('There is nothing yet.')]).toEqual([false, true]);
    expect((await visitor.open(`${INBOX}/${id}`)).status).toBe(404);
    await setAccess('OPEN');
    expect(await listed(visitor)).toContain(id);
  });

  it('takes as many statements for many as for one of each kind', async () => {
    const { cyd, requestApproval, db } = world;
    const add = async (count: number) => {
      for (let more = 0; more < count; more++) await mention(cyd);
      await requestApproval(cyd);
      while (await notifyNext(db));
    };
    const visitor = await as(cyd);
    const count = async () => (await counted(() => visitor.open(INBOX))).statements.length;
    await add(1);
    await count();
    const few = await count();
    await add(5);
    expect(await count()).toBe(few);
  });
});
