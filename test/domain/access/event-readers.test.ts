import { beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql/sql.ts';
import { createComments } from '../../../src/domain/comments/comment.ts';
import { eventsOfOrganization } from '../../../src/domain/events/event-feed.ts';
import { readEventsAfter } from '../../../src/domain/events/event-follow.ts';
import { updateFolder } from '../../../src/domain/folders/folder-change.ts';
import { createFolders } from '../../../src/domain/folders/folder-create.ts';
import { followProjects } from '../../../src/domain/follows/follow-change.ts';
import { listPages } from '../../../src/domain/kernel/listing.ts';
import { findDigest } from '../../../src/domain/notifications/digest.ts';
import { findNotifications } from '../../../src/domain/notifications/notification.ts';
import { followNotifications } from '../../../src/domain/notifications/notification-follow.ts';
import { findUnreadNotification } from '../../../src/domain/notifications/notification-mail.ts';
import { notifyNext } from '../../../src/domain/notifications/notify.ts';
import { viewerOfRecipient } from '../../../src/domain/users/viewer-of-user.ts';
import { findEvent } from '../../../src/domain/webhooks/webhook-payload.ts';
import { sendNextMail } from '../../../src/jobs/mail.ts';
import { idAs } from '../../../src/lib/id.ts';
import { dropJobs, jobContext } from '../../support/jobs.ts';
import { newDocuments } from '../../support/storage.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';

beforeEach(() => dropJobs());

const SECRET = 'Pelican';

/** A member follows a restricted project, of which one folder is assigned to them, and somebody comments there. */
async function scene() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const ctx = await owner.context();
  const mel = await newMember(db, organization.id, 'MEMBER');
  await db.prisma.project.update({ where: { id: project.id }, data: { access: 'RESTRICTED' } });
  await joinProject(db, project, mel, 'EDITOR');
  await followProjects(await mel.context(), { projectIds: [project.id] });
  const [folder] = await createFolders(ctx, {
    projectId: project.id,
    folders: [{ name: 'Nest', assigneeEmails: [mel.email] }],
  });
  const folderId = folder?.id as string;
  const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt', folderId }]);
  while (await notifyNext(db));
  await db.prisma.notification.deleteMany({ where: { userId: mel.id } });
  await db.prisma.notificationPreference.create({
    data: { userId: mel.id, kind: 'FOLLOWED', delivery: 'MAIL' },
  });
  const documentId = document?.id as string;
  const [comment] = await createComments(ctx, { documentId, texts: [SECRET] });
  while (await notifyNext(db));
  const notification = await db.prisma.notification.findFirstOrThrow({ where: { userId: mel.id } });
  const takeAway = () => updateFolder(ctx, { folderId, assigneeEmails: [] });
  const event = { id: idAs('Event', comment?.id as string), sequence: comment?.sequence as bigint };
  return { ...world, mel, documentId, comment: comment?.id as string, event, notification, takeAway };
}

type Scene = Awaited<ReturnType<typeof scene>>;

const node = async ({ mel }: Scene, id: string) =>
  (await mel.graph('query ($id: ID!) { node(id: $id) { id } }', { id })).data.node ? 1 : 0;

/** Each reader of events, and how many of the one comment it shows the member. */
const READERS: Record<string, (scene: Scene) => Promise<number>> = {
  'the feed': async ({ mel, organization: { id }, event }) => {
    const ctx = await mel.context();
    const page = { first: 100, filter: {}, orderBy: { field: 'SEQUENCE', direction: 'DESC' } } as const;
    const [feed] = await listPages(ctx, eventsOfOrganization(ctx, id), [{ organizationId: id, id }], page);
    return feed?.rows.filter((row) => row.id === event.id).length ?? 0;
  },
  'node of the event': (each) => node(each, each.event.id),
  'node of the comment': (each) => node(each, each.comment),
  'node of the notification': (each) => node(each, each.notification.id),
  'the inbox': async ({ mel }) => {
    const { data } = await mel.graph('{ viewer { unreadNotificationCount notifications { totalCount } } }');
    expect(data.viewer.notifications.totalCount).toBe(data.viewer.unreadNotificationCount);
    return data.viewer.notifications.totalCount;
  },
  'notifications by id': async ({ mel, notification }) =>
    (await findNotifications(await mel.context(), [notification.id])).length,
  'the subscription to notifications': async ({ mel, organization }) => {
    const ending = new AbortController();
    let renewed = 0;
    // It looks for notifications after each renewal of rights, so the second one tells that the first look found none.
    const renew = () => {
      if (++renewed > 1) ending.abort();
      return mel.context();
    };
    const followed = followNotifications(
      { renew, signal: ending.signal },
      { organizationId: organization.id },
    );
    const { done } = await followed.next();
    ending.abort();
    return done ? 0 : 1;
  },
  'the subscription to events': async ({ mel, organization, event }) => {
    const ctx = await mel.context();
    const { events } = await readEventsAfter(ctx, organization.id, {}, 0n);
    return events.filter(({ id }) => id === event.id).length;
  },
  'a delivery of a webhook': async ({ mel, organization, event }) =>
    (await findEvent(await mel.context(), organization.id, event.sequence)) ? 1 : 0,
  'a mail': async ({ db, mel, notification }) => {
    const unread = await findUnreadNotification(
      db,
      await viewerOfRecipient(db, mel.id, 'test'),
      notification.id,
    );
    return unread?.text === SECRET ? 1 : 0;
  },
  'a daily mail': async ({ db, mel, notification: { id } }) => {
    const at = '2030-01-01T08:00:00.000Z';
    await db.query(sql`UPDATE notifications SET digest_at = ${at}::timestamptz WHERE id = ${id}`);
    return (await findDigest(db, await viewerOfRecipient(db, mel.id, 'test'), at)).total;
  },
  search: async ({ mel, organization: { id } }) => {
    const answer = await mel.graph(
      `query ($id: ID!) { organization(id: $id) { search(query: "${SECRET}") { nodes { highlights { text } } } } }`,
      { id },
    );
    return answer.data.organization.search.nodes.length;
  },
  'the comments of the document over REST': async ({ mel, organization, project, documentId }) => {
    const path = `/organizations/${organization.id}/projects/${project.id}/documents/${documentId}/comments`;
    const { status } = await mel.rest('GET', path);
    return status === 200 ? 1 : 0;
  },
};

describe('a comment in a folder', () => {
  it.each(
    Object.keys(READERS),
  )('is hidden by %s once the folder is taken away from who saw it', async (reader) => {
    const each = await scene();
    const count = () => READERS[reader]?.(each);
    expect(await count()).toBe(1);
    await each.takeAway();
    expect(await count()).toBe(0);
  });

  it('is not mailed if the folder is taken away before the mail is handed over', async () => {
    const { db, mel, takeAway } = await scene();
    await takeAway();
    await db.prisma.mail.updateMany({ where: { toUserId: mel.id }, data: { nextAt: new Date(0) } });
    while (await sendNextMail(await jobContext(db)));
    expect(await db.prisma.mail.findMany({ where: { toUserId: mel.id } })).toMatchObject([
      { state: 'CANCELLED' },
    ]);
  });
});
