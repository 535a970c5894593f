import { beforeEach, describe, expect, it } from 'vitest';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { newId } from '../../../src/lib/id.ts';
import { counted } from '../../support/database.ts';
import { newDocuments } from '../../support/storage.ts';
import { HOSTILE, newScene } from './scene.ts';

let scene: Awaited<ReturnType<typeof newScene>>;

beforeEach(async () => {
  scene = await newScene();
});

const listPath = () => `${scene.path}/projects/${scene.project.id}/tasks`;

type NewTask = Parameters<typeof createTasks>[1]['tasks'][number];

async function addTasks(...tasks: NewTask[]): Promise<string[]> {
  const created = await createTasks(await scene.owner.context(), { projectId: scene.project.id, tasks });
  return created.map(({ id }) => id);
}

const addTask = async (task: NewTask): Promise<string> => (await addTasks(task))[0] as string;

const taskOf = (id: string) => scene.db.prisma.task.findUniqueOrThrow({ where: { id } });

const YESTERDAY = new Date(Date.now() - 86_400_000);

describe('the tasks of a project in the console', () => {
  it('are listed by state, by due time and by assignee', async () => {
    const { as, member } = scene;
    const late = await addTask({ name: 'Late', dueAt: YESTERDAY, assigneeEmail: member.email });
    const early = await addTask({ name: 'Early' });
    const done = await addTask({ name: 'Done' });
    await as.owner.submit(`${listPath()}/${done}/state`, { do: 'complete' });
    const holds = async (query: string) => {
      const { text } = await as.member.open(`${listPath()}${query}`);
      return [late, early, done].map((id) => text.includes(`/tasks/${id}"`));
    };
    expect(await holds('')).toEqual([true, true, false]);
    expect(await holds('?show=overdue')).toEqual([true, false, false]);
    expect(await holds('?show=completed')).toEqual([false, false, true]);
    expect(await holds('?show=all&whose=own')).toEqual([true, false, false]);
    const own = (await as.member.open('/console/tasks')).text;
    expect([own.includes(`/tasks/${late}"`), own.includes(`/tasks/${early}"`)]).toEqual([true, false]);
  });

  it('have pages', async () => {
    await addTasks(...Array.from({ length: 30 }, (_, index) => ({ name: `Task ${index}` })));
    const { text } = await scene.as.member.open(`${listPath()}?show=all&whose=`);
    expect(text.match(/\/tasks\/tsk_\w+"/g)).toHaveLength(25);
    const next = /href="([^"]+after=[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await scene.as.member.open(next)).text.match(/\/tasks\/tsk_\w+"/g)).toHaveLength(5);
  });

  it('are created by an editor, and kept in the form where something is wrong', async () => {
    const { as, member } = scene;
    const form = { name: HOSTILE, description: 'All.', assigneeEmail: member.email, dueAt: '2031-03-04' };
    const { status, headers } = await as.member.submit(`${listPath()}/new`, form);
    expect(status).toBe(303);
    const { text } = await as.member.open(headers.get('location') ?? '');
    expect(text).toContain('The task was created.');
    expect(text).toContain('2031-03-04 23:59 UTC');
    expect(text).not.toContain('<script>alert');
    const wrong = await as.member.submit(`${listPath()}/new`, { ...form, dueAt: 'soon' });
    expect([wrong.status, wrong.text.includes('Enter a day')]).toEqual([422, true]);
    const unnamed = await as.member.submit(`${listPath()}/new`, { ...form, name: ' ' });
    expect([unnamed.status, unnamed.text.includes('value="2031-03-04"')]).toEqual([422, true]);
    const email = await as.member.submit(`${listPath()}/new`, { ...form, assigneeEmail: 'nobody' });
    expect([email.status, email.text.includes('href="#assigneeEmail"')]).toEqual([422, true]);
    expect(await scene.db.prisma.task.count({ where: { projectId: scene.project.id } })).toBe(1);
  });

  it('take as many statements for 20 as for 2', async () => {
    const { as, member } = scene;
    await addTasks({ name: 'A', assigneeEmail: member.email }, { name: 'B' });
    const count = async () => (await counted(() => as.member.open(listPath()))).statements.length;
    await count();
    const few = await count();
    await addTasks(...Array.from({ length: 18 }, () => ({ name: 'C', assigneeEmail: member.email })));
    expect(await count()).toBe(few);
  });
});

describe('a task in the console', () => {
  it('shows what belongs to it', async () => {
    const { as, owner, member, project } = scene;
    const [document] = await newDocuments(await owner.context(), project.id, [{ name: 'Plan <i>.txt' }]);
    const id = await addTask({
      ...{ name: 'Check', description: 'All of it, <b>now</b>.', tags: ['urgent'] },
      ...{ stakeholderIds: [member.id], documentIds: [document?.id as string], priority: 7 },
      duration: { amount: 3, unit: 'HOUR' },
    });
    await addTask({ name: 'Part', parentId: id });
    const { text } = await as.member.open(`${listPath()}/${id}`);
    for (const each of [
      'All of it, &lt;b&gt;now&lt;/b&gt;.',
      'urgent',
      '7 of 9',
      '3 hours',
      'Plan &lt;i&gt;.txt',
      'Part',
    ])
      expect(text).toContain(each);
    expect(text).toContain(`/documents/${document?.id}"`);
  });

  it('is completed with a result, reopened and denied', async () => {
    const { as } = scene;
    const id = await addTask({ name: 'Check' });
    const path = `${listPath()}/${id}`;
    const done = await as.member.submit(`${path}/state`, { do: 'complete', result: 'Fits' });
    expect(done.headers.get('location')).toBe(`${path}?done=completed`);
    expect(await taskOf(id)).toMatchObject({ state: 'COMPLETED', result: 'Fits' });
    const again = await as.member.submit(`${path}/state`, { do: 'complete' });
    expect([again.status, again.text.includes('Reopen the task')]).toEqual([409, true]);
    await as.member.submit(`${path}/state`, { do: 'reopen' });
    await as.member.submit(`${path}/state`, { do: 'deny', result: 'Too late' });
    expect(await taskOf(id)).toMatchObject({ state: 'DENIED', result: 'Too late' });
  });

  it('says where a result is too long, and keeps it', async () => {
    const id = await addTask({ name: 'Check' });
    const result = 'x'.repeat(300);
    const { status, text } = await scene.as.member.submit(`${listPath()}/${id}/state`, {
      do: 'deny',
      result,
    });
    expect([status, text.includes('href="#result"'), text.includes(result)]).toEqual([422, true, true]);
  });

  it('is assigned, and to nobody', async () => {
    const { as, member } = scene;
    const id = await addTask({ name: 'Check' });
    await as.owner.submit(`${listPath()}/${id}/assignee`, { assigneeEmail: member.email });
    expect(await taskOf(id)).toMatchObject({ assigneeEmail: member.email });
    await as.owner.submit(`${listPath()}/${id}/assignee`, { assigneeEmail: '' });
    expect(await taskOf(id)).toMatchObject({ assigneeEmail: null });
  });

  it('takes comments, which are escaped', async () => {
    const { as } = scene;
    const id = await addTask({ name: 'Check' });
    const path = `${listPath()}/${id}`;
    await as.member.submit(`${path}/comments`, { texts: HOSTILE });
    const { text } = await as.owner.open(path);
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script>alert');
    expect((await as.member.submit(`${path}/comments`, { texts: '  ' })).status).toBe(422);
  });

  it('is only read by a viewer', async () => {
    const { as, db, project, member } = scene;
    const id = await addTask({ name: 'Check' });
    const role = { role: 'VIEWER' as const, createdById: member.id };
    const where = { organizationId: project.organizationId, projectId: project.id, userId: member.id };
    await db.prisma.projectMember.create({ data: { id: newId('ProjectMember'), ...where, ...role } });
    await db.prisma.task.update({ where: { id }, data: { assigneeEmail: member.email } });
    const path = `${listPath()}/${id}`;
    expect((await as.member.open(path)).text).not.toMatch(/Close the task|Your comment/);
    expect((await as.member.open(listPath())).text).not.toContain('New task');
    for (const below of ['/state', '/assignee', '/comments'])
      expect((await as.member.submit(path + below, { do: 'complete', texts: 'x' })).status).toBe(403);
    expect((await as.member.open(`${listPath()}/new`)).status).toBe(403);
    expect(await taskOf(id)).toMatchObject({ state: 'OPEN' });
  });

  it('is unknown to a stranger, and below another project or organization', async () => {
    const { as, path } = scene;
    const id = await addTask({ name: 'Check' });
    for (const each of [listPath(), `${listPath()}/${id}`, `${listPath()}/new`])
      expect((await as.stranger.open(each)).status).toBe(404);
    const state = await as.stranger.submit(`${listPath()}/${id}/state`, { do: 'complete' });
    expect([state.status, (await taskOf(id)).state]).toEqual([404, 'OPEN']);
    for (const each of [
      `${path}/projects/${newId('Project')}/tasks/${id}`,
      `/console/${newId('Organization')}/projects/${scene.project.id}/tasks/${id}`,
      `${listPath()}/${newId('Task')}`,
    ])
      expect((await as.owner.open(each)).status).toBe(404);
  });
});
