import { describe, expect, it } from 'vitest';
import { createTasks } from '../../../../src/domain/tasks/task-create.ts';
import { completeTask, denyTask } from '../../../../src/domain/tasks/task-state.ts';
import { DAY, fromNow } from '../../../../src/lib/time.ts';
import { counted } from '../../../support/database.ts';
import { joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

const STATISTICS = `query ($id: ID!, $filter: TaskFilter) { project(id: $id) { taskStatistics(filter: $filter) {
  total onTime pastDue unscheduled durationMinutes } } }`;

/** Two open tasks without a due time, and of the others one on time and one past due for each state. */
async function setUp() {
  const world = await newWorld();
  const { owner, project, db } = world;
  const ctx = await owner.context();
  const [late, soon] = [fromNow(-DAY), fromNow(DAY)];
  const tasks = await createTasks(ctx, {
    projectId: project.id,
    tasks: [
      { name: 'No time', duration: { amount: 90, unit: 'MINUTE' } },
      { name: 'No time either' },
      { name: 'Open on time', dueAt: soon, duration: { amount: 1, unit: 'DAY' } },
      { name: 'Open past due', dueAt: late, duration: { amount: 2, unit: 'HOUR' } },
      { name: 'Completed on time', dueAt: soon, duration: { amount: 1, unit: 'WEEK' } },
      { name: 'Completed past due', dueAt: late },
      { name: 'Denied on time', dueAt: soon },
      { name: 'Denied past due', dueAt: late },
    ],
  });
  const idOf = (name: string) => tasks.find((task) => task.name === name)?.id as string;
  for (const name of ['Completed on time', 'Completed past due'])
    await completeTask(ctx, { taskId: idOf(name) });
  for (const name of ['Denied on time', 'Denied past due']) await denyTask(ctx, { taskId: idOf(name) });
  const read = async (person: Person, filter?: object) =>
    (await person.graph(STATISTICS, { id: project.id, filter })).data?.project?.taskStatistics;
  return { ...world, ctx, db, read };
}

describe('Project.taskStatistics', () => {
  it('counts each task as on time, past due or unscheduled', async () => {
    const { owner, read } = await setUp();
    expect(await read(owner)).toEqual({
      ...{ total: 8, onTime: 3, pastDue: 3, unscheduled: 2 },
      durationMinutes: 90 + 8 * 60 + 2 * 60 + 5 * 8 * 60,
    });
  });

  it('counts the tasks that match the filter', async () => {
    const { owner, read } = await setUp();
    expect(await read(owner, { states: ['COMPLETED'] })).toEqual({
      ...{ total: 2, onTime: 1, pastDue: 1, unscheduled: 0, durationMinutes: 2400 },
    });
    expect(await read(owner, { states: [] })).toMatchObject({ total: 0, durationMinutes: 0 });
  });

  it('counts only tasks that the viewer sees', async () => {
    const { db, ctx, organization, project, stranger, read } = await setUp();
    await db.prisma.project.update({ where: { id: project.id }, data: { access: 'RESTRICTED' } });
    const member = await newMember(db, organization.id, 'MEMBER');
    await joinProject(db, project, member, 'EDITOR');
    await createTasks(ctx, {
      projectId: project.id,
      tasks: [{ name: 'Theirs', assigneeEmail: member.email, duration: { amount: 1, unit: 'MINUTE' } }],
    });
    expect(await read(member)).toEqual({
      ...{ total: 1, onTime: 0, pastDue: 0, unscheduled: 1, durationMinutes: 1 },
    });
    expect(await read(member, { assigneeEmail: member.email })).toMatchObject({ total: 1 });
    expect(await read(stranger)).toBeUndefined();
  });

  it('reads those of several projects in one statement', async () => {
    const { owner, organization } = await newWorld();
    const query = () =>
      counted(() =>
        owner.graph(
          'query ($id: ID!) { organization(id: $id) { projects(first: 3) { nodes { taskStatistics { total } } } } }',
          { id: organization.id },
        ),
      );
    const few = await query();
    const { data } = await owner.graph(
      'mutation ($input: CreateProjectsInput!) { createProjects(input: $input) { projects { id } } }',
      { input: { organizationId: organization.id, projects: [{ name: 'Second' }, { name: 'Third' }] } },
    );
    const [second] = data.createProjects.projects;
    await createTasks(await owner.context(), { projectId: second.id, tasks: [{ name: 'T' }] });
    const many = await query();
    const totals = many.result.data.organization.projects.nodes.map(
      (node: { taskStatistics: { total: number } }) => node.taskStatistics.total,
    );
    expect(totals.sort()).toEqual([0, 0, 1]);
    expect(many.statements).toEqual(few.statements);
  });
});
