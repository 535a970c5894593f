import { once } from 'node:events';
import { request } from 'node:http';
import { pino } from 'pino';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import type { Storage } from '../../src/domain/kernel/context.ts';
import { type Listener, listen } from '../../src/http/listen.ts';
import { createApp } from '../../src/http/server.ts';
import { newId } from '../../src/lib/id.ts';
import { MINUTE } from '../../src/lib/time.ts';
import { newLifecycle } from '../../src/telemetry/lifecycle.ts';
import { testDatabase } from '../support/database.ts';
import { headText, type RawConnection, rawConnection, startRequest } from '../support/servers/trickle.ts';
import { testStorage } from '../support/storage.ts';
import { config, newWorld } from '../support/world.ts';

/** Places of requests; one network may have two thirds. */
const AT_ONCE = 30;
const SHARE = (AT_ONCE * 2) / 3;
const MANY = AT_ONCE + 10;

const METRICS_TOKEN = 'a token for the metrics';

let db: Database;
let storage: Storage;
let world: Awaited<ReturnType<typeof newWorld>>;
beforeAll(async () => {
  db = await testDatabase();
  storage = await testStorage(db);
  world = await newWorld(db);
});

let running: Listener | undefined;
const sockets: RawConnection[] = [];
afterEach(async () => {
  for (const { socket } of sockets.splice(0)) socket.destroy();
  await running?.close();
});

/** A server behind a proxy, so that a request can name its network. */
async function serve({
  trustProxy = 1,
  ...change
}: Partial<typeof config.limits> & { trustProxy?: number } = {}) {
  const limits = { ...config.limits, requestsAtOnce: AT_ONCE, ...change };
  const lifecycle = newLifecycle();
  const app = createApp({
    config: { ...config, limits, trustProxy, metricsToken: METRICS_TOKEN },
    ...{ db, storage, lifecycle },
    log: pino({ level: 'silent' }),
  });
  running = await listen(app, { port: 0, host: '127.0.0.1', limits, trustProxy, lifecycle });
  const { port } = running;
  const start = (...args: Parameters<typeof startRequest> extends [number, ...infer Rest] ? Rest : never) => {
    const connection = startRequest(port, ...args);
    sockets.push(connection);
    return connection;
  };
  return { port, lifecycle, start };
}

const from = (network: string) => ({ 'X-Forwarded-For': network });

/** The status of a whole request. */
async function statusOf(port: number, path: string, headers: Record<string, string> = {}, body?: string) {
  const sent = request({
    port,
    path,
    host: '127.0.0.1',
    headers,
    agent: false,
    method: body ? 'POST' : 'GET',
  });
  sent.end(body);
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode as number;
}

