import { Writable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/http/server.ts';
import { newLifecycle } from '../../src/telemetry/lifecycle.ts';
import { openLog } from '../../src/telemetry/log.ts';
import { testDatabase } from '../support/database.ts';
import { newDocuments, testStorage } from '../support/storage.ts';
import { config, newWorld } from '../support/world.ts';

/** An application that writes its log here. */
async function application(change: Partial<typeof config> = {}) {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk, _, done) {
      for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line));
      done();
    },
  });
  const db = await testDatabase();
  const lifecycle = newLifecycle();
  const log = openLog('info', destination as never);
  const settings = { ...config, ...change };
  const app = createApp({ config: settings, db, storage: await testStorage(db), log, lifecycle });
  return { app, db, lines, lifecycle };
}

let world: Awaited<ReturnType<typeof newWorld>>;
beforeAll(async () => {
  world = await newWorld();
});

const bearer = () => ({ Authorization: `Bearer ${world.owner.key}` });

describe('a request', () => {
  it('has one id in its response and in its log line', async () => {
    const { app, lines } = await application();
    const answer = await app.request('/api/v1/organizations', { headers: bearer() });
    expect(answer.status).toBe(200);
    const [line, ...more] = lines;
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      level: 30,
      msg: 'request',
      requestId: answer.headers.get('x-request-id'),
      method: 'GET',
      route: '/api/v1/organizations',
      status: 200,
      ms: expect.any(Number),
      credentialId: expect.stringMatching(/^key_/),
    });
  });

  it('is logged with the address, the program and the operation of its caller', async () => {
    const { app, lines } = await application({ trustProxy: 1 });
    const headers = {
      ...bearer(),
      'content-type': 'application/json',
      'user-agent': `reports/1.0 ${'x'.repeat(500)}`,
      'x-forwarded-for': '198.51.100.7',
    };
    const body = JSON.stringify({ query: `query Me${'e'.repeat(200)} { viewer { name } }` });
    await app.request('/graphql', { method: 'POST', headers, body });
    const [line] = lines;
    expect(line).toMatchObject({ address: '198.51.100.7', operation: `Me${'e'.repeat(98)}` });
    expect(line?.userAgent).toMatch(/^reports\/1\.0 x{188}$/);
    expect(JSON.stringify(line)).not.toContain('viewer');
  });

  it('is logged without the control characters of its user agent', async () => {
    const { app, lines } = await application();
    await app.request('/readyz', { headers: { 'user-agent': 'reports\u009b2J\u0085x' } });
    expect(lines[0]?.userAgent).toBe('reports 2J x');
  });

  it('has no operation where its text names none that would be executed', async () => {
    const { app, lines } = await application();
    const headers = { ...bearer(), 'content-type': 'application/json' };
    const ask = (body: object) =>
      app.request('/graphql', { method: 'POST', headers, body: JSON.stringify(body) });
    await ask({ query: 'query Me { viewer { name } }', operationName: 'Other' });
    await ask({ query: '{ viewer { name } }' });
    for (const line of lines) expect(line).not.toHaveProperty('operation');
  });

  it("continues its caller's trace, and logs the id of the trace", async () => {
    const { app, lines } = await application();
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await app.request('/readyz', { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
    await app.request('/readyz', { headers: { traceparent: `cc-${traceId}-b7ad6b7169203331-01-more` } });
    expect(lines.map((line) => line.traceId)).toEqual([traceId, traceId]);
  });

  it.each([
    '',
    'x',
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `ff-${'a'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`,
    `00-${'A'.repeat(32)}-b7ad6b7169203331-01`,
    `00-${'a'.repeat(32)}-b7ad6b7169203331-01-more`,
  ])('has no trace with the invalid header %j', async (traceparent) => {
    const { app, lines } = await application();
    await app.request('/readyz', { headers: { traceparent } });
    expect(lines[0]).not.toHaveProperty('traceId');
  });

  it('has the same id in the body of an error', async () => {
    const { app, lines } = await application();
    const answer = await app.request('/api/v1/organizations');
    expect(answer.status).toBe(401);
    expect((await answer.json()).requestId).toBe(answer.headers.get('x-request-id'));
    expect(lines[0]).toMatchObject({ requestId: answer.headers.get('x-request-id'), status: 401 });
    expect(lines[0]).not.toHaveProperty('credentialId');
  });

  it('is logged by the pattern of its route, so that no secret in the path is logged', async () => {
    const { app, lines } = await application();
    const ctx = await world.owner.context();
    const [document] = await newDocuments(ctx, world.project.id, [{ name: 'paper.txt' }]);
    const { data } = await world.owner.graph(
      `{ node(id: "${document?.id}") { ... on Document { downloadUrl } } }`,
    );
    const address = new URL(data.node.downloadUrl);
    expect(await (await app.request(address.pathname)).text()).toBe('paper.txt');
    await app.request('/nowhere/dgk_0123456789012345678901234567890123456789012');
    expect(lines.map(({ route }) => route)).toEqual(['/downloads/:token', '/*']);
    expect(JSON.stringify(lines)).not.toContain(address.pathname.split('/').at(-1));
    expect(JSON.stringify(lines)).not.toContain('dgk_');
  });
});

