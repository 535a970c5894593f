import { beforeEach, describe, expect, it } from 'vitest';
import { notifyNext } from '../../../src/domain/notifications/notify.ts';
import { updateTask } from '../../../src/domain/tasks/task-change.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { remindNext } from '../../../src/domain/tasks/task-reminder.ts';
import { completeTask, reopenTask } from '../../../src/domain/tasks/task-state.ts';
import { DAY, fromNow, HOUR } from '../../../src/lib/time.ts';
import { dropJobs } from '../../support/jobs.ts';
import { joinProject, newMember, newWorld } from '../../support/world.ts';

beforeEach(() => dropJobs());

async function setUp(daysLeft: number) {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const member = await newMember(db, organization.id, 'MEMBER');
  await joinProject(db, project, member, 'EDITOR');
  const ctx = await owner.context();
  const [task] = await createTasks(ctx, {
    projectId: project.id,
    tasks: [{ name: 'Paint', assigneeEmail: member.email, dueAt: fromNow(daysLeft * DAY) }],
  });
  const taskId = task?.id as string;
  /** Days from now to the next reminder; null without one. */
  const next = async () => {
    const { nextReminderAt } = await db.prisma.task.findUniqueOrThrow({ where: { id: taskId } });
    return nextReminderAt && Math.round((nextReminderAt.getTime() - Date.now()) / DAY);
  };
  /** As if so many days had passed: all times of the task are that much earlier. */
  const pass = async (days: number) => {
    const where = { id: taskId };
    const task = await db.prisma.task.findUniqueOrThrow({ where });
    const earlier = (time: Date | null) => time && new Date(time.getTime() - days * DAY);
    const [remind7At, remind3At] = [earlier(task.remind7At), earlier(task.remind3At)];
    const times = { dueAt: earlier(task.dueAt), remind7At, remind3At, remind1At: earlier(task.remind1At) };
    await db.prisma.task.update({ where, data: times });
    await db.prisma.task.update({ where, data: { nextReminderAt: earlier(task.nextReminderAt) } });
  };
  const remind = async () => {
    while (await remindNext(db));
  };
  const reminders = () => db.prisma.event.count({ where: { subjectId: taskId, kind: 'task.reminded' } });
  return { ...world, ctx, member, taskId, next, pass, remind, reminders };
}

describe('a task', () => {
  it.each([
    [30, 23],
    [5, 2],
    [2, 1],
    [0.5, 0],
    [-1, null],
  ])('due in %d days has its next reminder in %s days: what is past is left out', async (days, next) => {
    expect(await (await setUp(days)).next()).toBe(next);
  });

  it('that is due is reminded of once, however many processes run, and its assignee is notified', async () => {
    const { db, member, pass, remind, reminders, next } = await setUp(8);
    expect(await next()).toBe(1);
    await pass(2);
    await Promise.all(Array.from({ length: 8 }, () => remindNext(db)));
    await remind();
    expect(await reminders()).toBe(1);
    while (await notifyNext(db));
    const where = { userId: member.id, kind: 'TASK_DUE' };
    expect(await db.prisma.notification.count({ where })).toBe(1);
    expect(await next()).toBe(3);
  });

  it('that was moved is reminded of by its new due time', async () => {
    const { ctx, taskId, next } = await setUp(30);
    await updateTask(ctx, { taskId, dueAt: fromNow(4 * DAY + HOUR) });
    expect(await next()).toBe(1);
    await updateTask(ctx, { taskId, dueAt: null });
    expect(await next()).toBeNull();
  });

  it('that is completed is not reminded of, until it is opened again', async () => {
    const { ctx, taskId, pass, remind, reminders, next } = await setUp(8);
    await completeTask(ctx, { taskId });
    expect(await next()).toBeNull();
    await pass(2);
    await remind();
    expect(await reminders()).toBe(0);
    await reopenTask(ctx, { taskId });
    expect(await next()).toBe(3);
  });

  it.each([
    ['disabled', { disabledAt: new Date() }],
    ['deleted', { purgeMarkedAt: new Date() }],
  ])('of a project that is %s is not reminded of, neither before nor after it is due', async (_, data) => {
    const { db, project, taskId, pass, remind, reminders, next } = await setUp(8);
    await db.prisma.project.update({ where: { id: project.id }, data });
    await pass(2);
    await remind();
    expect([await reminders(), await next()]).toEqual([0, 3]);
    await pass(7);
    await remind();
    const where = { subjectId: taskId, kind: 'task.overdue' };
    expect([await db.prisma.event.count({ where }), await next()]).toEqual([0, null]);
  });

  it('that is overdue notifies its assignee and its creator once, and again when its due time was moved', async () => {
    const { db, ctx, owner, member, taskId, pass, remind } = await setUp(8);
    const notified = async () => {
      while (await notifyNext(db));
      const rows = await db.prisma.notification.findMany({
        where: { kind: 'TASK_OVERDUE', subjectId: taskId },
      });
      return rows.map(({ userId }) => userId).sort();
    };
    await pass(9);
    await Promise.all(Array.from({ length: 8 }, () => remindNext(db)));
    await remind();
    expect(await notified()).toEqual([owner.id, member.id].sort());
    await remind();
    expect(await notified()).toHaveLength(2);
    await updateTask(ctx, { taskId, dueAt: fromNow(HOUR) });
    await pass(1);
    await remind();
    expect(await notified()).toHaveLength(4);
  });
});