const GRAPH = JSON.stringify({ query: '{ viewer { name } }' });
const json = (key: string) => ({ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' });

/** What others get: another network and a member, also of the same network, with whole requests; and probes. */
const served = (port: number, network: string) =>
  Promise.all([
    statusOf(port, '/sign-in', from('198.51.100.7')),
    statusOf(port, '/graphql', { ...from('198.51.100.7'), ...json(world.owner.key) }, GRAPH),
    statusOf(port, '/graphql', { ...from(network), ...json(world.owner.key) }, GRAPH),
    statusOf(port, '/api/v1/organizations', { ...from(network), ...json(world.owner.key) }),
    statusOf(port, '/healthz', from(network)),
    statusOf(port, '/readyz', from(network)),
    statusOf(port, '/metrics', { ...from(network), Authorization: `Bearer ${METRICS_TOKEN}` }),
  ]);

const ALL_SERVED = Array(7).fill(200);

const signedUpload = async (organizationId: string) => {
  const ticket = { key: newId('Blob'), maxSize: 1_000_000, organizationId };
  return new URL(await storage.signedUrls.upload(ticket, MINUTE)).pathname;
};

describe('requests of one network that do not arrive', () => {
  it.each([
    '/password/forgot',
    '/sign-in',
    '/sign-up',
    '/account/password',
    '/console/start',
    '/notifications/x/y',
    '/invitations/inv_x/y',
    '/approvals/apr_x',
    '/oauth/token',
    '/oauth/authorize',
    '/sign/x/y',
    '/forms/x',
    '/graphql',
    '/api/v1/organizations',
    '/documents',
    '/outbox',
    '/docs',
    '/',
    '/no/such/path',
  ])('leave their slots to others: POST %s', async (path) => {
    const { port, lifecycle, start } = await serve();
    const slow = Array.from({ length: MANY }, () => start({ path, headers: from('192.0.2.1') }));
    await expect.poll(() => slow.filter(({ status }) => status).length).toBe(MANY - SHARE);
    expect(lifecycle.arriving).toBe(SHARE);
    expect(await served(port, '192.0.2.1')).toEqual(ALL_SERVED);
    expect(slow.flatMap(({ status }) => status ?? [])).toEqual(Array(MANY - SHARE).fill(503));
    // Another network may also take its time.
    const other = start({ path: '/sign-in', headers: from('198.51.100.9') });
    await expect.poll(() => lifecycle.arriving).toBe(SHARE + 1);
    expect(other.status).toBeUndefined();
  });

  it('are closed at the deadline, on every route but uploads', async () => {
    const { lifecycle, start } = await serve({ request: 300 });
    const paths = [
      '/notifications/x/y',
      '/outbox',
      '/approvals/apr_x',
      '/documents',
      '/',
      '/docs',
      '/no/such/path',
    ];
    const small = paths.map((path) => start({ path }));
    const large = paths.map((path) => {
      const connection = start({ path }, 1_000_000);
      connection.socket.write('x'.repeat(200_000));
      return connection;
    });
    const upload = start({ path: await signedUpload(world.organization.id), method: 'PUT' });
    await expect
      .poll(() => [...small, ...large].every(({ closed }) => closed), { timeout: 10_000 })
      .toBe(true);
    expect(small.map(({ status }) => status)).toEqual(paths.map(() => 408));
    expect([upload.closed, lifecycle.arriving]).toEqual([false, 0]);
  });

  it('are shown by the metrics', async () => {
    const { port, lifecycle, start } = await serve();
    for (let index = 0; index < 3; index++) start({ path: '/sign-in', headers: from('192.0.2.1') });
    await expect.poll(() => lifecycle.arriving).toBe(3);
    const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
    expect(text).toContain('docgraph_http_requests_arriving 3');
    expect(text).toContain('docgraph_http_requests_refused_early 0');
    expect(text).toContain('docgraph_http_row_bytes 0');
    expect(text).toMatch(/docgraph_http_sockets [4-9]/);
  });
});

describe('uploads of one organization that do not arrive', () => {
  it('leave slots to others, and to its members', async () => {
    const { port, lifecycle, start } = await serve();
    const paths = await Promise.all(Array.from({ length: MANY }, () => signedUpload(world.organization.id)));
    const slow = paths.map((path) => start({ path, method: 'PUT', headers: from('192.0.2.1') }));
    const answered = () => slow.flatMap(({ status }) => status ?? []);
    await expect.poll(() => answered().length).toBe(MANY - SHARE);
    expect(new Set(answered())).toEqual(new Set([503]));
    // The application has not seen those that were refused.
    expect([lifecycle.underWay, lifecycle.refused]).toEqual([SHARE, MANY - SHARE]);
    expect(await served(port, '192.0.2.1')).toEqual(ALL_SERVED);
    const foreign = await signedUpload(newId('Organization'));
    const sent = await fetch(`http://127.0.0.1:${port}${foreign}`, { method: 'PUT', body: 'contents' });
    expect(sent.status).toBe(410); // stored, though no reservation is there
  });
});

describe('many networks whose requests do not arrive', () => {
  it('leave slots to networks with few', async () => {
    const { port, start } = await serve();
    for (let network = 0; network < 10; network++)
      for (let index = 0; index < MANY; index++)
        start({ path: '/sign-in', headers: from(`192.0.2.${network}`) });
    await expect.poll(() => sockets.flatMap(({ status }) => status ?? []).length).toBeGreaterThan(9 * MANY);
    expect(await served(port, '192.0.2.1')).toEqual(ALL_SERVED);
    const honest = start({ path: '/sign-in', headers: from('198.51.100.9') }, 'x=1'.length);
    expect(honest.status).toBeUndefined();
    honest.socket.write('=1');
    await expect.poll(() => honest.status).toBe(422);
  });
});

describe('a connection', () => {
  it('whose headers do not arrive takes no slot', async () => {
    const { port } = await serve();
    for (let index = 0; index < MANY; index++) {
      const connection = rawConnection(port);
      connection.socket.write('POST /sign-in HTTP/1.1\r\nHost: docgraph.test\r\nX-Slow: ');
      sockets.push(connection);
    }
    expect(await served(port, '192.0.2.1')).toEqual(ALL_SERVED);
  });

  it('may send a body byte by byte', async () => {
    const { port } = await serve();
    const connection = rawConnection(port);
    sockets.push(connection);
    const headers = { ...json(world.owner.key), 'Content-Length': `${GRAPH.length}` };
    connection.socket.setNoDelay(true).write(headText({ path: '/graphql', headers }));
    for (const byte of GRAPH) {
      connection.socket.write(byte);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await expect.poll(() => connection.status).toBe(200);
  });

  it('may send several requests, with bodies of any size, also in HTTP chunks', async () => {
    const { port } = await serve();
    for (const size of [0, 1, 70_000, 300_000, 1_000_000]) {
      const query = `${GRAPH.slice(0, -1)},"operationName":null${' '.repeat(size)}}`;
      for (const chunked of [false, true]) {
        const body = chunked ? new Blob([query]).stream() : query;
        const init = { method: 'POST', headers: json(world.owner.key), body, duplex: 'half' } as RequestInit;
        const answer = await fetch(`http://127.0.0.1:${port}/graphql`, init);
        expect([size, chunked, answer.status, (await answer.json()).data]).toEqual([
          ...[size, chunked, 200],
          { viewer: expect.anything() },
        ]);
      }
    }
  });

  it('is closed beyond the number of its network', async () => {
    const { port, lifecycle } = await serve({ socketsNetwork: 5, trustProxy: 0 });
    const open = (address: string) => {
      const connection = rawConnection(port, address);
      sockets.push(connection);
      return connection;
    };
    const many = Array.from({ length: 8 }, () => open('127.0.0.1'));
    await expect.poll(() => many.filter(({ closed }) => closed).length).toBe(3);
    const other = open('127.0.0.2');
    other.socket.write(headText({ path: '/healthz', method: 'GET' }));
    await expect.poll(() => other.status).toBe(200);
    expect(lifecycle.sockets).toBe(6);
    many.find(({ closed }) => !closed)?.socket.destroy();
    await expect.poll(() => lifecycle.sockets).toBe(5);
    expect(await statusOf(port, '/healthz')).toBe(200);
  });
});
