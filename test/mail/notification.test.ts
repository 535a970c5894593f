import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProcesses } from '../../src/domain/approvals/process-change.ts';
import { startProcess } from '../../src/domain/approvals/process-start.ts';
import { withdrawProcessRuns } from '../../src/domain/approvals/process-withdraw.ts';
import { createComments } from '../../src/domain/comments/comment.ts';
import type { Context } from '../../src/domain/kernel/context.ts';
import { notifyNext } from '../../src/domain/notifications/notify.ts';
import { assignTask } from '../../src/domain/tasks/task-change.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { completeTask } from '../../src/domain/tasks/task-state.ts';
import { sendNextMail } from '../../src/jobs/mail.ts';
import { Browser, newApp } from '../support/browser.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { mailService, startMailServer } from '../support/mail/server.ts';
import { newDocuments } from '../support/storage.ts';
import { joinProject, newMember, newWorld } from '../support/world.ts';

const UPDATE = `mutation ($input: UpdateNotificationPreferencesInput!) {
  updateNotificationPreferences(input: $input) { preferences { kind delivery } } }`;

let server: Awaited<ReturnType<typeof startMailServer>>;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());
beforeEach(() => dropJobs());

async function setUp() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const member = await newMember(db, organization.id, 'MEMBER');
  const membership = await joinProject(db, project, member, 'EDITOR');
  const ctx = await owner.context();
  const [document] = await newDocuments(ctx, project.id, [{ name: 'plan.txt' }]);
  const mention = (text = 'please look') =>
    createComments(ctx, { documentId: document?.id as string, texts: [`@${member.email} ${text}`] });
  const make = async () => {
    while (await notifyNext(db));
  };
  /** Sends what is due, as if the two minutes had passed. */
  const send = async () => {
    await make();
    await db.prisma.mail.updateMany({
      where: { organizationId: organization.id, state: 'WAITING' },
      data: { nextAt: new Date(0) },
    });
    const mail = mailService(server.settings);
    while (await sendNextMail({ ...(await jobContext(db)), mail }));
    mail.smtp.close();
    return server.arrived.splice(0);
  };
  const choose = (kind: string, delivery: string) =>
    member.graph(UPDATE, { input: { preferences: [{ kind, delivery }] } });
  return { ...world, ctx, member, membership, mention, make, send, choose };
}

const stopPath = (text = ''): string =>
  /\/notifications\/stop\/\S+/.exec(text)?.[0].replace(/[>)]$/, '') ?? '';

