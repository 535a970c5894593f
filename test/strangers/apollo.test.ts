import { createHash } from 'node:crypto';
import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  gql,
  HttpLink,
  InMemoryCache,
} from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { relayStylePagination } from '@apollo/client/utilities';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiServer, CREATE_TASKS, TASKS, UPDATE_TASK } from './api-server.ts';

let server: Awaited<ReturnType<typeof apiServer>>;
beforeAll(async () => {
  server = await apiServer();
});
afterAll(() => server.close());

/** A client with an empty cache, whose requests are recorded. */
function newClient(...links: ApolloLink[]) {
  server.requests.length = 0;
  const { url: uri, headers, recordingFetch } = server;
  const cache = new InMemoryCache({
    typePolicies: { Project: { fields: { tasks: relayStylePagination() } } },
  });
  const http = new HttpLink({ uri, headers, fetch: recordingFetch });
  return new ApolloClient({ cache, link: ApolloLink.from([...links, http]) });
}

interface TaskList {
  project: { tasks: { edges: { node: { id: string; name: string } }[]; pageInfo: { endCursor: string } } };
}

const namesIn = (data: TaskList | undefined | null) => data?.project.tasks.edges.map(({ node }) => node.name);

async function newTasks(...names: string[]): Promise<string[]> {
  const input = { projectId: server.project.id, tasks: names.map((name) => ({ name })) };
  const { data } = await newClient().mutate<{ createTasks: { tasks: { id: string }[] } }>({
    mutation: gql(CREATE_TASKS),
    variables: { input },
  });
  return data?.createTasks.tasks.map(({ id }) => id) ?? [];
}

describe('Apollo Client', () => {
  it('joins the pages of a connection, and shows a mutation in it', async () => {
    const [, , id] = await newTasks('a', 'b', 'c');
    const client = newClient();
    const options = { query: gql(TASKS), variables: { id: server.project.id, first: 2 } };
    const first = await client.query<TaskList>(options);
    const list = client.watchQuery<TaskList>(options);
    const subscription = list.subscribe(() => {});
    await list.fetchMore({ variables: { after: first.data?.project.tasks.pageInfo.endCursor } });
    const before = namesIn(client.readQuery(options));
    expect(before?.toSorted()).toEqual(['a', 'b', 'c']);
    await client.mutate({ mutation: gql(UPDATE_TASK), variables: { input: { taskId: id, name: 'new' } } });
    expect(namesIn(client.readQuery(options))).toEqual(before?.map((name) => (name === 'c' ? 'new' : name)));
    subscription.unsubscribe();
  });

  it('gets the code, the path and the request id of an error', async () => {
    const variables = { input: { projectId: server.project.id, tasks: [{ name: '' }] } };
    const error = await newClient()
      .mutate({ mutation: gql(CREATE_TASKS), variables })
      .catch((thrown: unknown) => thrown);
    expect(CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions).toEqual({
      code: 'BAD_USER_INPUT',
      at: 'tasks.0.name',
      requestId: expect.any(String),
    });
  });

  it.each([
    false,
    true,
  ])('sends each text once with the persisted query link (hashes by GET: %s)', async (byGet) => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const client = newClient(new PersistedQueryLink({ sha256, useGETForHashedQueries: byGet }));
    const query = gql(`query Viewer${byGet} { viewer { email } }`);
    for (let count = 0; count < 3; count++) {
      const { data } = await client.query({ query, fetchPolicy: 'network-only' });
      expect(data).toMatchObject({ viewer: { email: server.owner.email } });
    }
    const hashed = byGet ? 'GET' : 'POST';
    expect(server.requests.map(({ method, body }) => [method, body.includes('"query"')])).toEqual([
      [hashed, false],
      ['POST', true],
      [hashed, false],
      [hashed, false],
    ]);
  });
});
