import { readFile } from 'node:fs/promises';
import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { schema } from '../../../src/graph/schema/schema.ts';
import { newApp, ORIGIN } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { newPerson } from '../../support/world.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** An application, and a fetch that sends a valid key. */
async function setUp(set: Parameters<typeof newApp>[1] = {}) {
  const db = await testDatabase();
  const app = await newApp(db, set);
  const { key, id } = await newPerson(db);
  const send = (init: RequestInit = {}, path = '/graphql') => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${key}`);
    return app.request(ORIGIN + path, { ...init, headers });
  };
  const post = (body: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
    send({ method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  return { db, app, send, post, id };
}

const text = (query: string, variables?: object) => JSON.stringify({ query, variables });
const code = async (answer: Response | Promise<Response>) => {
  const { status, errors } = { status: (await answer).status, ...((await (await answer).json()) as Refusal) };
  return [status, errors[0]?.extensions.code];
};

interface Refusal {
  errors: { message: string; extensions: { code: string } }[];
}

describe('the graphql-http audit', () => {
  const audits = serverAudits({ url: `${ORIGIN}/graphql` });

  it('has 13 MUST, 23 SHOULD and 25 MAY checks', () => {
    const count = (level: string) => audits.filter(({ name }) => name.startsWith(level)).length;
    expect([count('MUST'), count('SHOULD'), count('MAY')]).toEqual([13, 23, 25]);
  });

  it.each(audits.map(({ name }) => name))('%s', async (name) => {
    const { send } = await setUp();
    const fetchFn = (url: string, init?: RequestInit) => send(init, url.slice(ORIGIN.length));
    const audit = serverAudits({ url: `${ORIGIN}/graphql`, fetchFn }).find((each) => each.name === name);
    expect(await audit?.fn()).toMatchObject({ status: 'ok' });
  });
});

describe('the schema as text', () => {
  it('is what the repository has, for those with a credential', async () => {
    const { app, send } = await setUp();
    const answer = await send({}, '/graphql/schema.graphql');
    const committed = await readFile(new URL('../../../schema.graphql', import.meta.url), 'utf8');
    expect(committed.endsWith(`${await answer.text()}\n`)).toBe(true);
    expect((await app.request(`${ORIGIN}/graphql/schema.graphql`)).status).toBe(401);
  });

  it('is not there where introspection is off', async () => {
    const { send } = await setUp({ env: { INTROSPECTION: 'off' } });
    expect(await code(send({}, '/graphql/schema.graphql'))).toEqual([404, 'NOT_FOUND']);
  });
});

describe('GraphQL over HTTP', () => {
  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/plain; application/json',
    'application/graphql',
    'application/json; charset=utf-16',
    'application/jsonp',
    '',
  ])('refuses a body sent as %j', async (type) => {
    const { send, db, id } = await setUp();
    const body = text(
      'mutation { createOrganizations(input: { organizations: [{ name: "x" }] }) { organizations { id } } }',
    );
    const answer = await send({ method: 'POST', headers: { 'content-type': type }, body });
    expect(await code(answer)).toEqual([415, 'BAD_USER_INPUT']);
    expect(await db.prisma.organization.count({ where: { createdById: id } })).toBe(0);
  });

  it('refuses a multipart request with a text that says how files are uploaded', async () => {
    const { send } = await setUp();
    const form = new FormData();
    form.set('operations', text('{ viewer { user { id } } }'));
    const answer = await send({ method: 'POST', body: form });
    const { errors } = (await answer.json()) as Refusal;
    const mutations = [...(errors[0]?.message ?? '').matchAll(/`(\w+Uploads)`/g)].map(([, name]) => name);
    expect([answer.status, mutations]).toEqual([415, ['reserveUploads', 'confirmUploads']]);
    for (const name of mutations) expect(schema.getMutationType()?.getFields()).toHaveProperty(name ?? '');
  });

  it('refuses to reserve a connection for several subscriptions, and says what to do instead', async () => {
    const { send } = await setUp();
    const answer = await send({ method: 'PUT' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect(((await answer.json()) as Refusal).errors[0]?.message).toContain('leave out `singleConnection`');
  });

  it.each([
    ['@defer', '{ viewer { name ... @defer { email } } }'],
    ['@stream', '{ viewer { organizations(first: 5) { nodes @stream(initialCount: 1) { id } } } }'],
  ])('says that %s is not supported', async (directive, query) => {
    const { post } = await setUp();
    const accept = 'multipart/mixed;deferSpec=20220824,application/json';
    const answer = await post(text(query), { ...JSON_TYPE, accept });
    expect(((await answer.json()) as Refusal).errors).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(`^${directive} is not supported`),
        locations: [expect.anything()],
        extensions: expect.objectContaining({ code: 'BAD_USER_INPUT' }),
      }),
    ]);
  });

  it.each([
    'application/json',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
  ])('accepts a body sent as %j', async (type) => {
    const { post } = await setUp();
    expect((await post(text('{ __typename }'), { 'content-type': type })).status).toBe(200);
  });

  it.each([
    'application/json',
    'text/event-stream',
    'multipart/mixed',
    'text/html',
  ])('refuses a body that is not UTF-8, and drops a byte order mark, from a client that accepts %s', async (accept) => {
    const { post } = await setUp();
    const send = (...parts: (string | number[])[]) =>
      post(Buffer.concat(parts.map((part) => Buffer.from(part as string))), { ...JSON_TYPE, accept });
    expect(await code(send('{"query":"{ __typename } # ', [0xff], '"}'))).toEqual([400, 'BAD_USER_INPUT']);
    const marked = await send([0xef, 0xbb, 0xbf], text('{ __typename }'));
    const written = await send(text('{ __typename }'));
    const bodyOf = async (response: Response) => (await response.text()).replace(/"requestId":"[^"]*"/, '');
    expect([marked.status, await bodyOf(marked)]).toEqual([written.status, await bodyOf(written)]);
  });

  it('answers queries by GET, and refuses mutations by GET', async () => {
    const { send, db, id } = await setUp();
    const get = (query: string) => send({}, `/graphql?query=${encodeURIComponent(query)}`);
    expect(await (await get('{ viewer { user { id } } }')).json()).toMatchObject({
      data: { viewer: { user: { id } } },
    });
    const change =
      'mutation { createOrganizations(input: { organizations: [{ name: "x" }] }) { organizations { id } } }';
    expect(await code(get(change))).toEqual([405, 'BAD_USER_INPUT']);
    expect(await db.prisma.organization.count({ where: { createdById: id } })).toBe(0);
  });

  it('checks the credential before reading the body', async () => {
    const { app } = await setUp();
    const body = new ReadableStream({ pull: () => expect.fail('the body was read') }, { highWaterMark: 0 });
    const init = { method: 'POST', headers: { 'content-type': 'text/plain' }, body, duplex: 'half' };
    const answer = await app.request(`${ORIGIN}/graphql`, init as RequestInit);
    expect(await code(answer)).toEqual([401, 'UNAUTHENTICATED']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
  });

  it('stops reading a body at the limit, with and without Content-Length', async () => {
    const { post } = await setUp({ env: { JSON_BODY_BYTES: '1000' } });
    expect(await code(post(text(`{ __typename } # ${'x'.repeat(1_000)}`)))).toEqual([413, 'TOO_LARGE']);
    let chunks = 0;
    const endless = new ReadableStream({
      pull: (to) => (++chunks > 100 ? to.close() : to.enqueue(new Uint8Array(100).fill(32))),
    });
    expect(await code(post(endless))).toEqual([413, 'TOO_LARGE']);
    expect(chunks).toBeLessThan(20);
  });

  it.each([
    ['{bad', 400],
    ['[]', 400],
    ['null', 400],
    [text('{ nope }'), 200],
    [text('{ '), 200],
    [JSON.stringify({ query: '{ __typename }', operationName: 'Other' }), 400],
  ])('answers %s with a code of the closed list', async (body, status) => {
    const { post } = await setUp();
    const answer = await post(body);
    expect(await code(answer.clone())).toEqual([status, 'BAD_USER_INPUT']);
    expect(await answer.text()).not.toMatch(/originalError|http"/);
  });

  it.each([
    ['fields', '{a'.repeat(5_000) + '}'.repeat(5_000)],
    ['lists', `{ a(x: ${'['.repeat(50_000)}`],
    ['fragments', '{...'.repeat(10_000)],
    ['names', `{ ${'a '.repeat(20_000)} }`],
  ])('refuses too many nested %s before it parses them', async (_, query) => {
    const { post } = await setUp();
    expect(await code(post(text(query)))).toEqual([200, 'COST_LIMIT_EXCEEDED']);
    const accept = { ...JSON_TYPE, accept: 'application/graphql-response+json' };
    expect(await code(post(text(query), accept))).toEqual([400, 'COST_LIMIT_EXCEEDED']);
  });
});