describe('a notification', () => {
  it('is mailed two minutes later, with the text marked as its author’s', async () => {
    const { db, owner, member, mention, make, send } = await setUp();
    await mention('<b>now</b> https://evil.test');
    await make();
    const queued = await db.prisma.mail.findFirstOrThrow({ where: { toUserId: member.id } });
    expect((queued.nextAt?.getTime() ?? 0) - queued.createdAt.getTime()).toBeGreaterThanOrEqual(119_000);
    const [arrived] = await send();
    expect(arrived).toMatchObject({ to: [member.email], mail: { replyTo: [{ address: owner.email }] } });
    expect(arrived?.mail.subject).toMatch(/^You were mentioned: /);
    expect(arrived?.mail.html).toContain('&lt;b&gt;now&lt;/b&gt;');
    expect(arrived?.mail.html).not.toContain('https://evil.test');
    const headers = arrived?.mail.headers.map(({ key, value }) => `${key}: ${value}`) ?? [];
    expect(headers).toContain('list-unsubscribe-post: List-Unsubscribe=One-Click');
  });

  it('leads to the page that opens what it is about, and says what was done with what is followed', async () => {
    const { db, ctx, project, member, mention, send } = await setUp();
    await mention();
    const [mentioned] = await send();
    const { id } = await db.prisma.notification.findFirstOrThrow({ where: { userId: member.id } });
    expect(mentioned?.mail.html).toContain(`/console/inbox/${id}"`);
    const follow = `mutation ($input: FollowProjectsInput!) { followProjects(input: $input) { projects { id } } }`;
    await member.graph(follow, { input: { projectIds: [project.id] } });
    await member.graph(UPDATE, { input: { preferences: [{ kind: 'FOLLOWED', delivery: 'MAIL' }] } });
    await createTasks(ctx, { projectId: project.id, tasks: [{ name: 'Paint' }] });
    expect((await send())[0]?.mail.text).toContain('has created a task.');
  });

  it('of an assigned task is mailed to the assignee', async () => {
    const { ctx, project, member, send } = await setUp();
    await createTasks(ctx, {
      projectId: project.id,
      tasks: [{ name: 'Paint', assigneeEmail: member.email }],
    });
    expect((await send()).map(({ to, mail }) => [to[0], mail.subject])).toEqual([
      [member.email, 'A task for you: \u2068Paint\u2069'],
    ]);
  });

  it('is not mailed once it was read, or if its subject is no longer visible', async () => {
    const { db, member, mention, make, send } = await setUp();
    await mention();
    await make();
    await db.prisma.notification.updateMany({ where: { userId: member.id }, data: { readAt: new Date() } });
    expect(await send()).toEqual([]);
    await mention();
    await make();
    await db.prisma.membership.deleteMany({ where: { userId: member.id } });
    expect(await send()).toEqual([]);
  });

  it.each([
    ['completed', (ctx: Context, taskId: string) => completeTask(ctx, { taskId })],
    ['given to nobody', (ctx: Context, taskId: string) => assignTask(ctx, { taskId, assigneeEmail: null })],
  ])('of a task is not mailed if it was %s meanwhile', async (_, change) => {
    const { ctx, project, member, make, send } = await setUp();
    const tasks = [{ name: 'Paint', assigneeEmail: member.email }];
    const [task] = await createTasks(ctx, { projectId: project.id, tasks });
    await make();
    await change(ctx, task?.id as string);
    expect(await send()).toEqual([]);
  });

  it('of an approval is not mailed if its run was withdrawn meanwhile', async () => {
    const { db, ctx, project, member, make, send } = await setUp();
    const [document] = await newDocuments(ctx, project.id, [{ name: 'plan.txt' }]);
    const [process] = await createProcesses(ctx, {
      projectId: project.id,
      processes: [{ name: 'Release', steps: [{ name: 'Check', approverIds: [member.id] }] }],
    });
    const start = () =>
      startProcess(ctx, { processId: process?.id as string, itemIds: [document?.id as string] });
    const [first] = await start();
    await make();
    await withdrawProcessRuns(ctx, { runIds: [first?.id as string] });
    expect(await send()).toEqual([]);
    await start();
    expect((await send()).map(({ to }) => to)).toEqual([[member.email]]);
    expect(await db.prisma.notification.count({ where: { userId: member.id } })).toBe(2);
  });

  it('is only in the inbox, or not created, as the user chose', async () => {
    const { db, member, mention, send, choose } = await setUp();
    const { data } = await choose('MENTIONED', 'INBOX');
    expect(data.updateNotificationPreferences.preferences).toContainEqual({
      kind: 'MENTIONED',
      delivery: 'INBOX',
    });
    await mention();
    expect(await send()).toEqual([]);
    expect(await db.prisma.notification.count({ where: { userId: member.id } })).toBe(1);
    await choose('MENTIONED', 'NOTHING');
    await mention();
    expect(await send()).toEqual([]);
    expect(await db.prisma.notification.count({ where: { userId: member.id } })).toBe(1);
  });
});

describe('the link that ends mails of a kind', () => {
  it('ends them by a POST without a cookie, and changes nothing when it is opened', async () => {
    const { db, mention, send } = await setUp();
    await mention();
    const [arrived] = await send();
    const path = stopPath(arrived?.mail.text);
    const browser = new Browser(await newApp(db));
    expect((await browser.open(path)).text).toContain('Stop these mails');
    await mention();
    expect(await send()).toHaveLength(1);
    const stopped = await browser.post(path, { 'List-Unsubscribe': 'One-Click' }, {});
    expect(stopped.status).toBe(200);
    await mention();
    expect(await send()).toEqual([]);
  });

  it('is of one kind and one person', async () => {
    const { db, owner, member, mention, send } = await setUp();
    await mention();
    const [arrived] = await send();
    const path = stopPath(arrived?.mail.text);
    const browser = new Browser(await newApp(db));
    const others = [
      path.replace('MENTIONED', 'TASK_ASSIGNED'),
      path.replace(member.id, owner.id),
      `${path}x`,
    ];
    for (const other of others) expect((await browser.post(other, {}, {})).status).toBe(404);
    expect(await db.prisma.notificationPreference.count({ where: { userId: member.id } })).toBe(0);
  });

  it('leaves a choice of no notifications', async () => {
    const { db, member, mention, send, choose } = await setUp();
    await mention();
    const path = stopPath((await send())[0]?.mail.text);
    await choose('MENTIONED', 'NOTHING');
    await new Browser(await newApp(db)).post(path, {}, {});
    const where = { userId: member.id };
    expect(await db.prisma.notificationPreference.findMany({ where })).toMatchObject([
      { delivery: 'NOTHING' },
    ]);
  });
});
