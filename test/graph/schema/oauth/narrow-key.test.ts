import { describe, expect, it } from 'vitest';
import { issueApiKey } from '../../../../src/auth/api-key.ts';
import type { Scope } from '../../../../src/domain/kernel/scope.ts';
import { createTasks } from '../../../../src/domain/tasks/task-create.ts';
import { newDocuments } from '../../../support/storage.ts';
import { newWorld } from '../../../support/world.ts';

async function setUp() {
  const world = await newWorld();
  const { db, owner, organization, project } = world;
  const ctx = await owner.context();
  await newDocuments(ctx, project.id, [{ name: 'Plan' }]);
  await createTasks(ctx, {
    organizationId: organization.id,
    projectId: project.id,
    tasks: [{ name: 'Plan it' }],
  });
  const withScopes = async (...scopes: Scope[]) =>
    owner.with((await issueApiKey(db.prisma, { userId: owner.id, name: 'narrow', scopes })).secret);
  return { ...world, withScopes };
}

const SEARCH = `query ($id: ID!) { organization(id: $id) { search(query: "plan") {
  totalCount nodes { kind } facets { kinds { kind count } } } } }`;
const EVENTS = 'query ($id: ID!) { organization(id: $id) { events { nodes { kind } } } }';
const HOOK = `mutation ($id: ID!, $query: String) { createWebhooks(input: { organizationId: $id, webhooks: [
  { url: "https://receiver.example", query: $query }] }) { created { webhook { id } } } }`;

describe('a key with the scopes of an area', () => {
  it.each<[Scope, string]>([
    ['documents:read', 'DOCUMENT'],
    ['tasks:read', 'TASK'],
  ])('%s finds that alone', async (scope, kind) => {
    const { withScopes, organization } = await setUp();
    const { data } = await (await withScopes(scope)).graph(SEARCH, { id: organization.id });
    expect(data.organization.search).toEqual({
      totalCount: 1,
      nodes: [{ kind }],
      facets: { kinds: [{ kind, count: 1 }] },
    });
  });

  it('finds nothing where nothing can be found with it', async () => {
    const { withScopes, organization } = await setUp();
    const { data } = await (await withScopes('approvals:read')).graph(SEARCH, { id: organization.id });
    expect(data.organization.search).toEqual({ totalCount: 0, nodes: [], facets: { kinds: [] } });
  });

  it.each<[Scope[], string[]]>([
    [['events:read'], []],
    [['events:read', 'tasks:read'], ['task.created']],
    [['events:read', 'documents:read'], ['document.created']],
  ])('%j reads the events of objects that it may read', async (scopes, kinds) => {
    const { withScopes, organization } = await setUp();
    const { data } = await (await withScopes(...scopes)).graph(EVENTS, { id: organization.id });
    const read = data.organization.events.nodes.map(({ kind }: { kind: string }) => kind);
    expect([...new Set(read)]).toEqual(kinds);
  });

  it('sets up webhooks that select no more than it may read', async () => {
    const { withScopes, organization } = await setUp();
    const key = await withScopes('webhooks:write', 'events:read', 'tasks:read');
    const create = async (query: string) => key.graph(HOOK, { id: organization.id, query });
    expect((await create('{ kind subject { ... on Task { name } } }')).errors).toBeUndefined();
    const { errors } = await create('{ kind subject { ... on Document { name } } }');
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      missing: ['documents:read'],
    });
  });

  it('creates keys with no more than its scopes', async () => {
    const { withScopes } = await setUp();
    const CREATE =
      'mutation ($keys: [NewApiKey!]!) { createApiKeys(input: { keys: $keys }) { created { key { scopes } } } }';
    const key = await withScopes('write', 'tasks:read');
    const create = (scopes?: string[]) => key.graph(CREATE, { keys: [{ name: 'less', scopes }] });
    expect((await create(['DOCUMENTS_WRITE', 'TASKS_READ'])).data.createApiKeys.created).toEqual([
      { key: { scopes: ['DOCUMENTS_WRITE', 'TASKS_READ'] } },
    ]);
    expect((await create()).data.createApiKeys.created).toEqual([
      { key: { scopes: ['WRITE', 'TASKS_READ'] } },
    ]);
    expect(codes((await create(['DOCUMENTS_READ'])).errors)).toEqual(['FORBIDDEN']);
    expect(codes((await create(['READ'])).errors)).toEqual(['FORBIDDEN']);
  });

  it('is created over REST with the names of OAuth', async () => {
    const { owner } = await setUp();
    const { body } = await owner.rest('POST', '/user/apiKeys', [
      { Name: 'REST', Scopes: ['forms:read', 'webhooks:write'] },
    ]);
    expect(body[0].Scopes).toEqual(['forms:read', 'webhooks:write']);
    const refused = await owner.rest('POST', '/user/apiKeys', [{ Name: 'REST', Scopes: ['forms:all'] }]);
    expect(refused.status).toBe(400);
  });
});

const codes = (errors: readonly { extensions: { code: string } }[] | undefined) =>
  errors?.map(({ extensions }) => extensions.code);
