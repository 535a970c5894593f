import { describe, expect, it } from 'vitest';
import type { Task } from '../../../../src/domain/tasks/task.ts';
import { createTasks } from '../../../../src/domain/tasks/task-create.ts';
import { DAY, fromNow } from '../../../../src/lib/time.ts';
import { counted } from '../../../support/database.ts';
import { newDocuments } from '../../../support/storage.ts';
import { joinProject, newMember, newWorld, type Person } from '../../../support/world.ts';

const codes = (errors: { extensions: { code: string } }[] | undefined) =>
  errors?.map((error) => error.extensions.code);

type New = Parameters<typeof createTasks>[1]['tasks'][number];

const seed = async (person: Person, projectId: string, ...tasks: New[]): Promise<Task[]> =>
  createTasks(await person.context(), { projectId, tasks });

const act = (name: string, input: string, selection: string) =>
  `mutation ($input: ${input}!) { ${name}(input: $input) { ${selection} } }`;
const TASK =
  'task { name state result version revisionNumber completedAt completedBy { email } assigneeEmail }';
const CREATE = act('createTasks', 'CreateTasksInput', 'tasks { id name }');
const UPDATE = act(
  'updateTask',
  'UpdateTaskInput',
  'task { name description priority dueAt dueChangedAt sevenDayReminderAt threeDayReminderAt oneDayReminderAt parent { name } assigneeEmail version }',
);
const ASSIGN = act('assignTask', 'AssignTaskInput', 'task { assigneeEmail assignee { name } version }');
const COMPLETE = act('completeTask', 'CompleteTaskInput', TASK);
const DENY = act('denyTask', 'DenyTaskInput', TASK);
const REOPEN = act('reopenTask', 'ReopenTaskInput', TASK);
const COMMENT = act(
  'createTaskComments',
  'CreateTaskCommentsInput',
  'comments { id text taskRevision createdBy { email } }',
);
const LINKED =
  'task { version documents { totalCount nodes { name } } primaryDocument { name } } documents { name }';
const LINK = act('linkTaskDocuments', 'LinkTaskDocumentsInput', LINKED);
const UNLINK = act('unlinkTaskDocuments', 'UnlinkTaskDocumentsInput', LINKED);

const LIST = `query ($id: ID!, $filter: TaskFilter, $order: TaskOrder, $first: Int, $after: String) {
  project(id: $id) { tasks(filter: $filter, orderBy: $order, first: $first, after: $after) {
    totalCount nodes { name } pageInfo { endCursor hasNextPage } } } }`;

async function names(person: Person, id: string, filter: object = {}, order?: object): Promise<string[]> {
  const { data } = await person.graph(LIST, { id, filter, order: order ?? { field: 'NAME' } });
  const { nodes, totalCount } = data.project.tasks;
  expect(totalCount).toBe(nodes.length);
  return nodes.map(({ name }: { name: string }) => name);
}

/** A member of the world's project, which becomes RESTRICTED. */
async function restricted({ db, organization, project }: Awaited<ReturnType<typeof newWorld>>) {
  const member = await newMember(db, organization.id, 'MEMBER');
  await db.prisma.project.update({ where: { id: project.id }, data: { access: 'RESTRICTED' } });
  await joinProject(db, project, member, 'EDITOR');
  return member;
}