describe('the log', () => {
  it('redacts secrets in messages, errors and fields', async () => {
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const log = openLog('info', sink as never);
    const secret = world.owner.key;
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJibGIifQ.c2lnbmF0dXJl';
    const failure = Object.assign(new Error(`refused ${secret} at http://h/uploads/${jwt}`), {
      $response: { headers: { authorization: 'AWS4 Credential=hidden' } },
      cause: new Error('postgres://ada:hidden@db/x'),
    });
    log.error(
      { err: failure, headers: { authorization: 'hidden', cookie: 'hidden' }, token: 'hidden' },
      `Bearer ${secret}`,
    );
    const text = lines.join('');
    expect(text).toContain('refused [redacted] at http://h/uploads/[redacted]');
    for (const hidden of ['hidden', secret, jwt]) expect(text).not.toContain(hidden);
  });
});

describe('requests beyond the limit of the process', () => {
  it('are refused at once with Retry-After', async () => {
    const { app, lifecycle, lines } = await application({ limits: { ...config.limits, requestsAtOnce: 3 } });
    const ends: (() => void)[] = [];
    const slow = Array.from({ length: 2 }, () => {
      const body = new ReadableStream({ start: (controller) => void ends.push(() => controller.close()) });
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      return app.request('/sign-in', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    });
    const rest = await app.request('/api/v1/organizations', { headers: bearer() });
    expect([rest.status, rest.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await rest.json()).toMatchObject({ status: 503, requestId: rest.headers.get('x-request-id') });
    const graph = await app.request('/graphql', { method: 'POST', headers: bearer() });
    expect(await graph.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAVAILABLE' } }] });
    expect((await app.request('/healthz')).status).toBe(200);
    expect(lifecycle.underWay).toBe(2);
    expect(lines.map(({ status }) => status)).toEqual([503, 503, 200]);
    for (const end of ends) end();
    await Promise.all(slow);
    expect((await app.request('/api/v1/organizations', { headers: bearer() })).status).toBe(200);
  });
});

describe('readiness', () => {
  it('ends when the process stops, which still serves requests', async () => {
    const { app, lifecycle } = await application();
    expect((await app.request('/readyz')).status).toBe(200);
    lifecycle.stopping = true;
    expect((await app.request('/readyz')).status).toBe(503);
    expect((await app.request('/healthz')).status).toBe(200);
    const served = await app.request('/api/v1/organizations', { headers: bearer() });
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
  });

  it.each(['database', 'storage'])('requires a response of the %s', async (missing) => {
    const db = await testDatabase();
    const storage = await testStorage(db);
    const fails = () => Promise.reject(new Error('gone'));
    const parts = {
      db: missing === 'database' ? { ...db, ping: fails } : db,
      storage: missing === 'storage' ? { ...storage, store: { ...storage.store, ping: fails } } : storage,
    };
    const app = createApp({ config, log: openLog('silent'), ...parts });
    const answer = await app.request('/readyz');
    expect([answer.status, await answer.text()]).toEqual([503, `not ready: ${missing}`]);
  });
});

describe('a request under another host than that of PUBLIC_URL', () => {
  const warnings = (lines: Record<string, unknown>[]) => lines.filter(({ level }) => level === 40);
  const get = (app: Awaited<ReturnType<typeof application>>['app'], host: string, path = '/sign-in') =>
    app.request(path, { headers: { host } });

  it('is warned of once for each host, and for three hosts at most', async () => {
    const { app, lines } = await application({ publicUrl: 'https://docs.example.com' });
    for (const host of ['a.example', 'a.example', 'b.example', 'c.example', 'd.example'])
      await get(app, host);
    expect(warnings(lines).map(({ host }) => host)).toEqual(['a.example', 'b.example', 'c.example']);
    expect(warnings(lines)[0]?.msg).toContain('PUBLIC_URL is https://docs.example.com');
  });

  it.each([
    ['docs.example.com', '/sign-in'],
    ['localhost:4000', '/sign-in'],
    ['127.0.0.1:4000', '/sign-in'],
    ['10.0.0.7:4000', '/readyz'],
  ])('is not warned of for %s%s', async (host, path) => {
    const { app, lines } = await application({ publicUrl: 'https://docs.example.com' });
    await get(app, host, path);
    expect(warnings(lines)).toEqual([]);
  });
});
