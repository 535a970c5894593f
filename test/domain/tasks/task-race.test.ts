import { describe, expect, it } from 'vitest';
import { assignTask, updateTask } from '../../../src/domain/tasks/task-change.ts';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { linkTaskDocuments } from '../../../src/domain/tasks/task-link.ts';
import { completeTask, denyTask, reopenTask } from '../../../src/domain/tasks/task-state.ts';
import { newDocuments } from '../../support/storage.ts';
import { newWorld } from '../../support/world.ts';

const outcomes = (results: PromiseSettledResult<unknown>[]) => ({
  won: results.filter(({ status }) => status === 'fulfilled').length,
  codes: [...new Set(results.flatMap((each) => (each.status === 'rejected' ? each.reason.code : [])))],
});

async function worldWithTask() {
  const world = await newWorld();
  const context = await world.owner.context();
  const [task] = await createTasks(context, { projectId: world.project.id, tasks: [{ name: 'T' }] });
  return { ...world, context, taskId: task?.id as string };
}

describe.runIf(process.env.TEST_DATABASE_URL)('concurrent changes of a task', () => {
  it('complete or deny it once, with one event', async () => {
    const { db, context, taskId } = await worldWithTask();
    const commands = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? completeTask : denyTask)(context, { taskId }),
    );
    expect(outcomes(await Promise.allSettled(commands))).toEqual({ won: 1, codes: ['CONFLICT'] });
    const kinds = await db.prisma.event.findMany({
      where: { subjectId: taskId },
      orderBy: { sequence: 'asc' },
    });
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'task.created',
      expect.stringMatching(/^task\.(completed|denied)$/),
    ]);
    expect(await db.prisma.task.findUnique({ where: { id: taskId } })).toMatchObject({ version: 2 });
  });

  it('reopen it once', async () => {
    const { context, taskId } = await worldWithTask();
    await completeTask(context, { taskId });
    const commands = Array.from({ length: 20 }, () => reopenTask(context, { taskId }));
    expect(outcomes(await Promise.allSettled(commands))).toEqual({ won: 1, codes: ['CONFLICT'] });
  });

  it('do not assign it once it is completed', async () => {
    const { db, context, taskId } = await worldWithTask();
    const commands = Array.from({ length: 20 }, (_, index) =>
      index === 7
        ? completeTask(context, { taskId })
        : assignTask(context, { taskId, assigneeEmail: `p${index}@example.test` }),
    );
    await Promise.allSettled(commands);
    const events = await db.prisma.event.findMany({
      where: { subjectId: taskId },
      orderBy: { sequence: 'asc' },
    });
    expect(events.at(-1)?.kind).toBe('task.completed');
  });

  it('link twenty documents at different positions', async () => {
    const { db, context, project, taskId } = await worldWithTask();
    const files = Array.from({ length: 20 }, (_, index) => ({ name: `d${index}` }));
    const documents = await newDocuments(context, project.id, files);
    const commands = documents.map(({ id }) => linkTaskDocuments(context, { taskId, documentIds: [id] }));
    expect(outcomes(await Promise.allSettled(commands))).toEqual({ won: 20, codes: [] });
    const links = await db.prisma.taskDocument.findMany({ where: { taskId }, orderBy: { position: 'asc' } });
    expect(links.map(({ position }) => position)).toEqual(files.map((_, index) => index));
  });

  it('link the same documents once', async () => {
    const { db, context, project, taskId } = await worldWithTask();
    const files = ['a', 'b', 'c'].map((name) => ({ name }));
    const ids = (await newDocuments(context, project.id, files)).map(({ id }) => id);
    const commands = Array.from({ length: 20 }, (_, index) =>
      linkTaskDocuments(context, { taskId, documentIds: index % 2 ? ids : ids.toReversed() }),
    );
    expect(outcomes(await Promise.allSettled(commands))).toEqual({ won: 20, codes: [] });
    expect(await db.prisma.taskDocument.count({ where: { taskId } })).toBe(3);
  });

  it('do not close a cycle of parents', async () => {
    const { context, project } = await worldWithTask();
    for (let round = 0; round < 10; round++) {
      const [a, b] = await createTasks(context, {
        projectId: project.id,
        tasks: [{ name: 'A' }, { name: 'B' }],
      });
      const moves = await Promise.allSettled([
        updateTask(context, { taskId: a?.id as string, parentId: b?.id }),
        updateTask(context, { taskId: b?.id as string, parentId: a?.id }),
      ]);
      expect(outcomes(moves)).toEqual({ won: 1, codes: ['CONFLICT'] });
    }
  });
});
