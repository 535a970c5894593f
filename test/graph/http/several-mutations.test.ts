import { expect, it } from 'vitest';
import { newWorld, testApp } from '../../support/world.ts';

const MUTATIONS = `mutation ($first: CreateTasksInput!, $second: CreateTasksInput!, $third: CreateTasksInput!) {
  first: createTasks(input: $first) { tasks { name } }
  second: createTasks(input: $second) { tasks { name } }
  third: createTasks(input: $third) { tasks { name } }
}`;

it('of several mutations, those that succeed are answered, and the same request again changes nothing', async () => {
  const { db, owner, project, stranger } = await newWorld();
  const foreign = await db.prisma.project.findFirst({ where: { createdById: stranger.id } });
  const tasks = (name: string, projectId = project.id) => ({ projectId, tasks: [{ name }] });
  const hidden = foreign?.id ?? `prj_${'0'.repeat(26)}`;
  const variables = { first: tasks('One'), second: tasks('Two', hidden), third: tasks('Three') };
  const app = await testApp(db);
  const send = () =>
    app.request('/graphql', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.key}`,
        'content-type': 'application/json',
        'idempotency-key': `several ${project.id}`,
      },
      body: JSON.stringify({ query: MUTATIONS, variables }),
    });
  const answers = [await send(), await send()];
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      data: { first: { tasks: [{ name: 'One' }] }, second: null, third: { tasks: [{ name: 'Three' }] } },
      errors: [{ path: ['second'], extensions: { code: 'NOT_FOUND' } }],
    });
  }
  expect(await db.prisma.task.count({ where: { projectId: project.id } })).toBe(2);
});
