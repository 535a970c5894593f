import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BadUserInputError,
  ConflictError,
  ConnectionError,
  createClient,
  DocgraphError,
  errorCodes,
  errorOfResponse,
  ForbiddenError,
  InsufficientScopeError,
  InternalError,
  NotFoundError,
  RateLimitedError,
  UnauthenticatedError,
  UnavailableError,
} from '../../packages/client/src/index.ts';
import { ERROR_CODES } from '../../src/domain/kernel/errors.ts';
import { newPerson } from '../support/world.ts';
import { clientServer } from './client-server.ts';

let server: Awaited<ReturnType<typeof clientServer>>;
beforeAll(async () => {
  server = await clientServer();
});
afterAll(() => server.close());

const CREATE =
  'mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { id name version } } }';
const newTask = (name: string) => ({ input: { projectId: server.project.id, tasks: [{ name }] } });
const tasksNamed = (name: string) =>
  server.db.prisma.task.count({ where: { projectId: server.project.id, name } });

const PROJECT = 'query ($id: ID!) { project(id: $id) { name } }';

/** A network that loses the first `count` answers after the server has sent them. */
const losing = (count: number): typeof fetch => {
  let lost = 0;
  return async (...call) => {
    const response = await fetch(...call);
    if (lost++ >= count) return response;
    await response.arrayBuffer();
    throw new TypeError('fetch failed');
  };
};

/** What a request fails with. */
const failureOf = (request: Promise<unknown>): Promise<DocgraphError> =>
  request.then(
    () => Promise.reject(new Error('The request was expected to fail.')),
    (error) => error,
  );

/** Sends until a request fails. */
async function untilRefused(send: () => Promise<unknown>): Promise<DocgraphError> {
  for (;;) {
    const failure = await send().then(
      () => undefined,
      (error) => error,
    );
    if (failure) return failure;
  }
}

const FAST = { firstPause: 1 };

