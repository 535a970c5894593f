import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { updateTask } from '../../src/domain/tasks/task-change.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { handlers } from '../../src/jobs/handlers.ts';
import { DAY, fromNow, HOUR } from '../../src/lib/time.ts';
import { newApprovalWorld } from '../support/approvals.ts';
import { secondPool, testDatabase } from '../support/database.ts';
import { dropJobs, jobContext } from '../support/jobs.ts';
import { passTime } from '../support/passed-time.ts';
import { newSigningWorld } from '../support/signatures.ts';
import { joinProject, newMember } from '../support/world.ts';

beforeEach(() => dropJobs());

/** Several processes, each with connections of its own where there is a server. */
async function processes(): Promise<Database[]> {
  const db = await testDatabase();
  if (!process.env.TEST_DATABASE_URL) return [db];
  const others = [await secondPool(), await secondPool()];
  onTestFinished(async () => {
    for (const each of others) await each.close();
  });
  return [db, ...others];
}

/** Does what is due, in every process, `each` times at once; returns how often there was something. */
async function runAll(databases: readonly Database[], each: number): Promise<void> {
  for (const work of ['remind', 'notify'] as const) {
    const jobs = await Promise.all(databases.map((db) => jobContext(db)));
    const drain = async (job: (typeof jobs)[number]) => {
      while (await handlers[work](job));
    };
    await Promise.all(jobs.flatMap((job) => Array.from({ length: each }, () => drain(job))));
  }
}

async function setUp() {
  const world = await newSigningWorld();
  const { db, organization, project, ctx } = world;
  const member = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, member, 'EDITOR');
  const task = async (name: string, dueAt: Date) => {
    const [created] = await createTasks(ctx, {
      projectId: project.id,
      tasks: [{ name, assigneeEmail: member.email, dueAt }],
    });
    return created?.id as string;
  };
  const events = (subjectId: string, kind: string) => db.prisma.event.count({ where: { subjectId, kind } });
  const notified = (kind: string, subjectId: string) =>
    db.prisma.notification.count({ where: { userId: member.id, kind, subjectId } });
  return { ...world, member, task, events, notified };
}

/** The days on which a task is reminded of, by the days on which its due day was set. */
function expectedDays(settings: readonly { on: number; due: number }[]): number[] {
  return settings.flatMap(({ on, due }, index) => {
    const until = settings[index + 1]?.on ?? Number.POSITIVE_INFINITY;
    return [7, 3, 1].map((before) => due - before).filter((day) => day > on && day <= until);
  });
}

it('forty days, with several processes at once: each reminder comes exactly once', {
  timeout: 240_000,
}, async () => {
  const { db, ctx, organization, task, active, signersOf, events, notified } = await setUp();
  const databases = await processes();
  const steady = await task('Steady', fromNow(38 * DAY - HOUR));
  // Its due day is moved five times.
  const moves = [
    { on: 0, due: 12 },
    { on: 6, due: 20 },
    { on: 14, due: 16 },
    { on: 15, due: 30 },
    { on: 24, due: 28 },
    { on: 26, due: 35 },
  ];
  const moved = await task('Moved', fromNow(12 * DAY - HOUR));
  const { documentId, sessionId } = await active([
    { name: 'Ann', rank: 1 },
    { name: 'Bob', rank: 1 },
  ]);
  for (let day = 1; day <= 40; day++) {
    await passTime(db, organization.id, DAY);
    await runAll(databases, 2);
    const move = moves.find(({ on }) => on === day);
    if (move) await updateTask(ctx, { taskId: moved, dueAt: fromNow((move.due - day) * DAY - HOUR) });
  }
  expect(await events(steady, 'task.reminded')).toBe(3);
  expect(await events(steady, 'task.overdue')).toBe(1);
  expect(await notified('TASK_DUE', steady)).toBe(3);
  expect(await notified('TASK_OVERDUE', steady)).toBe(1);
  const days = expectedDays(moves);
  expect(days).toHaveLength(8);
  expect(await events(moved, 'task.reminded')).toBe(days.length);
  expect(await events(moved, 'task.overdue')).toBe(1);
  const signers = await signersOf(sessionId);
  expect(signers.map(({ reminders, nextReminderAt }) => [reminders, nextReminderAt])).toEqual([
    [13, null],
    [13, null],
  ]);
  const reminders = { kind: 'SIGNATURE_REMINDER', subjectId: { in: signers.map(({ id }) => id) } };
  expect(await db.prisma.mail.count({ where: reminders })).toBe(26);
  expect(await db.prisma.mail.count({ where: { kind: 'SIGNATURE_EXPIRED', subjectId: sessionId } })).toBe(1);
  expect(await events(documentId, 'document.signersReminded')).toBe(26);
  expect(await events(documentId, 'document.signingStopped')).toBe(1);
});

it('an overdue approval, and a signer once it is their turn, with several processes at once: each exactly once', async () => {
  const world = await newApprovalWorld();
  const { db, organization, ann } = world;
  const databases = await processes();
  await world.join(ann, 'EDITOR');
  const itemId = await world.document();
  await world.start(await world.process({ dueAfterDays: 3, approvers: [ann] }), itemId);
  const signing = await setUp();
  const { documentId, sessionId } = await signing.active([
    { name: 'Ann', rank: 1 },
    { name: 'Bob', rank: 2 },
  ]);
  for (let day = 1; day <= 8; day++) {
    for (const { id } of [organization, signing.organization]) await passTime(db, id, DAY);
    await runAll(databases, 2);
  }
  const [approval] = await world.approvals(itemId);
  expect(await signing.events(approval?.id as string, 'approval.overdue')).toBe(1);
  const notified = await db.prisma.notification.findMany({
    where: { kind: 'APPROVAL_OVERDUE', subjectId: itemId },
  });
  expect(notified.map(({ userId }) => userId).sort()).toEqual([ann.id, world.owner.id].sort());
  expect((await signing.signersOf(sessionId)).map(({ reminders }) => reminders)).toEqual([2, 0]);
  expect(await signing.events(documentId, 'document.signersReminded')).toBe(2);
});

it('a daily mail is queued once for what several processes notify of at once', async () => {
  const { db, member, task } = await setUp();
  const databases = await processes();
  const preferences = [{ kind: 'TASK_ASSIGNED', delivery: 'DIGEST' }];
  const query =
    'mutation ($input: UpdateNotificationPreferencesInput!) { updateNotificationPreferences(input: $input) { __typename } }';
  expect((await member.graph(query, { input: { preferences } })).errors).toBeUndefined();
  for (let index = 0; index < 5; index++) {
    await task(`Task ${index}`, fromNow(30 * DAY));
    await runAll(databases, 2);
  }
  expect(await db.prisma.notification.count({ where: { userId: member.id } })).toBe(5);
  expect(await db.prisma.mail.count({ where: { toUserId: member.id, kind: 'DIGEST' } })).toBe(1);
});

it('a hundred runs at once remind of each of ten tasks once', async () => {
  const { db, organization, task, events, notified } = await setUp();
  const databases = await processes();
  const ids: string[] = [];
  for (let index = 0; index < 10; index++) ids.push(await task(`Task ${index}`, fromNow(8 * DAY)));
  await passTime(db, organization.id, DAY + HOUR);
  await runAll(databases, Math.ceil(100 / databases.length));
  for (const id of ids) {
    expect(await events(id, 'task.reminded')).toBe(1);
    expect(await notified('TASK_DUE', id)).toBe(1);
  }
});
