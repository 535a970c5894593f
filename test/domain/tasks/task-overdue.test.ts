import { afterEach, expect, it, vi } from 'vitest';
import { HOUR } from '../../../src/lib/time.ts';
import { newWorld } from '../../support/world.ts';

afterEach(() => void vi.useRealTimers());

/** Shifts the clock of this process, but not that of the database. */
const shiftClock = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

const FIELDS = '{ name overdue }';
const CREATE = `mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks ${FIELDS} } }`;
const RENAME = `mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { task ${FIELDS} } }`;
const LIST = `query ($id: ID!, $overdue: Boolean) { project(id: $id) {
  tasks(filter: { overdue: $overdue }, orderBy: { field: NAME }) { nodes ${FIELDS} } } }`;

it.each([
  ['ahead', 3 * HOUR],
  ['behind', -3 * HOUR],
])('whether a task is overdue says the clock of the database, wherever a process whose clock is %s shows it', async (_, skew) => {
  const { owner, project, db } = await newWorld();
  const [soon, late] = [new Date(Date.now() + HOUR), new Date(Date.now() - HOUR)];
  shiftClock(skew);
  const tasks = [{ name: 'Late', dueAt: late }, { name: 'Soon', dueAt: soon }, { name: 'Whenever' }];
  const expected = [
    { name: 'Late', overdue: true },
    { name: 'Soon', overdue: false },
    { name: 'Whenever', overdue: false },
  ];
  const created = await owner.graph(CREATE, { input: { projectId: project.id, tasks } });
  expect(created.data.createTasks.tasks).toEqual(expected);
  const list = async (overdue?: boolean) =>
    (await owner.graph(LIST, { id: project.id, overdue })).data.project.tasks.nodes;
  expect(await list()).toEqual(expected);
  expect(await list(true)).toEqual([expected[0]]);
  expect(await list(false)).toEqual([expected[1], expected[2]]);
  const { id } = await db.prisma.task.findFirstOrThrow({ where: { projectId: project.id, name: 'Late' } });
  const renamed = await owner.graph(RENAME, { input: { taskId: id, name: 'Later' } });
  expect(renamed.data.updateTask.task).toEqual({ name: 'Later', overdue: true });
});
