import { beforeAll, describe, expect, it } from 'vitest';
import { newWorld, type Person } from '../../../support/world.ts';

const LEAST =
  'query ($document: String!, $name: String) { leastScope(document: $document, operationName: $name) }';
const ROUTE = 'query ($method: String!, $path: String!) { leastScopeOfRoute(method: $method, path: $path) }';

let owner: Person;

beforeAll(async () => {
  owner = (await newWorld()).owner;
});

const failure = ({
  errors,
}: {
  errors?: { message: string; extensions: { code: string; at?: string } }[];
}) => [errors?.[0]?.extensions.code, errors?.[0]?.extensions.at];

describe('leastScope', () => {
  it('is the smallest set of scopes of the operation that is named', async () => {
    const document = `query A { task(id: "x") { name } } mutation B { completeTask(input: { taskId: "x" }) { task { name } } }`;
    const of = async (name: string) => (await owner.graph(LEAST, { document, name })).data.leastScope;
    expect([await of('A'), await of('B')]).toEqual([['TASKS_READ'], ['TASKS_WRITE']]);
  });

  it.each([
    ['{ task(id: "x") { nothing } }', undefined, 'document'],
    ['{ task', undefined, 'document'],
    ['{ viewer { name } }', 'Other', 'operationName'],
    ['query A { viewer { name } } query B { viewer { name } }', undefined, 'operationName'],
    ['fragment F on Task { name }', undefined, 'document'],
  ])('refuses %j, running %s', async (document, name, at) => {
    expect(failure(await owner.graph(LEAST, { document, name }))).toEqual(['BAD_USER_INPUT', at]);
  });
});

describe('leastScopeOfRoute', () => {
  it.each([
    ['GET', '/organizations/{organizationId}/projects/{projectId}/documents', ['DOCUMENTS_READ']],
    ['get', '/api/v1/organizations/org_1/projects/prj_1/documents?cursor=x', ['DOCUMENTS_READ']],
    ['POST', '/user/apiKeys', ['WRITE']],
  ])('of %s %s is %j', async (method, path, scopes) => {
    const { data } = await owner.graph(ROUTE, { method, path });
    expect(data.leastScopeOfRoute).toEqual(scopes);
  });

  it.each([
    ['GET', '/nothing'],
    ['PATCH', '/user/profile'],
    ['GET', '/organizations//projects'],
  ])('does not find %s %s', async (method, path) => {
    expect(failure(await owner.graph(ROUTE, { method, path }))).toEqual(['NOT_FOUND', 'path']);
  });
});