describe('CORS', () => {
  const preflight = {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,traceparent,apollographql-client-name',
  };

  it.each([
    '/graphql',
    '/api/v1/organizations',
  ])('lets other origins call %s with a bearer token, and not with a cookie', async (path) => {
    const { app, send } = await setUp();
    const preflightAnswer = await app.request(ORIGIN + path, { method: 'OPTIONS', headers: preflight });
    expect(preflightAnswer.status).toBe(204);
    expect(preflightAnswer.headers.get('access-control-allow-headers')).toBe(
      'authorization,content-type,traceparent,apollographql-client-name',
    );
    expect(preflightAnswer.headers.get('access-control-max-age')).toBe('7200');
    const { headers } = await send(
      { headers: { origin: 'https://app.example' } },
      `${path}?query={__typename}`,
    );
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
    for (const each of [preflightAnswer.headers, headers])
      expect(each.get('access-control-allow-credentials')).toBeNull();
  });

  it('allows only the origins in CORS_ORIGINS, if set', async () => {
    const { app } = await setUp({ env: { CORS_ORIGINS: 'https://app.example, https://b.example' } });
    const allowed = async (origin: string) => {
      const { headers } = await app.request(`${ORIGIN}/graphql`, { headers: { origin } });
      return [headers.get('access-control-allow-origin'), headers.get('vary')];
    };
    expect(await allowed('https://b.example')).toEqual([
      'https://b.example',
      'Accept-Encoding, Origin, Accept, Authorization, Cookie',
    ]);
    expect(await allowed('https://evil.example')).toEqual([
      null,
      'Accept-Encoding, Origin, Accept, Authorization, Cookie',
    ]);
  });

  it.each([
    'https://app.example/',
    'app.example',
    'https://a.example,,',
    'null',
  ])('refuses to start with CORS_ORIGINS=%s', (CORS_ORIGINS) => {
    expect(() => readConfig({ CORS_ORIGINS })).toThrow('CORS_ORIGINS: must be *');
  });
});
