import { serverAudits } from 'graphql-http';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { newApp, ORIGIN } from '../../support/browser.ts';
import { testDatabase } from '../../support/database.ts';
import { newPerson } from '../../support/world.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

/** An application, and a fetch that carries a live key. */
async function scene(set: Parameters<typeof newApp>[1] = {}) {
  const db = await testDatabase();
  const app = await newApp(db, set);
  const { key, id } = await newPerson(db);
  const ask = (init: RequestInit = {}, path = '/graphql') => {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${key}`);
    return app.request(ORIGIN + path, { ...init, headers });
  };
  const post = (body: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
    ask({ method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  return { db, app, ask, post, id };
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

  it('has as many points as when this was written', () => {
    const count = (level: string) => audits.filter(({ name }) => name.startsWith(level)).length;
    expect([count('MUST'), count('SHOULD'), count('MAY')]).toEqual([13, 23, 25]);
  });

  it.each(audits.map(({ name }) => name))('%s', async (name) => {
    const { ask } = await scene();
    const fetchFn = (url: string, init?: RequestInit) => ask(init, url.slice(ORIGIN.length));
    const audit = serverAudits({ url: `${ORIGIN}/graphql`, fetchFn }).find((each) => each.name === name);
    expect(await audit?.fn()).toMatchObject({ status: 'ok' });
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
    const { ask, db, id } = await scene();
    const body = text('mutation { createOrganization(input: { name: "x" }) { organization { id } } }');
    const answer = await ask({ method: 'POST', headers: { 'content-type': type }, body });
    expect(await code(answer)).toEqual([415, 'BAD_USER_INPUT']);
    expect(await db.prisma.organization.count({ where: { createdById: id } })).toBe(0);
  });

  it.each([
    'application/json',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
  ])('takes a body sent as %j', async (type) => {
    const { post } = await scene();
    expect((await post(text('{ __typename }'), { 'content-type': type })).status).toBe(200);
  });

  it.each([
    'application/json',
    'text/event-stream',
    'multipart/mixed',
    'text/html',
  ])('refuses a body that is not UTF-8, and drops a byte order mark, of a client that takes %s', async (accept) => {
    const { post } = await scene();
    const send = (...parts: (string | number[])[]) =>
      post(Buffer.concat(parts.map((part) => Buffer.from(part as string))), { ...JSON_TYPE, accept });
    expect(await code(send('{"query":"{ __typename } # ', [0xff], '"}'))).toEqual([400, 'BAD_USER_INPUT']);
    const marked = await send([0xef, 0xbb, 0xbf], text('{ __typename }'));
    const written = send(text('{ __typename }'));
    expect([marked.status, await marked.text()]).toEqual([
      (await written).status,
      await (await written).text(),
    ]);
  });

  it('answers queries by GET, and never a mutation', async () => {
    const { ask, db, id } = await scene();
    const get = (query: string) => ask({}, `/graphql?query=${encodeURIComponent(query)}`);
    expect(await (await get('{ viewer { id } }')).json()).toMatchObject({ data: { viewer: { id } } });
    const change = 'mutation { createOrganization(input: { name: "x" }) { organization { id } } }';
    expect(await code(get(change))).toEqual([405, 'BAD_USER_INPUT']);
    expect(await db.prisma.organization.count({ where: { createdById: id } })).toBe(0);
  });

  it('looks at the credential before it reads anything', async () => {
    const { app } = await scene();
    const body = new ReadableStream({ pull: () => expect.fail('the body was read') }, { highWaterMark: 0 });
    const init = { method: 'POST', headers: { 'content-type': 'text/plain' }, body, duplex: 'half' };
    const answer = await app.request(`${ORIGIN}/graphql`, init as RequestInit);
    expect(await code(answer)).toEqual([401, 'UNAUTHENTICATED']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
  });

  it('stops reading a body at the limit, whether or not its length was said', async () => {
    const { post } = await scene({ env: { JSON_BODY_BYTES: '1000' } });
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
  ])('says what is wrong with %s by a code of the closed list', async (body, status) => {
    const { post } = await scene();
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
    const { post } = await scene();
    expect(await code(post(text(query)))).toEqual([200, 'COST_LIMIT_EXCEEDED']);
    const accept = { ...JSON_TYPE, accept: 'application/graphql-response+json' };
    expect(await code(post(text(query), accept))).toEqual([400, 'COST_LIMIT_EXCEEDED']);
  });
});

describe('other origins', () => {
  const preflight = {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  };

  it.each([
    '/graphql',
    '/api/v1/organizations',
  ])('may call %s with a bearer, and never with a cookie', async (path) => {
    const { app, ask } = await scene();
    const asked = await app.request(ORIGIN + path, { method: 'OPTIONS', headers: preflight });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-headers')).toMatch(/Authorization,Content-Type/);
    expect(asked.headers.get('access-control-max-age')).toBe('7200');
    const { headers } = await ask(
      { headers: { origin: 'https://app.example' } },
      `${path}?query={__typename}`,
    );
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
    for (const each of [asked.headers, headers])
      expect(each.get('access-control-allow-credentials')).toBeNull();
  });

  it('are told apart where CORS_ORIGINS names some', async () => {
    const { app } = await scene({ env: { CORS_ORIGINS: 'https://app.example, https://b.example' } });
    const allowed = async (origin: string) => {
      const { headers } = await app.request(`${ORIGIN}/graphql`, { headers: { origin } });
      return [headers.get('access-control-allow-origin'), headers.get('vary')];
    };
    expect(await allowed('https://b.example')).toEqual([
      'https://b.example',
      'Origin, Accept, Authorization, Cookie',
    ]);
    expect(await allowed('https://evil.example')).toEqual([null, 'Origin, Accept, Authorization, Cookie']);
  });

  it.each([
    'https://app.example/',
    'app.example',
    'https://a.example,,',
    'null',
  ])('cannot be set to %s', (CORS_ORIGINS) => {
    expect(() => readConfig({ CORS_ORIGINS })).toThrow('CORS_ORIGINS: must be *');
  });
});
