import { ApolloClient, ApolloLink, gql, InMemoryCache } from '@apollo/client/core';
import { createClient as createUrqlClient, subscriptionExchange } from '@urql/core';
import { print } from 'graphql';
import { createClient as createSseClient, type ExecutionResult } from 'graphql-sse';
import pino from 'pino';
import { Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/http/listen.ts';
import { createApp } from '../../src/http/server.ts';
import { testStorage } from '../support/storage.ts';
import { config, newWorld } from '../support/world.ts';
import { CREATE_TASKS } from './api-server.ts';

const EVENTS = `subscription Events($id: ID!) {
  eventAppended(organizationId: $id, kinds: ["task.created"]) { sequence subject { ... on Task { name } } } }`;

interface Appended {
  eventAppended: { sequence: number; subject: { name: string } };
}

type World = Awaited<ReturnType<typeof newWorld>>;

/** A server that can be stopped as by SIGTERM, and started again at the same port. */
async function restartable({ db }: World) {
  const storage = await testStorage(db);
  const start = async (port: number) => {
    const stopping = new AbortController();
    const log = pino({ level: 'silent' });
    const server = await listen(createApp({ config, db, storage, log, stopping: stopping.signal }), {
      port,
      host: '127.0.0.1',
    });
    const stop = () => {
      stopping.abort();
      return server.close();
    };
    return { port: server.port, stop };
  };
  let running = await start(0);
  return {
    url: `http://127.0.0.1:${running.port}/graphql`,
    stop: () => running.stop(),
    async start() {
      running = await start(running.port);
    },
  };
}

/** The client of docs/start-front-end.md: each connection continues after the last event that was read. */
function sseClient(url: string, key: string) {
  let last: number | undefined;
  const client = createSseClient({
    url,
    headers: () => ({
      authorization: `Bearer ${key}`,
      ...(last === undefined ? {} : { 'last-event-id': String(last) }),
    }),
    retry: () => new Promise((resolve) => setTimeout(resolve, 50)),
    retryAttempts: 1_000,
  });
  const read = ({ data }: ExecutionResult<Appended>) => {
    last = data?.eventAppended.sequence ?? last;
  };
  return { client, read };
}

type Sink = {
  next: (result: ExecutionResult<Appended>) => void;
  error: (error: unknown) => void;
  complete: () => void;
};

/** How each client of other authors follows the events; `names` are those of the tasks that it has received. */
const CLIENTS: Record<string, (url: string, world: World, names: string[]) => () => void> = {
  'graphql-sse': (url, { owner, organization }, names) => {
    const { client, read } = sseClient(url, owner.key);
    const sink: Sink = {
      next: (result) => {
        read(result);
        names.push(result.data?.eventAppended.subject.name ?? JSON.stringify(result.errors));
      },
      error: (error) => names.push(String(error)),
      complete: () => names.push('complete'),
    };
    return client.subscribe<Appended>({ query: EVENTS, variables: { id: organization.id } }, sink);
  },
  urql: (url, { owner, organization }, names) => {
    const { client, read } = sseClient(url, owner.key);
    const exchange = subscriptionExchange({
      forwardSubscription: ({ query = '', variables = {} }) => ({
        subscribe: (sink) => ({
          unsubscribe: client.subscribe<Appended>({ query, variables: { ...variables } }, {
            ...sink,
            next: (result: ExecutionResult<Appended>) => {
              read(result);
              sink.next(result as never);
            },
          } as Sink),
        }),
      }),
    });
    return createUrqlClient({ url, exchanges: [exchange] })
      .subscription<Appended>(EVENTS, { id: organization.id })
      .subscribe(({ data, error }) => names.push(data?.eventAppended.subject.name ?? String(error)))
      .unsubscribe;
  },
  'Apollo Client': (url, { owner, organization }, names) => {
    const { client, read } = sseClient(url, owner.key);
    const link = new ApolloLink(
      ({ query, variables }) =>
        new Observable((sink) =>
          client.subscribe<Appended>({ query: print(query), variables }, {
            next: (result: ExecutionResult<Appended>) => {
              read(result);
              sink.next(result as never);
            },
            error: (error: unknown) => sink.error(error),
            complete: () => sink.complete(),
          } as Sink),
        ),
    );
    const apollo = new ApolloClient({ link, cache: new InMemoryCache() });
    const subscription = apollo
      .subscribe<Appended>({ query: gql(EVENTS), variables: { id: organization.id } })
      .subscribe({
        next: ({ data, error }) => names.push(data?.eventAppended.subject.name ?? String(error)),
        complete: () => names.push('complete'),
      });
    return () => subscription.unsubscribe();
  },
};

describe.each(Object.entries(CLIENTS))('%s, while servers are restarted one after the other', (_, follow) => {
  it('connects again by itself, and receives each event once', async () => {
    const world = await newWorld();
    const server = await restartable(world);
    const names: string[] = [];
    const addTask = async (name: string) => {
      const input = { projectId: world.project.id, tasks: [{ name }] };
      expect((await world.owner.graph(CREATE_TASKS, { input })).errors).toBeUndefined();
    };
    const end = follow(server.url, world, names);
    // Until the subscription has begun, what happens is not part of it.
    await expect
      .poll(async () => {
        await addTask('begun');
        return names.length;
      })
      .toBeGreaterThan(0);
    await addTask('before');
    await expect.poll(() => names.includes('before')).toBe(true);
    for (const round of [1, 2]) {
      await server.stop();
      await addTask(`while down ${round}`);
      await server.start();
      await addTask(`after ${round}`);
      await expect.poll(() => names.includes(`after ${round}`)).toBe(true);
    }
    const received = names.filter((name) => name !== 'begun');
    end();
    await server.stop();
    expect(received).toEqual(['before', ...['while down 1', 'after 1'], ...['while down 2', 'after 2']]);
  });
});
