import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient, type SubscriptionOptions } from '../../packages/client/src/index.ts';
import { issueApiKey } from '../../src/auth/api-key.ts';
import type { Scope } from '../../src/domain/kernel/scope.ts';
import { hashSecret } from '../../src/lib/secret.ts';
import { clientServer } from './client-server.ts';

let server: Awaited<ReturnType<typeof clientServer>>;
beforeAll(async () => {
  server = await clientServer();
});
afterAll(() => server.close());

const EVENTS = `subscription ($id: ID!, $after: BigInt) {
  eventAppended(organizationId: $id, after: $after, kinds: ["task.created"]) { subject { ... on Task { name } } }
}`;

type Event = { eventAppended: { subject: { name: string } } };

/** With the rules, not through the network. */
const addTask = (name: string) =>
  server.owner.graph('mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { id } } }', {
    input: { projectId: server.project.id, tasks: [{ name }] },
  });

const FAST = { firstPause: 5, longestPause: 50 };

async function newKey() {
  const scopes: Scope[] = ['read'];
  const { secret } = await issueApiKey(server.db.prisma, { userId: server.owner.id, name: 'x', scopes });
  return secret;
}

function follow(options: SubscriptionOptions = {}, after?: number) {
  const client = createClient({ url: server.url, token: server.owner.key, retry: FAST });
  return client.subscribe<Event>(EVENTS, { id: server.organization.id, after }, options);
}

describe('a subscription', () => {
  it('continues after the last event when the server was restarted, and misses none', async () => {
    const connections: boolean[] = [];
    const events = follow({ onConnection: (connected) => connections.push(connected) }, 0);
    await addTask('first');
    const names: string[] = [];
    for await (const { eventAppended } of events) {
      names.push(eventAppended.subject.name);
      if (names.length === 3) break;
      if (names.length > 1) continue;
      await server.stop();
      await addTask('while it was down');
      await server.start();
      await addTask('after');
    }
    expect(names).toEqual(['first', 'while it was down', 'after']);
    expect(connections[0]).toBe(true);
    expect(connections).toContain(false);
    expect(connections.at(-1)).toBe(true);
  });

  it('continues after a cut connection', async () => {
    const names: string[] = [];
    const events = follow({}, 0);
    for await (const { eventAppended } of events) {
      names.push(eventAppended.subject.name);
      if (names.length === 4) break;
      if (names.length < 3) continue;
      server.cut();
      await addTask('after the cut');
    }
    expect(names.slice(3)).toEqual(['after the cut']);
  });

  it('continues from where it began when the connection is lost before the first event', async () => {
    const events = follow();
    const first = events[Symbol.asyncIterator]().next();
    await vi.waitUntil(() => events.lastEventId, { timeout: 20_000 });
    server.network('refuse');
    await addTask('while the network was gone');
    server.network('pass');
    const { value } = await first;
    expect(value).toMatchObject({ eventAppended: { subject: { name: 'while the network was gone' } } });
  });

  it('continues in another process with the id of the last event', async () => {
    const first = follow({}, 0);
    for await (const _ of first) break;
    expect(first.lastEventId).toBe('0');
    for await (const _ of first) if (first.lastEventId !== '0') break;
    const second = follow({ lastEventId: first.lastEventId });
    for await (const { eventAppended } of second) {
      expect(eventAppended.subject.name).toBe('while it was down');
      break;
    }
  });

  it('goes on with another token when the one that it began with ends', async () => {
    const keys = [await newKey(), await newKey()];
    let index = 0;
    const client = createClient({ url: server.url, token: () => keys[index], retry: { firstPause: 5 } });
    const events = client.subscribe<Event>(EVENTS, { id: server.organization.id });
    const next = events[Symbol.asyncIterator]().next();
    await vi.waitUntil(() => events.lastEventId, { timeout: 20_000 });
    await server.db.prisma.apiKey.delete({ where: { secretHash: hashSecret(keys[index++] ?? '') } });
    await addTask('with the second token');
    expect((await next).value).toMatchObject({
      eventAppended: { subject: { name: 'with the second token' } },
    });
  });

  it('says where events may be missing: the server does not have the position any more', async () => {
    const lost: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      if (headers.has('last-event-id')) headers.set('last-event-id', '999999');
      return fetch(input, { ...init, headers });
    };
    const client = createClient({ url: server.url, token: server.owner.key, fetch: lost, retry: FAST });
    const onGap = vi.fn();
    const events = client.subscribe<Event>(EVENTS, { id: server.organization.id }, { onGap });
    const next = events[Symbol.asyncIterator]().next();
    await vi.waitUntil(() => events.lastEventId, { timeout: 20_000 });
    server.cut();
    await vi.waitUntil(() => onGap.mock.calls.length > 0 && events.lastEventId, { timeout: 20_000 });
    await addTask('after the gap');
    expect((await next).value).toMatchObject({ eventAppended: { subject: { name: 'after the gap' } } });
    expect(onGap).toHaveBeenCalledTimes(1);
    const silent = client.subscribe(EVENTS, { id: server.organization.id }, { lastEventId: '999999' });
    await expect(silent[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  it('says where events may be missing: they have no ids', async () => {
    const client = createClient({ url: server.url, token: server.owner.key, retry: FAST });
    const [connections, onGap, controller] = [vi.fn(), vi.fn(), new AbortController()];
    const text = 'subscription ($id: ID!) { notificationAdded(organizationId: $id) { id } }';
    const options = { onConnection: connections, onGap, signal: controller.signal };
    const next = client
      .subscribe(text, { id: server.organization.id }, options)
      [Symbol.asyncIterator]()
      .next();
    await vi.waitUntil(() => connections.mock.calls.length === 1, { timeout: 20_000 });
    expect(onGap).not.toHaveBeenCalled();
    server.cut();
    await vi.waitUntil(() => onGap.mock.calls.length === 1, { timeout: 20_000 });
    controller.abort();
    await next;
  });

  it('connects again where the server does not answer in time', async () => {
    server.network('hold');
    const connections = vi.fn();
    const client = createClient({ url: server.url, token: server.owner.key, retry: FAST, timeout: 300 });
    const options = { onConnection: connections };
    const events = client.subscribe<Event>(EVENTS, { id: server.organization.id, after: 0 }, options);
    const next = events[Symbol.asyncIterator]().next();
    await vi.waitUntil(() => connections.mock.calls.length > 0, { timeout: 20_000 });
    expect(connections).toHaveBeenCalledWith(false);
    server.network('pass');
    expect((await next).value).toMatchObject({ eventAppended: { subject: { name: 'first' } } });
  });

  it('ends with the signal, without an error', async () => {
    const controller = new AbortController();
    const connected = () => setTimeout(() => controller.abort(), 5);
    const results: unknown[] = [];
    for await (const result of follow({ signal: controller.signal, onConnection: connected }))
      results.push(result);
    expect(results).toEqual([]);
  });

  it('ends with a refusal as an error', async () => {
    const client = createClient({ url: server.url, token: server.owner.key });
    const events = client.subscribe(EVENTS, { id: 'org_none' });
    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const anonymous = createClient({ url: server.url }).subscribe(EVENTS, { id: server.organization.id });
    await expect(anonymous[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
