import { type ClientOptions, createClient, NetworkError } from 'graphql-sse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiServer, CREATE_TASKS } from './api-server.ts';

let server: Awaited<ReturnType<typeof apiServer>>;
beforeAll(async () => {
  server = await apiServer();
});
afterAll(() => server.close());

const EVENTS =
  'subscription Events($id: ID!) { eventAppended(organizationId: $id) { kind subject { ... on Task { name } } } }';

const newClient = <Single extends boolean>(options: Partial<ClientOptions<Single>>) =>
  createClient({
    url: server.url,
    headers: server.headers,
    retryAttempts: 0,
    ...options,
  } as ClientOptions<Single>);

const addTask = (name: string) =>
  server.owner.graph(CREATE_TASKS, { input: { projectId: server.project.id, tasks: [{ name }] } });

describe('graphql-sse', () => {
  it('receives events in the distinct connections mode, and those it missed with Last-Event-ID', async () => {
    const variables = { id: server.organization.id };
    await addTask('before');
    const client = newClient({ headers: { ...server.headers, 'Last-Event-ID': '0' } });
    const results = client.iterate({ query: EVENTS, variables });
    const names: unknown[] = [];
    for await (const { data } of results) {
      const { kind, subject } = (data as { eventAppended: { kind: string; subject: { name: string } } })
        .eventAppended;
      if (kind !== 'task.created') continue;
      names.push(subject.name);
      if (names.length === 2) break;
      await addTask('after');
    }
    expect(names).toEqual(['before', 'after']);
    client.dispose();
  });

  it('reports in the single connection mode that the server does not have it', async () => {
    const client = newClient<true>({ singleConnection: true });
    const error = await new Promise((resolve) =>
      client.subscribe(
        { query: EVENTS, variables: { id: server.organization.id } },
        { next: () => {}, error: resolve, complete: () => resolve(undefined) },
      ),
    );
    expect(error).toBeInstanceOf(NetworkError);
    expect((error as Error).message).toBe(
      'Server responded with 405: Single connection mode is not supported',
    );
  });
});