describe('tasks', () => {
  it('are created in input order, with all fields', async () => {
    const { db, owner, organization, project } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const [a, b] = await newDocuments(await owner.context(), project.id, [{ name: 'a' }, { name: 'b' }]);
    const [parent] = await seed(owner, project.id, { name: 'Parent' });
    const tasks = [
      {
        name: ' Check ',
        description: 'plain',
        priority: 3,
        assigneeEmail: member.email.toUpperCase(),
        dueAt: '2031-03-09T09:00:00+01:00',
        parentId: parent?.id,
        documentIds: [b?.id, a?.id, b?.id],
      },
      { name: 'Bare' },
    ];
    const query = act(
      'createTasks',
      'CreateTasksInput',
      `tasks { name description state priority assigneeEmail assignee { email } dueAt overdue sevenDayReminderAt
        parent { subtasks { nodes { name } } } primaryDocument { name } documents { nodes { name } } createdBy { email } version }`,
    );
    const { data } = await owner.graph(query, { input: { projectId: project.id, tasks } });
    expect(data.createTasks.tasks).toEqual([
      {
        name: 'Check',
        description: 'plain',
        state: 'OPEN',
        priority: 3,
        assigneeEmail: member.email,
        assignee: { email: member.email },
        dueAt: '2031-03-09T08:00:00.000Z',
        overdue: false,
        sevenDayReminderAt: '2031-03-02T08:00:00.000Z',
        parent: { subtasks: { nodes: [{ name: 'Check' }] } },
        primaryDocument: { name: 'b' },
        documents: { nodes: [{ name: 'b' }, { name: 'a' }] },
        createdBy: { email: owner.email },
        version: 1,
      },
      expect.objectContaining({ name: 'Bare', assigneeEmail: null, dueAt: null, primaryDocument: null }),
    ]);
  });

  it.each([
    ['an empty batch', [], 'tasks'],
    ['a bad name', [{ name: 'fine' }, { name: '\u0007' }], 'tasks.1.name'],
    ['a bad address', [{ name: 'x', assigneeEmail: 'nobody' }], 'tasks.0.assigneeEmail'],
    ['a due time out of bounds', [{ name: 'x', dueAt: '9999-12-31T00:00:00Z' }], 'tasks.0.dueAt'],
    ['a priority out of bounds', [{ name: 'x', priority: 10 }], 'tasks.0.priority'],
    ['an empty document id', [{ name: 'x', documentIds: [''] }], 'tasks.0.documentIds.0'],
    ['an empty parent id', [{ name: 'x', parentId: '' }], 'tasks.0.parentId'],
  ])('of a batch are all refused for %s', async (_, tasks, at) => {
    const { db, owner, organization, project } = await newWorld();
    const { errors } = await owner.graph(CREATE, { input: { projectId: project.id, tasks } });
    expect(errors?.[0]?.extensions.at).toBe(at);
    expect(await db.prisma.task.count({ where: { organizationId: organization.id } })).toBe(0);
  });

  it('refuse text that cannot be stored', async () => {
    const { owner, project } = await newWorld();
    for (const task of [
      { name: 'x', description: 'a\0b' },
      { name: 'x', description: 'a\ud800b' },
      { name: '\udc00' },
      { name: 'x', documentIds: ['a\0b'] },
    ]) {
      const { errors } = await owner.graph(CREATE, { input: { projectId: project.id, tasks: [task] } });
      expect(codes(errors)).toEqual(['BAD_USER_INPUT']);
    }
  });

  it('are not created with more documents in total than a batch may have', async () => {
    const { owner, project } = await newWorld();
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'd' }]);
    const tasks = Array.from({ length: 1_000 }, (_, index) => ({
      name: `T${index}`,
      documentIds: index === 0 ? [document?.id, document?.id] : [document?.id],
    }));
    const { errors } = await owner.graph(CREATE, { input: { projectId: project.id, tasks } });
    expect(errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', at: 'documentIds' });
    const most = await owner.graph(CREATE, { input: { projectId: project.id, tasks: tasks.slice(1) } });
    expect(most.data.createTasks.tasks).toHaveLength(999);
  });

  it('refuse a parent, document or project of another organization', async () => {
    const { db, owner, organization, project } = await newWorld();
    const other = await newWorld();
    const [task] = await seed(other.owner, other.project.id, { name: 'Theirs' });
    const [document] = await newDocuments(await other.owner.context(), other.project.id, [
      { name: 'theirs' },
    ]);
    const inputs = [
      { projectId: project.id, tasks: [{ name: 'x' }, { name: 'y', parentId: task?.id }] },
      { projectId: project.id, tasks: [{ name: 'x' }, { name: 'y', documentIds: [document?.id] }] },
      { projectId: other.project.id, tasks: [{ name: 'x' }] },
      { projectId: project.id, organizationId: other.organization.id, tasks: [{ name: 'x' }] },
    ];
    for (const input of inputs)
      expect(codes((await owner.graph(CREATE, { input })).errors)).toEqual(['NOT_FOUND']);
    expect(await db.prisma.task.count({ where: { organizationId: organization.id } })).toBe(0);
  });

  it('are listed by state, assignee, due time, creator and name', async () => {
    const { db, owner, organization, project } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const [, done, denied] = await seed(
      owner,
      project.id,
      { name: 'Late', dueAt: fromNow(-DAY), assigneeEmail: member.email },
      { name: 'Late but done', dueAt: fromNow(-2 * DAY) },
      { name: 'Denied' },
      { name: 'Soon', dueAt: fromNow(DAY) },
    );
    await seed(member, project.id, { name: 'Mine' });
    await owner.graph(COMPLETE, { input: { taskId: done?.id } });
    await owner.graph(DENY, { input: { taskId: denied?.id } });
    const list = (filter: object) => names(owner, project.id, filter);
    expect(await list({})).toEqual(['Denied', 'Late', 'Late but done', 'Mine', 'Soon']);
    expect(await list({ states: ['OPEN'] })).toEqual(['Late', 'Mine', 'Soon']);
    expect(await list({ states: ['COMPLETED', 'DENIED'] })).toEqual(['Denied', 'Late but done']);
    expect(await list({ states: [] })).toEqual([]);
    expect(await list({ assigneeEmail: member.email.toUpperCase() })).toEqual(['Late']);
    expect(await list({ unassigned: true, states: ['OPEN'] })).toEqual(['Mine', 'Soon']);
    expect(await list({ overdue: true })).toEqual(['Late']);
    expect(await list({ overdue: false })).toEqual(['Denied', 'Late but done', 'Mine', 'Soon']);
    expect(await list({ dueAfter: fromNow(-1.5 * DAY), dueBefore: fromNow(0) })).toEqual(['Late']);
    expect(await list({ createdById: member.id })).toEqual(['Mine']);
    expect(await list({ namePrefix: 'LATE' })).toEqual(['Late', 'Late but done']);
  });

  it.each(['ASC', 'DESC'])('are paged by due time %s, including those without one', async (direction) => {
    const { owner, project } = await newWorld();
    const due = [fromNow(DAY), null, fromNow(2 * DAY), null, null, fromNow(DAY)];
    const tasks = await seed(owner, project.id, ...due.map((dueAt, index) => ({ name: `T${index}`, dueAt })));
    const rank = (task: Task) => `${task.dueAt?.toISOString() ?? '9999'} ${task.id}`;
    const expected = tasks.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1)).map(({ name }) => name);
    if (direction === 'DESC') expected.reverse();
    const listedNames: string[] = [];
    for (let after: string | undefined; listedNames.length < 10; ) {
      const { data } = await owner.graph(LIST, {
        id: project.id,
        order: { field: 'DUE_AT', direction },
        first: 2,
        after,
      });
      const { nodes, pageInfo } = data.project.tasks;
      listedNames.push(...nodes.map(({ name }: { name: string }) => name));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(listedNames).toEqual(expected);
  });

  it('change only the fields in the input, and their reminders follow the due time', async () => {
    const { owner, project } = await newWorld();
    const [parent, task] = await seed(
      owner,
      project.id,
      { name: 'Parent' },
      { name: 'Task', description: 'said', dueAt: new Date('2031-01-01T00:00:00Z') },
    );
    const first = await owner.graph(UPDATE, {
      input: { taskId: task?.id, dueAt: '2031-02-10T00:00:00Z', parentId: parent?.id, priority: 9 },
    });
    expect(first.data.updateTask.task).toMatchObject({
      name: 'Task',
      description: 'said',
      priority: 9,
      sevenDayReminderAt: '2031-02-03T00:00:00.000Z',
      threeDayReminderAt: '2031-02-07T00:00:00.000Z',
      oneDayReminderAt: '2031-02-09T00:00:00.000Z',
      dueChangedAt: expect.any(String),
      parent: { name: 'Parent' },
      version: 2,
    });
    const second = await owner.graph(UPDATE, {
      input: {
        taskId: task?.id,
        name: null,
        description: null,
        dueAt: null,
        parentId: null,
        expectedVersion: 2,
      },
    });
    expect(second.data.updateTask.task).toMatchObject({
      name: 'Task',
      description: 'said',
      priority: 9,
      dueAt: null,
      oneDayReminderAt: null,
      parent: null,
      version: 3,
    });
    const stale = await owner.graph(UPDATE, { input: { taskId: task?.id, name: 'x', expectedVersion: 2 } });
    expect(codes(stale.errors)).toEqual(['CONFLICT']);
  });

  it('cannot be below themselves, nor below a task of another project', async () => {
    const { owner, project } = await newWorld();
    const other = await newWorld();
    const [a] = await seed(owner, project.id, { name: 'A' });
    const [b] = await seed(owner, project.id, { name: 'B', parentId: a?.id });
    const [c] = await seed(owner, project.id, { name: 'C', parentId: b?.id });
    const [theirs] = await seed(other.owner, other.project.id, { name: 'Theirs' });
    const below = async (parentId?: string) =>
      codes((await owner.graph(UPDATE, { input: { taskId: a?.id, parentId } })).errors);
    for (const each of [a, b, c]) expect(await below(each?.id)).toEqual(['CONFLICT']);
    for (const each of [theirs?.id, '']) expect(await below(each)).toEqual(['NOT_FOUND']);
  });

  it.each([
    ['OPEN', 'complete', COMPLETE, 'COMPLETED'],
    ['OPEN', 'deny', DENY, 'DENIED'],
    ['OPEN', 'reopen', REOPEN, 'CONFLICT'],
    ['OPEN', 'assign', ASSIGN, 'OPEN'],
    ['COMPLETED', 'complete', COMPLETE, 'CONFLICT'],
    ['COMPLETED', 'deny', DENY, 'CONFLICT'],
    ['COMPLETED', 'reopen', REOPEN, 'OPEN'],
    ['COMPLETED', 'assign', ASSIGN, 'CONFLICT'],
    ['DENIED', 'complete', COMPLETE, 'CONFLICT'],
    ['DENIED', 'deny', DENY, 'CONFLICT'],
    ['DENIED', 'reopen', REOPEN, 'OPEN'],
    ['DENIED', 'assign', ASSIGN, 'CONFLICT'],
  ])('in the state %s answer %s as documented', async (from, _, action, expected) => {
    const { db, owner, organization, project } = await newWorld();
    const [task] = await seed(owner, project.id, { name: 'T' });
    const input = { taskId: task?.id };
    if (from !== 'OPEN') await owner.graph(from === 'DENIED' ? DENY : COMPLETE, { input });
    const before = await db.prisma.task.findUniqueOrThrow({ where: { id: task?.id } });
    const events = () => db.prisma.event.count({ where: { organizationId: organization.id } });
    const eventCount = await events();
    const { errors } = await owner.graph(action, { input });
    const after = await db.prisma.task.findUniqueOrThrow({ where: { id: task?.id } });
    if (expected === 'CONFLICT') {
      expect([codes(errors), after, await events()]).toEqual([['CONFLICT'], before, eventCount]);
    } else {
      expect([errors, after.state, after.version, await events()]).toEqual([
        undefined,
        expected,
        before.version + 1,
        eventCount + 1,
      ]);
      expect(after.completedById).toBe(expected === 'OPEN' ? null : owner.id);
    }
  });

  it('keep their result until they are reopened', async () => {
    const { owner, project } = await newWorld();
    const [task] = await seed(owner, project.id, { name: 'T' });
    const done = await owner.graph(COMPLETE, { input: { taskId: task?.id, result: 'All fine' } });
    expect(done.data.completeTask.task).toMatchObject({
      state: 'COMPLETED',
      result: 'All fine',
      completedAt: expect.any(String),
      completedBy: { email: owner.email },
    });
    const open = await owner.graph(REOPEN, { input: { taskId: task?.id } });
    expect(open.data.reopenTask.task).toMatchObject({
      state: 'OPEN',
      result: null,
      completedAt: null,
      completedBy: null,
    });
    const denied = await owner.graph(COMPLETE, { input: { taskId: task?.id, result: 'denied' } });
    expect(denied.errors?.[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', at: 'result' });
  });

  it('are assigned to anyone by e-mail, and show the name of members of the organization only', async () => {
    const { db, owner, stranger, organization, project } = await newWorld();
    const member = await newMember(db, organization.id, 'MEMBER');
    const [task] = await seed(owner, project.id, { name: 'T' });
    const assign = async (assigneeEmail?: string) =>
      (await owner.graph(ASSIGN, { input: { taskId: task?.id, assigneeEmail } })).data.assignTask.task;
    expect(await assign(member.email)).toMatchObject({
      assigneeEmail: member.email,
      assignee: { name: expect.any(String) },
    });
    expect(await assign(stranger.email)).toMatchObject({ assigneeEmail: stranger.email, assignee: null });
    expect(await assign()).toMatchObject({ assigneeEmail: null, assignee: null });
  });

  it('that are closed can be corrected, but not reassigned', async () => {
    const { owner, project } = await newWorld();
    const [task] = await seed(owner, project.id, { name: 'T' });
    await owner.graph(COMPLETE, { input: { taskId: task?.id } });
    const change = (input: object) => owner.graph(UPDATE, { input: { taskId: task?.id, ...input } });
    expect((await change({ name: 'Better', assigneeEmail: null })).data.updateTask.task.name).toBe('Better');
    expect(codes((await change({ assigneeEmail: owner.email })).errors)).toEqual(['CONFLICT']);
  });

  it('in a restricted project are visible to their creator and assignee, until they are reassigned', async () => {
    const world = await newWorld();
    const { owner, project } = world;
    const member = await restricted(world);
    const [mine] = await seed(
      owner,
      project.id,
      { name: 'Yours', assigneeEmail: member.email },
      { name: 'Hidden' },
    );
    await seed(member, project.id, { name: 'Made' });
    expect(await names(member, project.id)).toEqual(['Made', 'Yours']);
    const handedOver = await member.graph(ASSIGN, {
      input: { taskId: mine?.id, assigneeEmail: owner.email },
    });
    expect(handedOver.data.assignTask.task.assigneeEmail).toBe(owner.email);
    expect(await names(member, project.id)).toEqual(['Made']);
    const hidden = await member.graph(`query ($id: ID!) { task(id: $id) { name } }`, { id: mine?.id });
    expect(codes(hidden.errors)).toEqual(['NOT_FOUND']);
  });

  it('of the viewer are listed across projects, by due time', async () => {
    const world = await newWorld();
    const other = await newWorld();
    const { owner, organization, project } = world;
    const member = await newMember(world.db, organization.id, 'MEMBER');
    await seed(
      owner,
      project.id,
      { name: 'Whenever', assigneeEmail: member.email },
      { name: 'Soon', assigneeEmail: member.email, dueAt: fromNow(DAY) },
      { name: 'Not mine' },
    );
    await seed(other.owner, other.project.id, { name: 'Elsewhere', assigneeEmail: member.email });
    const { data } = await member.graph('{ viewer { tasks { totalCount nodes { name } } } }');
    expect(data.viewer.tasks).toEqual({ totalCount: 2, nodes: [{ name: 'Soon' }, { name: 'Whenever' }] });
  });

  it('link documents once, in order, and list and count only visible ones that are not recycled', async () => {
    const world = await newWorld();
    const { owner, project } = world;
    const member = await restricted(world);
    const [a, b] = await newDocuments(await owner.context(), project.id, [{ name: 'a' }, { name: 'b' }]);
    const [c] = await newDocuments(await member.context(), project.id, [{ name: 'c' }]);
    const [task] = await seed(owner, project.id, { name: 'T', assigneeEmail: member.email });
    const link = (person: Person, mutation: string, ...documentIds: (string | undefined)[]) =>
      person.graph(mutation, { input: { taskId: task?.id, documentIds } });
    await link(owner, LINK, b?.id);
    const linked = await link(owner, LINK, c?.id, a?.id, b?.id, c?.id);
    expect(linked.data.linkTaskDocuments).toEqual({
      task: {
        version: 3,
        documents: { totalCount: 3, nodes: [{ name: 'b' }, { name: 'c' }, { name: 'a' }] },
        primaryDocument: { name: 'b' },
      },
      documents: [{ name: 'c' }, { name: 'a' }, { name: 'b' }],
    });
    const again = await link(member, LINK, c?.id);
    expect(again.data.linkTaskDocuments.task).toEqual({
      version: 3,
      documents: { totalCount: 1, nodes: [{ name: 'c' }] },
      primaryDocument: { name: 'c' },
    });
    await owner.graph(act('recycleDocuments', 'RecycleDocumentsInput', 'documents { id }'), {
      input: { documentIds: [b?.id] },
    });
    expect(codes((await link(owner, LINK, b?.id)).errors)).toEqual(['CONFLICT']);
    for (const mutation of [LINK, UNLINK])
      expect(codes((await link(member, mutation, c?.id, a?.id)).errors)).toEqual(['NOT_FOUND']);
    const remaining = await link(owner, UNLINK, c?.id);
    expect(remaining.data.unlinkTaskDocuments.task).toEqual({
      version: 4,
      documents: { totalCount: 1, nodes: [{ name: 'a' }] },
      primaryDocument: { name: 'a' },
    });
  });

  it('are listed with their document, if visible', async () => {
    const world = await newWorld();
    const { owner, project } = world;
    const member = await restricted(world);
    const [document] = await newDocuments(await member.context(), project.id, [{ name: 'd' }]);
    const documentIds = [document?.id as string];
    await seed(
      owner,
      project.id,
      { name: 'Yours', documentIds, assigneeEmail: member.email },
      { name: 'Hidden', documentIds },
    );
    const query = `query ($id: ID!) { document(id: $id) { tasks(orderBy: { field: NAME }) { totalCount nodes { name } } } }`;
    const tasks = async (person: Person) =>
      (await person.graph(query, { id: document?.id })).data.document.tasks;
    expect(await tasks(owner)).toEqual({ totalCount: 2, nodes: [{ name: 'Hidden' }, { name: 'Yours' }] });
    expect(await tasks(member)).toEqual({ totalCount: 1, nodes: [{ name: 'Yours' }] });
  });

  it('have at most 100 documents', async () => {
    const { owner, project } = await newWorld();
    const files = Array.from({ length: 101 }, (_, index) => ({ name: `d${index}` }));
    const ids = (await newDocuments(await owner.context(), project.id, files)).map(({ id }) => id);
    const [task] = await seed(owner, project.id, { name: 'T', documentIds: ids.slice(0, 99) });
    const link = (documentIds: string[]) => owner.graph(LINK, { input: { taskId: task?.id, documentIds } });
    expect(codes((await link(ids)).errors)).toEqual(['BAD_USER_INPUT']);
    expect((await link(ids.slice(90, 100))).data.linkTaskDocuments.task.documents.totalCount).toBe(100);
  });

  it('can be commented on in every state, with the current revision', async () => {
    const { owner, stranger, project } = await newWorld();
    const [task] = await seed(owner, project.id, { name: 'T' });
    await owner.graph(COMPLETE, { input: { taskId: task?.id } });
    const commented = await owner.graph(COMMENT, { input: { taskId: task?.id, texts: ['one', 'two'] } });
    expect(commented.data.createTaskComments.comments).toMatchObject([
      { text: 'one', taskRevision: 2, createdBy: { email: owner.email } },
      { text: 'two' },
    ]);
    const query = `query ($id: ID!) { task(id: $id) { comments(direction: DESC) { totalCount nodes { text } } } }`;
    const { data } = await owner.graph(query, { id: task?.id });
    expect(data.task.comments).toEqual({ totalCount: 2, nodes: [{ text: 'two' }, { text: 'one' }] });
    const node = `query ($id: ID!) { node(id: $id) { ... on Comment { text } } }`;
    const id = commented.data.createTaskComments.comments[0].id;
    expect((await owner.graph(node, { id })).data.node).toEqual({ text: 'one' });
    expect(codes((await stranger.graph(node, { id })).errors)).toEqual(['NOT_FOUND']);
    expect(codes((await owner.graph(COMMENT, { input: { taskId: task?.id, texts: [' '] } })).errors)).toEqual(
      ['BAD_USER_INPUT'],
    );
  });

  it('list their events', async () => {
    const { owner, project } = await newWorld();
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'd' }]);
    const [task] = await seed(owner, project.id, { name: 'T' });
    await owner.graph(UPDATE, { input: { taskId: task?.id, name: 'U' } });
    await owner.graph(LINK, { input: { taskId: task?.id, documentIds: [document?.id] } });
    await owner.graph(COMMENT, { input: { taskId: task?.id, texts: ['hm'] } });
    await owner.graph(DENY, { input: { taskId: task?.id, result: 'no' } });
    const query = `query ($id: ID!) { task(id: $id) { events { totalCount nodes { kind text createdBy { email }
      changes { member before after } } } } }`;
    const { data } = await owner.graph(query, { id: task?.id });
    const by = { createdBy: { email: owner.email } };
    expect(data.task.events).toMatchObject({
      totalCount: 5,
      nodes: [
        { kind: 'task.created', ...by },
        { kind: 'task.updated', ...by, changes: [{ member: 'name', before: '"T"', after: '"U"' }] },
        { kind: 'task.documentsLinked', ...by, changes: [] },
        { kind: 'task.commented', ...by, text: 'hm', changes: [] },
        {
          kind: 'task.denied',
          changes: [
            { member: 'state', before: '"OPEN"', after: '"DENIED"' },
            { member: 'result', before: null, after: '"no"' },
          ],
        },
      ],
    });
  });

  it('answer NOT_FOUND to a stranger, and FORBIDDEN to a guest', async () => {
    const { db, owner, stranger, organization, project } = await newWorld();
    const [task] = await seed(owner, project.id, { name: 'T' });
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'd' }]);
    const guest = await newMember(db, organization.id, 'GUEST');
    await joinProject(db, project, guest, 'EDITOR');
    const taskId = task?.id;
    const commands: [string, object][] = [
      [UPDATE, { taskId, name: 'x' }],
      [ASSIGN, { taskId }],
      [COMPLETE, { taskId }],
      [DENY, { taskId }],
      [REOPEN, { taskId }],
      [COMMENT, { taskId, texts: ['x'] }],
      [LINK, { taskId, documentIds: [document?.id] }],
      [UNLINK, { taskId, documentIds: [document?.id] }],
      [CREATE, { projectId: project.id, tasks: [{ name: 'x' }] }],
    ];
    for (const [mutation, input] of commands) {
      expect(codes((await stranger.graph(mutation, { input })).errors)).toEqual(['NOT_FOUND']);
      expect(codes((await guest.graph(mutation, { input })).errors)).toEqual(['FORBIDDEN']);
    }
    for (const query of ['task', 'node'])
      expect(
        codes((await stranger.graph(`query ($id: ID!) { ${query}(id: $id) { id } }`, { id: taskId })).errors),
      ).toEqual(['NOT_FOUND']);
  });

  it('are found only in their project and organization, and cannot be changed in a disabled project', async () => {
    const { db, owner, organization, project } = await newWorld();
    const other = await newWorld();
    const [task] = await seed(owner, project.id, { name: 'T' });
    for (const location of [{ projectId: other.project.id }, { organizationId: other.organization.id }])
      expect(
        codes((await owner.graph(COMPLETE, { input: { taskId: task?.id, ...location } })).errors),
      ).toEqual(['NOT_FOUND']);
    await db.prisma.project.update({ where: { id: project.id }, data: { disabledAt: new Date() } });
    const location = { organizationId: organization.id, projectId: project.id };
    expect(codes((await owner.graph(COMPLETE, { input: { taskId: task?.id, ...location } })).errors)).toEqual(
      ['CONFLICT'],
    );
  });

  it('need one statement a level, for any number of tasks', async () => {
    const { owner, project } = await newWorld();
    const ids = (await newDocuments(await owner.context(), project.id, [{ name: 'a' }, { name: 'b' }])).map(
      ({ id }) => id,
    );
    const query = `query ($id: ID!) { project(id: $id) { tasks(first: 10) { nodes { name createdBy { name } assignee { name }
      parent { name } primaryDocument { name } documents(first: 2) { nodes { name } } comments(first: 2) { nodes { text } }
      events(first: 2) { nodes { kind } } subtasks(first: 2) { nodes { name } } } } } }`;
    const values = { documentIds: ids, assigneeEmail: owner.email };
    const [first] = await seed(owner, project.id, { name: 'T', ...values });
    await seed(owner, project.id, { name: 'Below', parentId: first?.id, ...values });
    const few = await counted(() => owner.graph(query, { id: project.id }));
    await seed(owner, project.id, { name: 'U', ...values }, { name: 'V', parentId: first?.id, ...values });
    const many = await counted(() => owner.graph(query, { id: project.id }));
    expect(many.result.data.project.tasks.nodes).toHaveLength(4);
    expect(many.statements).toEqual(few.statements);
  });
});
