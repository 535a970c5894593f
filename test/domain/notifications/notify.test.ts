import { beforeAll, describe, expect, it } from 'vitest';
import { createComments, createTaskComments } from '../../../src/domain/comments/comment.ts';
import { followDocuments, followProjects, followTasks } from '../../../src/domain/follows/follow-change.ts';
import { createGroups } from '../../../src/domain/membership/group-change.ts';
import { addGroupMembers } from '../../../src/domain/membership/group-member-change.ts';
import { notifyNext } from '../../../src/domain/notifications/notify.ts';
import { assignTask, updateTask } from '../../../src/domain/tasks/task-change.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { dropJobs } from '../../support/jobs.ts';
import { newDocuments } from '../../support/storage.ts';
import { joinProject, newMember, newWorld, type Person } from '../../support/world.ts';

beforeAll(dropJobs);

async function setUp() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const ctx = await owner.context();
  const [document] = await newDocuments(ctx, project.id, [{ name: 'a.txt' }]);
  const member = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, member, 'EDITOR');
  const makeAll = async () => {
    while (await notifyNext(db));
  };
  await makeAll();
  const of = async ({ id }: Person) =>
    (await db.prisma.notification.findMany({ where: { userId: id }, orderBy: { eventId: 'asc' } })).map(
      ({ kind, subjectId }) => [kind, subjectId],
    );
  return { ...world, ctx, documentId: document?.id as string, member, makeAll, of };
}

describe('notifications', () => {
  it('go to the person to whom a task is assigned, not to the one who assigned it', async () => {
    const { owner, ctx, project, member, makeAll, of } = await setUp();
    const [own, theirs] = await createTasks(ctx, {
      projectId: project.id,
      tasks: [
        { name: 'Own', assigneeEmail: owner.email },
        { name: 'Theirs', assigneeEmail: member.email },
      ],
    });
    await assignTask(ctx, { taskId: own?.id as string, assigneeEmail: member.email });
    await makeAll();
    expect(await of(member)).toEqual([
      ['TASK_ASSIGNED', theirs?.id],
      ['TASK_ASSIGNED', own?.id],
    ]);
    expect(await of(owner)).toEqual([]);
  });

  it('tell whom a comment mentions, if they see the document', async () => {
    const { db, ctx, organization, stranger, member, documentId, makeAll, of } = await setUp();
    const guest = await newMember(db, organization.id, 'GUEST');
    const text = `@${member.email}, @${guest.email}, @${stranger.email}: please look`;
    await createComments(ctx, { documentId, texts: [text] });
    await makeAll();
    expect(await of(member)).toEqual([['MENTIONED', documentId]]);
    expect([await of(guest), await of(stranger)]).toEqual([[], []]);
  });

  it('go to the members of a group that a comment mentions, if they see the document, as it is when they are made', async () => {
    const { db, ctx, organization, member, documentId, makeAll, of } = await setUp();
    const [guest, late] = [
      await newMember(db, organization.id, 'GUEST'),
      await newMember(db, organization.id, 'MEMBER'),
    ];
    const inOrganization = { organizationId: organization.id };
    const [group] = await createGroups(ctx, { ...inOrganization, groups: [{ name: 'Legal Team' }] });
    const idOf = async ({ id: userId }: Person) =>
      (await db.prisma.membership.findFirstOrThrow({ where: { ...inOrganization, userId } })).id;
    const enter = async (...people: Person[]) =>
      addGroupMembers(ctx, { groupId: group?.id as string, memberIds: await Promise.all(people.map(idOf)) });
    await enter(member, guest);
    await createComments(ctx, { documentId, texts: ['@legal team: please look'] });
    await enter(late);
    await makeAll();
    expect([await of(member), await of(late), await of(guest)]).toEqual([
      [['MENTIONED', documentId]],
      [['MENTIONED', documentId]],
      [],
    ]);
  });

  it('go to followers once for many changes until they are read, and about the closest object they follow', async () => {
    const { db, ctx, project, member, documentId, makeAll, of } = await setUp();
    await followDocuments(await member.context(), { documentIds: [documentId] });
    await followProjects(await member.context(), { projectIds: [project.id] });
    await createComments(ctx, { documentId, texts: ['one', 'two'] });
    await makeAll();
    await createComments(ctx, { documentId, texts: ['three'] });
    await makeAll();
    expect(await of(member)).toEqual([['FOLLOWED', documentId]]);
    await db.prisma.notification.updateMany({ where: { userId: member.id }, data: { readAt: new Date() } });
    await newDocuments(ctx, project.id, [{ name: 'b.txt' }]);
    await makeAll();
    expect(await of(member)).toEqual([
      ['FOLLOWED', documentId],
      ['FOLLOWED', project.id],
    ]);
  });

  it('go to the stakeholders of a task once, also if they follow it, while they see it', async () => {
    const { db, ctx, project, member, makeAll, of } = await setUp();
    const [task] = await createTasks(ctx, {
      projectId: project.id,
      tasks: [{ name: 'Check', stakeholderIds: [member.id] }],
    });
    const taskId = task?.id as string;
    await followTasks(await member.context(), { taskIds: [taskId] });
    await makeAll();
    expect(await of(member)).toEqual([['FOLLOWED', taskId]]);
    await db.prisma.notification.deleteMany({ where: { userId: member.id } });
    await db.prisma.project.update({ where: { id: project.id }, data: { access: 'RESTRICTED' } });
    await createTaskComments(ctx, { taskId, texts: ['hidden from them'] });
    await makeAll();
    expect(await of(member)).toEqual([]);
  });

  it('go to the stakeholders of a task, but not of what they did themselves', async () => {
    const { ctx, project, member, makeAll, of } = await setUp();
    const [task] = await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'Check' }] });
    const taskId = task?.id as string;
    await makeAll();
    await updateTask(await member.context(), { taskId, stakeholderIds: [member.id] });
    await makeAll();
    expect(await of(member)).toEqual([]);
    await createTaskComments(ctx, { taskId, texts: ['look'] });
    await makeAll();
    expect(await of(member)).toEqual([['FOLLOWED', taskId]]);
  });

  it('are made once by processes that run at once', async () => {
    const { db, ctx, member, documentId, of } = await setUp();
    const texts = Array.from({ length: 50 }, (_, index) => `@${member.email} ${index}`);
    await createComments(ctx, { documentId, texts });
    await Promise.all(Array.from({ length: 4 }, () => notifyNext(db)));
    while (await notifyNext(db));
    expect(await of(member)).toHaveLength(50);
  });

  it('do not tell who has lost access before the job runs', async () => {
    const { db, ctx, member, organization, documentId, makeAll, of } = await setUp();
    await createComments(ctx, { documentId, texts: [`@${member.email}`] });
    await db.prisma.membership.deleteMany({ where: { organizationId: organization.id, userId: member.id } });
    await makeAll();
    expect(await of(member)).toEqual([]);
  });
});
