import { generate } from '@graphql-codegen/cli';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiServer } from './api-server.ts';

let server: Awaited<ReturnType<typeof apiServer>>;
beforeAll(async () => {
  server = await apiServer();
});
afterAll(() => server.close());

const OPERATIONS = `
  query ErrorCodes { errorCodes }
  query Tasks($id: ID!, $after: String) {
    project(id: $id) { name tasks(first: 10, after: $after) { nodes { id name state dueAt } pageInfo { endCursor } } }
  }
`;

describe('the published descriptions', () => {
  it('give graphql-codegen the types of operations, and of the error codes', async () => {
    const schema = await (await fetch(`${server.url}/schema.graphql`, { headers: server.headers })).text();
    const files: { filename: string; content: string }[] = await generate(
      { schema, documents: OPERATIONS, generates: { 'gql/': { preset: 'client' } }, silent: true },
      false,
    );
    const types = files.find(({ filename }) => filename.endsWith('/graphql.ts'))?.content;
    expect(types).toMatch(/type ErrorCode =/);
    expect(types).toContain("'PERSISTED_QUERY_NOT_FOUND'");
    expect(types).toMatch(/export type TasksQuery = /);
  });

  it('pass the recommended rules of Redocly', async () => {
    const source = await (await fetch(`${server.origin}/api/v1/openapi.json`)).text();
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
    const errors = problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]);
    expect(errors).toEqual([]);
  });
});
