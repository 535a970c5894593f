import { describe, expect, it } from 'vitest';
import { createTasks } from '../../../../src/domain/tasks/task-create.ts';
import { newId } from '../../../../src/lib/id.ts';
import { counted } from '../../../support/database.ts';
import { joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

const DETAILS = 'id tags priority duration { amount unit } stakeholders { email } version';
const CREATE = `mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { ${DETAILS} } } }`;
const UPDATE = `mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { task { ${DETAILS} } } }`;
const LIST = `query ($id: ID!, $filter: TaskFilter, $order: TaskOrder) {
  project(id: $id) { tasks(filter: $filter, orderBy: $order) { nodes { name } } } }`;

async function setUp() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const member = await newMember(db, organization.id, 'MEMBER');
  const [task] = await createTasks(await owner.context(), {
    projectId: project.id,
    tasks: [
      {
        name: 'Check',
        tags: ['urgent', 'Yard'],
        duration: { amount: 3, unit: 'HOUR' },
        stakeholderIds: [member.id],
      },
    ],
  });
  const taskId = task?.id as string;
  const update = async (changes: object) => {
    const { data, errors } = await owner.graph(UPDATE, { input: { taskId, ...changes } });
    return data?.updateTask?.task ?? errors?.[0]?.extensions;
  };
  const names = async (filter: object, order: object = { field: 'NAME' }) => {
    const { data } = await owner.graph(LIST, { id: project.id, filter, order });
    return data.project.tasks.nodes.map(({ name }: { name: string }) => name);
  };
  const events = () =>
    db.prisma.event.findMany({ where: { subjectId: taskId }, orderBy: { sequence: 'asc' } });
  return { ...world, member, taskId, update, names, events };
}

/** The world, with its project RESTRICTED: its editors see what involves them. */
async function setUpRestricted() {
  const world = await setUp();
  const { db, project, member, organization } = world;
  await db.prisma.project.update({ where: { id: project.id }, data: { access: 'RESTRICTED' } });
  await joinProject(db, project, member, 'EDITOR');
  const outsider = await newMember(db, organization.id, 'MEMBER');
  return { ...world, outsider };
}

describe('createTasks', () => {
  it('stores tags once regardless of case, the duration, the priority and stakeholders', async () => {
    const { owner, project, member } = await setUp();
    const task = {
      name: 'New',
      tags: ['yard', 'Yard', 'Crane'],
      priority: 7,
      duration: { amount: 2, unit: 'DAY' },
      stakeholderIds: [member.id],
    };
    const { data } = await owner.graph(CREATE, { input: { projectId: project.id, tasks: [task] } });
    expect(data.createTasks.tasks).toEqual([
      {
        id: expect.any(String),
        tags: ['Crane', 'Yard'],
        priority: 7,
        duration: { amount: 2, unit: 'DAY' },
        stakeholders: [{ email: member.email }],
        version: 1,
      },
    ]);
  });

  it.each([
    ['a duration of nothing', { duration: { amount: 0, unit: 'DAY' } }, 'tasks.1.duration.amount'],
    ['a duration out of bounds', { duration: { amount: 10_001, unit: 'DAY' } }, 'tasks.1.duration.amount'],
    ['an empty tag', { tags: ['x', ''] }, 'tasks.1.tags.1'],
    ['too many stakeholders', { stakeholderIds: Array(51).fill('usr') }, 'tasks.1.stakeholderIds'],
    ['an unknown person', { stakeholderIds: [newId('User')] }, 'tasks.1.stakeholderIds.0'],
  ])('refuses %s, and creates none of the batch', async (_, task, at) => {
    const { owner, project, names } = await setUp();
    const tasks = [{ name: 'fine' }, { name: 'bad', ...task }];
    const { errors } = await owner.graph(CREATE, { input: { projectId: project.id, tasks } });
    expect([errors?.[0]?.extensions.at, await names({})]).toEqual([at, ['Check']]);
  });
});

