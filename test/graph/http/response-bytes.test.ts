import { describe, expect, it } from 'vitest';
import { createTasks } from '../../../src/domain/tasks/task-create.ts';
import { newApp, ORIGIN } from '../../support/browser.ts';
import { newWorld } from '../../support/world.ts';

const LIMIT = 2 ** 16;

/** A project with tasks of 9,000 bytes of text each, on a server whose responses have at most 64 KiB, from at most 128 of rows. */
async function setUp(count = 12) {
  const { db, owner, organization, project } = await newWorld();
  const app = await newApp(db, { env: { RESPONSE_BYTES: String(LIMIT) } });
  const tasks = await createTasks(await owner.context(), {
    projectId: project.id,
    tasks: Array.from({ length: count }, (_, index) => ({
      name: `T${index}`,
      description: 'é'.repeat(4_500),
    })),
  });
  const send = (path: string, init: RequestInit = {}) =>
    app.request(ORIGIN + path, {
      ...init,
      headers: {
        authorization: `Bearer ${owner.key}`,
        'content-type': 'application/json',
        ...(init.headers as Record<string, string>),
      },
    });
  const graph = async (query: string, variables = {}, headers = {}) => {
    const response = await send('/graphql', {
      method: 'POST',
      body: JSON.stringify({ query, variables }),
      headers,
    });
    return { status: response.status, body: await response.json() };
  };
  const taskIds = tasks.map(({ id }) => id);
  const route = `/api/v1/organizations/${organization.id}/projects/${project.id}/tasks`;
  return { db, graph, send, route, projectId: project.id, taskIds };
}

const TASKS =
  'query ($id: ID!, $n: Int!) { project(id: $id) { tasks(first: $n) { nodes { description } } } }';
const NESTED =
  'query ($id: ID!) { project(id: $id) { tasks(first: 12) { nodes { project { tasks(first: 12) { nodes { description } } } } } } }';

describe('a response above RESPONSE_BYTES', () => {
  it('is refused with the field that reaches the limit, the first time and from the cache of documents', async () => {
    const { graph, projectId: id } = await setUp();
    for (const query of [NESTED, NESTED, TASKS, TASKS]) {
      const { status, body } = await graph(query, { id, n: 12 });
      expect([status, body.data, body.errors.length]).toEqual([200, null, 1]);
      expect(body.errors[0]).toMatchObject({
        message: `The response would have more than ${LIMIT} bytes, at Task.description. Request fewer items or fields at a time.`,
        extensions: { code: 'COST_LIMIT_EXCEEDED' },
        path: expect.arrayContaining(['project', 'tasks', 'nodes', 'description']),
      });
    }
    const within = await graph(TASKS, { id, n: 7 });
    expect(within.body.data.project.tasks.nodes).toHaveLength(7);
  });

  it('of a mutation says that the change was made, and a repeat with its key does not make it again', async () => {
    const { db, graph, taskIds, projectId } = await setUp();
    const query = `mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { project { tasks(first: 10) { nodes { description } } } } } }`;
    const input = { projectId, tasks: [{ name: 'one' }] };
    const key = { 'idempotency-key': 'large' };
    const first = await graph(query, { input }, key);
    expect(first.body.data).toBeNull();
    expect(first.body.errors[0]).toMatchObject({
      message: `The response would have more than ${LIMIT} bytes, at Task.description. The changes of createTasks were made: read what came of them in smaller parts.`,
      extensions: { code: 'COST_LIMIT_EXCEEDED' },
    });
    const again = await graph(query, { input }, key);
    expect(again.body.errors[0].message).toBe(first.body.errors[0].message);
    expect(await db.prisma.task.count({ where: { projectId } })).toBe(taskIds.length + 1);
  });

  it('is a problem in REST v1', async () => {
    const { send, route, taskIds } = await setUp();
    const response = await send(route, { headers: { accept: 'application/problem+json' } });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({
        code: 'COST_LIMIT_EXCEEDED',
        message: expect.stringContaining('at Task.description'),
      }),
    ]);
    expect((await send(`${route}/${taskIds[0]}`)).status).toBe(200);
  });
});

describe('rows of more than twice RESPONSE_BYTES', () => {
  const message = `The rows of this request have more than ${2 * LIMIT} bytes.`;

  it('end the operation that reads them, however little of them it selects', async () => {
    const { graph, projectId: id } = await setUp(40);
    const names = 'query ($id: ID!, $n: Int!) { project(id: $id) { tasks(first: $n) { nodes { name } } } }';
    for (const _ of [1, 2]) {
      const { status, body } = await graph(names, { id, n: 40 });
      expect([status, body.data, body.errors.length]).toEqual([200, null, 1]);
      expect(body.errors[0]).toMatchObject({
        message: `${message} Request fewer items or fields at a time.`,
        extensions: { code: 'COST_LIMIT_EXCEEDED' },
        path: ['project', 'tasks'],
      });
    }
    expect((await graph(names, { id, n: 10 })).body.data.project.tasks.nodes).toHaveLength(10);
  });

  it('of a mutation end it with what was changed', async () => {
    const { db, graph, projectId } = await setUp(40);
    const query = `mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { project { tasks(first: 40) { nodes { name } } } } } }`;
    const { body } = await graph(query, { input: { projectId, tasks: [{ name: 'one' }] } });
    expect([body.data, body.errors.length]).toEqual([null, 1]);
    expect(body.errors[0].message).toBe(
      `${message} The changes of createTasks were made: read what came of them in smaller parts.`,
    );
    expect(await db.prisma.task.count({ where: { projectId } })).toBe(41);
  });

  it('are a problem in REST v1', async () => {
    const { send, route } = await setUp(40);
    const response = await send(route);
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'COST_LIMIT_EXCEEDED', message: expect.stringContaining(message) }),
    ]);
  });
});

describe('a response that is larger than its points pay for', () => {
  it('says what is charged', async () => {
    const { graph, projectId: id } = await setUp();
    const { body } = await graph(TASKS, { id, n: 7 });
    const { requested, charged } = body.extensions.cost;
    expect([requested, charged]).toEqual([18, 30]);
    const small = await graph('query ($id: ID!) { project(id: $id) { name } }', { id });
    expect(small.body.extensions.cost).toEqual({ requested: 1, limit: 10_000 });
  });
});
