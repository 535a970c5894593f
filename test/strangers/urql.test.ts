import { createClient, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { introspectionFromSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graph/schema/schema.ts';
import { apiServer, CREATE_TASKS, TASKS, UPDATE_TASK } from './api-server.ts';

let server: Awaited<ReturnType<typeof apiServer>>;
beforeAll(async () => {
  server = await apiServer();
});
afterAll(() => server.close());

function newClient() {
  const cache = cacheExchange({ schema: introspectionFromSchema(schema) as never });
  const { url, headers } = server;
  return createClient({ url, fetchOptions: { headers }, exchanges: [cache, fetchExchange] });
}

describe('urql with its normalized cache', () => {
  it('queries by GET, and shows a mutation in a list that is cached', async () => {
    const client = newClient();
    const input = { projectId: server.project.id, tasks: [{ name: 'a' }] };
    const created = await client.mutation(CREATE_TASKS, { input });
    const taskId = created.data.createTasks.tasks[0].id;
    const variables = { id: server.project.id, first: 5 };
    expect((await client.query(TASKS, variables)).data.project.tasks.edges).toMatchObject([
      { node: { id: taskId, name: 'a' } },
    ]);
    await client.mutation(UPDATE_TASK, { input: { taskId, name: 'new' } });
    const cached = await client.query(TASKS, variables, { requestPolicy: 'cache-only' });
    expect(cached.data.project.tasks.edges).toMatchObject([{ node: { id: taskId, name: 'new' } }]);
  });

  it('gets the code of an error', async () => {
    const { error } = await newClient().query('{ project(id: "prj_x") { id } }', {});
    expect(error?.graphQLErrors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
  });
});
