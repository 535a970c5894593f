import { beforeAll, describe, expect, it } from 'vitest';
import { createComments } from '../../../../src/domain/comments/comment.ts';
import { notifyNext } from '../../../../src/domain/notifications/notify.ts';
import { counted } from '../../../support/database.ts';
import { dropJobs } from '../../../support/jobs.ts';
import { newDocuments } from '../../../support/storage.ts';
import { joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

beforeAll(dropJobs);

const LIST = `query ($first: Int!, $filter: NotificationFilter) { viewer { unreadNotificationCount
  notifications(first: $first, filter: $filter) { totalCount
    nodes { id kind readAt happenedAt subject { id } event { kind createdBy { name } } } } } }`;

const MARK = `mutation ($input: MarkNotificationsReadInput!) {
  markNotificationsRead(input: $input) { viewer { unreadNotificationCount } } }`;

/** A member who is mentioned in this many comments on a document. */
async function setUp(mentions: number) {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const ctx = await owner.context();
  const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }]);
  const member = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, member, 'EDITOR');
  const texts = Array.from({ length: mentions }, (_, index) => `@${member.email} ${index}`);
  await createComments(ctx, { documentId: document?.id as string, texts });
  while (await notifyNext(db));
  const list = async (who: Person, filter?: object, first = 50) =>
    (await who.graph(LIST, { first, filter })).data.viewer;
  return { ...world, documentId: document?.id, member, list };
}

describe('viewer.notifications', () => {
  it('lists unread ones first, and each filter narrows the list', async () => {
    const { owner, member, project, documentId, list } = await setUp(3);
    const { nodes } = (await list(member)).notifications;
    expect(nodes[0]).toMatchObject({
      kind: 'MENTIONED',
      readAt: null,
      subject: { id: documentId },
      event: { kind: 'document.commented' },
    });
    const marked = await member.graph(MARK, { input: { ids: [nodes[0].id] } });
    expect(marked.data.markNotificationsRead.viewer.unreadNotificationCount).toBe(2);
    const after = await list(member);
    expect(after.notifications.nodes.map(({ id }: { id: string }) => id)).toEqual([
      nodes[1].id,
      nodes[2].id,
      nodes[0].id,
    ]);
    const total = async (filter: object) => (await list(member, filter)).notifications.totalCount;
    expect(await total({ isUnread: true, projectId: project.id })).toBe(2);
    expect(await total({ isUnread: false, kinds: ['MENTIONED'] })).toBe(1);
    expect(await total({ kinds: ['FOLLOWED'] })).toBe(0);
    expect((await list(owner)).notifications.totalCount).toBe(0);
  });

  it('are marked by their owner only, all or none, or until a time', async () => {
    const { owner, member, list } = await setUp(2);
    const { nodes } = (await list(member)).notifications;
    const ids = nodes.map(({ id }: { id: string }) => id);
    const refused = async (who: Person, input: object) =>
      (await who.graph(MARK, { input })).errors?.[0]?.extensions.code;
    expect(await refused(owner, { ids })).toBe('NOT_FOUND');
    expect(await refused(member, { ids: [ids[0], 'none'] })).toBe('NOT_FOUND');
    expect(await refused(member, {})).toBe('BAD_USER_INPUT');
    expect(await refused(member, { ids, until: new Date().toISOString() })).toBe('BAD_USER_INPUT');
    await owner.graph(MARK, { input: { until: '2100-01-01T00:00:00Z' } });
    expect((await list(member)).unreadNotificationCount).toBe(2);
    await member.graph(MARK, { input: { until: nodes[0].happenedAt } });
    expect((await list(member)).unreadNotificationCount).toBe(0);
  });

  it('hides those of what their owner does not see any more', async () => {
    const { db, project, member, list } = await setUp(1);
    await db.prisma.projectMember.deleteMany({ where: { projectId: project.id, userId: member.id } });
    await db.prisma.membership.deleteMany({ where: { userId: member.id } });
    expect(await list(member)).toMatchObject({
      unreadNotificationCount: 0,
      notifications: { totalCount: 0, nodes: [] },
    });
  });

  it('costs as many statements for many as for one', async () => {
    const { member, list } = await setUp(20);
    await list(member);
    const statements = async (first: number) =>
      (await counted(() => member.graph(LIST, { first }))).statements.length;
    expect(await statements(20)).toBe(await statements(1));
  });
});
