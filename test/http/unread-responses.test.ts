import { connect, type Socket } from 'node:net';
import { Hono } from 'hono';
import pino from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import type { Viewer } from '../../src/domain/kernel/viewer.ts';
import { createTasks } from '../../src/domain/tasks/task-create.ts';
import { listen } from '../../src/http/listen.ts';
import { createApp } from '../../src/http/server.ts';
import { unreadResponses } from '../../src/http/unread-responses.ts';
import { newLifecycle } from '../../src/telemetry/lifecycle.ts';
import { openMetrics } from '../../src/telemetry/metrics.ts';
import { testStorage } from '../support/storage.ts';
import { newWorld } from '../support/world.ts';

const MIB = 2 ** 20;

/** A connection that sends a request and reads nothing until `read`. */
function silentReader(port: number, head: string, body = '') {
  const socket: Socket = connect({ port, host: '127.0.0.1' }).pause();
  socket.on('error', () => {});
  socket.write(`${head}\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

const eventually = (check: () => void, timeout = 15_000) => vi.waitFor(check, { timeout, interval: 20 });

/** A server with a query of 40 tasks and 40 in each, 15 MiB of text; 8 MiB of one user may be unread, or one response. */
async function setUp() {
  const { db, owner, stranger, project } = await newWorld();
  await createTasks(await owner.context(), {
    projectId: project.id,
    tasks: Array.from({ length: 40 }, (_, index) => ({ name: `T${index}`, description: 'x'.repeat(9_900) })),
  });
  const env = { REQUESTS_PER_MINUTE: '0', UNREAD_BYTES: String(64 * MIB), METRICS_TOKEN: 'm'.repeat(16) };
  const metrics = openMetrics({ db, lifecycle: newLifecycle() });
  const config = readConfig({ LOG_LEVEL: 'silent', PUBLIC_URL: 'http://docgraph.test', ...env });
  const storage = await testStorage(db);
  const app = createApp({ config, db, storage, metrics, log: pino({ level: 'silent' }) });
  const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' });
  const nested = `{ project(id: "${project.id}") { tasks(first: 40) { nodes { project { tasks(first: 40) { nodes { description } } } } } } }`;
  const attack = (key = owner.key) =>
    silentReader(
      port,
      `POST /graphql HTTP/1.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`,
      JSON.stringify({ query: nested }),
    );
  const left = new AbortController();
  onTestFinished(() => left.abort());
  const graph = async (key: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ viewer { email } }' }),
    });
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: await response.json(),
    };
  };
  const statusOfNested = async (key: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: nested }),
      signal: left.signal,
    });
    return response.status;
  };
  const unread = async () => {
    const text = await metrics.registry.metrics();
    return Number(/^docgraph_http_unread_bytes (\d+)/m.exec(text)?.[1]);
  };
  return { owner, stranger, attack, graph, statusOfNested, unread, close };
}

describe('sockets that request large responses and do not read', () => {
  it('are refused before a response is built, where the share is used up while they wait', async () => {
    const { owner, stranger, graph, statusOfNested } = await setUp();
    // Another organization is active, so that this one has few requests under way at a time.
    await graph(stranger.key);
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOfNested(owner.key)));
    const refused = statuses.filter((status) => status === 503);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(refused.length).toBeGreaterThanOrEqual(17);
  });

  it('have no more built than the share of their user, and get room back when they read or leave', async () => {
    const { owner, stranger, attack, graph, unread, close } = await setUp();
    const sockets = Array.from({ length: 40 }, () => attack());
    await eventually(async () => expect((await graph(owner.key)).status).toBe(503));
    const refused = await graph(owner.key);
    expect(refused.retryAfter).toBe('5');
    expect(refused.body.errors[0]).toMatchObject({
      message: 'Earlier responses have not been read yet. Read them, and try again.',
      extensions: { code: 'UNAVAILABLE', retryAfter: 5 },
    });
    expect(await unread()).toBeLessThanOrEqual(16 * MIB);
    expect((await graph(stranger.key)).status).toBe(200);
    for (const socket of sockets) socket.resume();
    await eventually(async () => {
      expect(await unread()).toBe(0);
      expect((await graph(owner.key)).status).toBe(200);
    });
    for (const socket of sockets) socket.destroy();
    await close();
  });
});

describe('a connection', () => {
  const viewer = {
    userId: 'usr_x',
    credentialId: 'key_x',
    memberships: [] as Viewer['memberships'],
  } as Viewer;

  /** Answers with `bytes`, each counted as unread. */
  async function serve(bytes: number, stalled: number) {
    const unread = unreadResponses(1_000 * MIB, stalled);
    const app = new Hono();
    app.get('/', (call) => {
      unread.enter(call, viewer, '');
      unread.deliveryOf(call).hold(bytes);
      return call.text('x'.repeat(bytes));
    });
    const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' });
    return { unread, close, open: () => silentReader(port, 'GET / HTTP/1.1') };
  }

  it('is closed after some time without a read, and its bytes are released', async () => {
    const { unread, close, open } = await serve(64 * MIB, 200);
    open();
    await eventually(() => expect(unread.bytes).toBe(64 * MIB));
    await eventually(() => expect([unread.bytes, unread.dropped]).toEqual([0, 1]));
    await close();
  });

  it('stays open for a slow reader that goes on reading', async () => {
    const { unread, close, open } = await serve(16 * MIB, 400);
    const socket = open();
    let read = 0;
    socket.on('data', (chunk: Buffer) => {
      read += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 5);
    });
    socket.resume();
    await eventually(() => expect(read).toBeGreaterThan(16 * MIB), 50_000);
    expect([unread.bytes, unread.dropped]).toEqual([0, 0]);
    await close();
  });
});