describe('errors', () => {
  it('have the codes of the server', () => {
    expect([...errorCodes].sort()).toEqual(Object.keys(ERROR_CODES).sort());
    const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
    expect([...page.matchAll(/^### ([A-Z_]+)$/gm)].map(([, code]) => code)).toEqual([...errorCodes]);
  });

  it('are of the class of their code, with the id of the request', async () => {
    const error = await failureOf(server.client.request(PROJECT, { id: 'prj_none' }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toBeInstanceOf(DocgraphError);
    expect(error).toMatchObject({ name: 'NotFoundError', code: 'NOT_FOUND', path: ['project'] });
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('name the path of the value that is not allowed', async () => {
    const error = await failureOf(server.client.request(CREATE, newTask('')));
    expect(error).toBeInstanceOf(BadUserInputError);
    expect(error.at).toBe('tasks.0.name');
  });

  it('have the current version after an expected one', async () => {
    const { createTasks } = await server.client.request<{
      createTasks: { tasks: [{ id: string; version: number }] };
    }>(CREATE, newTask('versioned'));
    const [{ id, version }] = createTasks.tasks;
    const update = 'mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { task { id } } }';
    const input = { taskId: id, name: 'new', expectedVersion: version + 1 };
    const error = await failureOf(server.client.request(update, { input }));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error.version).toBe(version);
  });

  it('name the scopes that are missing', async () => {
    const { key } = await newPerson(server.db, ['read']);
    const reader = createClient({ url: server.url, token: key });
    const error = await failureOf(reader.request(CREATE, newTask('x')));
    expect(error).toBeInstanceOf(InsufficientScopeError);
    expect(error).toMatchObject({ required: ['tasks:write'], missing: ['tasks:write'] });
  });

  it('of REST v1 are of the same classes', async () => {
    const answer = await server.client.fetch('/api/v1/organizations/org_none/projects');
    const error = await errorOfResponse(answer);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.requestId).toBe(answer.headers.get('x-request-id'));
    const path = `/api/v1/organizations/${server.organization.id}/projects/${server.project.id}/tasks`;
    const body = '[{"Name":""}]';
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const refusal = await errorOfResponse(await server.client.fetch(path, init));
    expect(refusal).toBeInstanceOf(BadUserInputError);
    expect(refusal.at).toBe('0.Name');
  });

  it.each([
    [403, ForbiddenError],
    [405, BadUserInputError],
    [408, UnavailableError],
    [500, InternalError],
  ])('of a proxy are of the class of the status %i', async (status, expected) => {
    expect(await errorOfResponse(new Response('<html>', { status }))).toBeInstanceOf(expected);
  });

  it('have what the other fields returned', async () => {
    const text = 'query ($id: ID!) { viewer { email } project(id: $id) { id } }';
    const error = await failureOf(server.client.request(text, { id: 'prj_none' }));
    expect(error.data).toEqual({ viewer: { email: server.owner.email }, project: null });
  });

  it('say that there is no valid credential', async () => {
    const anonymous = createClient({ url: server.url });
    await expect(anonymous.request('{ viewer { email } }')).rejects.toBeInstanceOf(UnauthenticatedError);
  });

  it('say that the server cannot be reached', async () => {
    const client = createClient({ url: 'http://127.0.0.1:1', retry: FAST });
    await expect(client.request('{ viewer { email } }')).rejects.toBeInstanceOf(ConnectionError);
  });
});

describe('the token', () => {
  it('may come from a function, for each request', async () => {
    const tokens = ['dgk_wrong', server.owner.key];
    const client = createClient({ url: server.url, token: async () => tokens.shift() });
    await expect(client.request('{ viewer { email } }')).rejects.toBeInstanceOf(UnauthenticatedError);
    expect(await client.request('{ viewer { email } }')).toEqual({ viewer: { email: server.owner.email } });
  });

  it('is sent to the server only', async () => {
    const sent: Request[] = [];
    const record: typeof fetch = async (input, init) => {
      sent.push(new Request(input, init));
      return new Response('{}');
    };
    const client = createClient({ url: 'https://docgraph.example', token: 'secret', fetch: record });
    await client.fetch('/api/v1/user');
    await client.fetch('https://elsewhere.example/');
    expect(sent.map(({ url, headers }) => [url, headers.get('authorization')])).toEqual([
      ['https://docgraph.example/api/v1/user', 'Bearer secret'],
      ['https://elsewhere.example/', null],
    ]);
  });
});

describe('retries', () => {
  it('repeat a mutation whose answer was lost, which has its effect once', async () => {
    const client = createClient({ url: server.url, token: server.owner.key, fetch: losing(2), retry: FAST });
    const data = await client.request(CREATE, newTask('once'));
    expect(data).toMatchObject({ createTasks: { tasks: [{ name: 'once' }] } });
    expect(await tasksNamed('once')).toBe(1);
  });

  it('repeat a mutation of another client that uses the fetch, once', async () => {
    const client = createClient({ url: server.url, token: server.owner.key, fetch: losing(1), retry: FAST });
    const body = JSON.stringify({ query: CREATE, variables: newTask('by fetch') });
    const response = await client.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    expect(await tasksNamed('by fetch')).toBe(1);
  });

  it('do not repeat what is not safe to repeat', async () => {
    const client = createClient({ url: server.url, token: server.owner.key, fetch: losing(1), retry: FAST });
    const path = `/api/v1/organizations/${server.organization.id}/projects/${server.project.id}/tasks`;
    const post = client.fetch(path, { method: 'POST', body: '[{"Name":"rest"}]' });
    await expect(post).rejects.toBeInstanceOf(ConnectionError);
    expect(await tasksNamed('rest')).toBe(1);
  });

  it('do not repeat a refusal', async () => {
    const { requests } = server;
    requests.length = 0;
    await server.client.request(PROJECT, { id: 'prj_none' }).catch(() => {});
    expect(requests).toHaveLength(1);
  });

  it('end with the last failure', async () => {
    const down: typeof fetch = async () => new Response('busy', { status: 503 });
    const client = createClient({ url: server.url, fetch: down, retry: { ...FAST, attempts: 2 } });
    await expect(client.request('{ viewer { email } }')).rejects.toBeInstanceOf(UnavailableError);
    expect((await client.fetch('/healthz')).status).toBe(503);
  });

  it('end with the signal', async () => {
    const client = createClient({
      url: 'http://127.0.0.1:1',
      retry: { firstPause: 60_000, longestPause: 60_000, attempts: 9 },
    });
    const controller = new AbortController();
    const request = client.request('{ viewer { email } }', {}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await expect(request).rejects.toThrow('enough');
  });
});

describe('a rate limit', () => {
  it('is waited for as long as the server says', async () => {
    const limited = await clientServer({ requests: 60 });
    const statuses: number[] = [];
    const recording: typeof fetch = async (...call) => {
      const response = await fetch(...call);
      statuses.push(response.status);
      return response;
    };
    const impatient = createClient({ url: limited.url, token: limited.owner.key, retry: { attempts: 1 } });
    const patient = createClient({ url: limited.url, token: limited.owner.key, fetch: recording });
    // On a slow machine, a request may be free again before the patient client comes.
    while (!statuses.includes(429)) {
      const refused = await untilRefused(() => impatient.request('{ viewer { email } }'));
      expect(refused).toBeInstanceOf(RateLimitedError);
      expect(refused.retryAfter).toBe(1);
      expect(await patient.request('{ viewer { email } }')).toEqual({
        viewer: { email: limited.owner.email },
      });
    }
    expect(statuses.at(-1)).toBe(200);
    await limited.close();
  });

  it('may name a time by the clock of the server', async () => {
    const later = (seconds: number) => new Date(Date.now() + 7_200_000 + seconds * 1_000).toUTCString();
    const headers = { date: later(0), 'retry-after': later(90) };
    expect((await errorOfResponse(new Response('', { status: 429, headers }))).retryAfter).toBe(90);
  });

  it('is an error at once where the wait would be too long', async () => {
    const busy: typeof fetch = async () =>
      new Response('', { status: 429, headers: { 'retry-after': '3600' } });
    const client = createClient({ url: server.url, fetch: busy });
    await expect(client.request('{ viewer { email } }')).rejects.toMatchObject({ retryAfter: 3_600 });
  });
});