describe('updateTask', () => {
  it('replaces tags and stakeholders, and the event has both states', async () => {
    const { owner, member, update, events } = await setUp();
    const task = await update({
      tags: ['Done', 'yard'],
      stakeholderIds: [owner.id],
      duration: { amount: 1, unit: 'WEEK' },
    });
    expect(task).toMatchObject({
      tags: ['Done', 'Yard'],
      stakeholders: [{ email: owner.email }],
      duration: { amount: 1, unit: 'WEEK' },
      version: 2,
    });
    expect((await events()).at(-1)).toMatchObject({
      kind: 'task.updated',
      data: {
        before: {
          tags: ['urgent', 'Yard'],
          stakeholderIds: [member.id],
          duration: { amount: 3, unit: 'HOUR' },
        },
        after: { tags: ['Done', 'yard'], stakeholderIds: [owner.id], duration: { amount: 1, unit: 'WEEK' } },
      },
    });
  });

  it('leaves what is left out, and removes a duration that is null', async () => {
    const { update } = await setUp();
    expect(await update({ name: 'Renamed' })).toMatchObject({
      tags: ['urgent', 'Yard'],
      duration: { amount: 3 },
    });
    expect(await update({ duration: null, tags: [], stakeholderIds: [] })).toMatchObject({
      ...{ tags: [], duration: null, stakeholders: [] },
    });
  });

  it('writes no version and no event where nothing changes', async () => {
    const { member, update, events } = await setUp();
    const same = {
      tags: ['yard', 'URGENT'],
      stakeholderIds: [member.id],
      duration: { amount: 3, unit: 'HOUR' },
      priority: 0,
    };
    expect(await update({ name: 'Check', ...same })).toMatchObject({ version: 1, tags: ['urgent', 'Yard'] });
    expect(await events()).toHaveLength(1);
  });

  it('takes no stakeholder who does not see the task, and no member of another organization', async () => {
    const { stranger, outsider, member, update } = await setUpRestricted();
    for (const { id } of [stranger, outsider])
      expect(await update({ stakeholderIds: [member.id, id] })).toMatchObject({
        ...{ code: 'NOT_FOUND', at: 'stakeholderIds.1' },
      });
  });

  it('takes a stakeholder who sees the task because it is assigned to them by the same change', async () => {
    const { db, organization, project, update } = await setUpRestricted();
    const editor = await newMember(db, organization.id, 'MEMBER');
    await joinProject(db, project, editor, 'EDITOR');
    expect(await update({ stakeholderIds: [editor.id] })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await update({ stakeholderIds: [editor.id], assigneeEmail: editor.email })).toMatchObject({
      stakeholders: [{ email: editor.email }],
    });
  });

  it('keeps a stakeholder who has lost sight of the task', async () => {
    const { member, update } = await setUpRestricted();
    expect(await update({ stakeholderIds: [member.id], name: 'Renamed' })).toMatchObject({
      stakeholders: [{ email: member.email }],
    });
  });

  it('is FORBIDDEN to a viewer of the project, and NOT_FOUND to a stranger', async () => {
    const { db, organization, project, taskId, stranger } = await setUp();
    const viewer = await newMember(db, organization.id, 'MEMBER');
    await joinProject(db, project, viewer, 'VIEWER');
    const codeOf = async (person: Person) =>
      (await person.graph(UPDATE, { input: { taskId, tags: ['x'] } })).errors?.[0]?.extensions.code;
    expect([await codeOf(viewer), await codeOf(stranger)]).toEqual(['FORBIDDEN', 'NOT_FOUND']);
  });
});

describe('stakeholders', () => {
  it('end with the membership', async () => {
    const { db, organization, member, taskId, owner } = await setUp();
    await db.prisma.membership.deleteMany({ where: { organizationId: organization.id, userId: member.id } });
    const { data } = await owner.graph('query ($id: ID!) { task(id: $id) { stakeholders { email } } }', {
      id: taskId,
    });
    expect(data.task.stakeholders).toEqual([]);
  });
});

describe('lists of tasks', () => {
  it('are filtered by tag and stakeholder, and ordered by priority', async () => {
    const { owner, project, member, names } = await setUp();
    await createTasks(await owner.context(), {
      projectId: project.id,
      tasks: [
        { name: 'High', priority: 9, tags: ['YARD'] },
        { name: 'Low', priority: 1 },
      ],
    });
    expect(await names({ tag: 'yard' })).toEqual(['Check', 'High']);
    expect(await names({ tag: 'none' })).toEqual([]);
    expect(await names({ stakeholderId: member.id })).toEqual(['Check']);
    expect(await names({}, { field: 'PRIORITY', direction: 'DESC' })).toEqual(['High', 'Low', 'Check']);
  });

  it('do not find a task by a tag of another project', async () => {
    const { owner, stranger, organization, names } = await setUp();
    const { data } = await owner.graph(
      `mutation ($input: CreateProjectsInput!) { createProjects(input: $input) { projects { id } } }`,
      { input: { organizationId: organization.id, projects: [{ name: 'Other' }] } },
    );
    const projectId = data.createProjects.projects[0].id;
    await createTasks(await owner.context(), { projectId, tasks: [{ name: 'Elsewhere', tags: ['Yard'] }] });
    expect(await names({ tag: 'yard' })).toEqual(['Check']);
    expect((await stranger.graph(LIST, { id: projectId, filter: { tag: 'yard' } })).data?.project).toBeNull();
  });

  it('read tags, stakeholders and ancestors of all tasks in one statement each', async () => {
    const { owner, project, member, taskId } = await setUp();
    const task = { tags: ['yard'], stakeholderIds: [member.id], parentId: taskId };
    const create = async (...names: string[]) => {
      const tasks = names.map((name) => ({ name, ...task }));
      await createTasks(await owner.context(), { projectId: project.id, tasks });
    };
    const query = () =>
      counted(() =>
        owner.graph(
          'query ($id: ID!) { project(id: $id) { tasks { nodes { tags stakeholders { email } ancestorIds } } } }',
          { id: project.id },
        ),
      );
    await create('A');
    const few = await query();
    await create('B', 'C');
    const many = await query();
    expect(many.result.data.project.tasks.nodes).toHaveLength(4);
    expect(many.statements).toEqual(few.statements);
  });
});

describe('ancestorIds', () => {
  it('are the parents from the top down, as far as they are visible', async () => {
    const { owner, project, taskId, member } = await setUpRestricted();
    const ctx = await owner.context();
    const [middle] = await createTasks(ctx, {
      projectId: project.id,
      tasks: [{ name: 'Middle', parentId: taskId, assigneeEmail: member.email }],
    });
    const [leaf] = await createTasks(ctx, {
      projectId: project.id,
      tasks: [{ name: 'Leaf', parentId: middle?.id as string, assigneeEmail: member.email }],
    });
    const read = async (person: Person) =>
      (await person.graph('query ($id: ID!) { task(id: $id) { ancestorIds } }', { id: leaf?.id })).data.task
        .ancestorIds;
    expect(await read(owner)).toEqual([taskId, middle?.id]);
    expect(await read(member)).toEqual([middle?.id]);
  });
});
