import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { newApp, ORIGIN } from '../../support/browser.ts';
import { counted, testDatabase } from '../../support/database.ts';
import { newPerson } from '../../support/world.ts';
import { BAD, BODIES, DOCUMENTS, nested, TOO_MUCH, times } from './attacks.ts';

/** An application, and a call of the graph with a live credential, unless it is to have none. */
async function scene(set: Parameters<typeof newApp>[1] = {}) {
  const db = await testDatabase();
  const app = await newApp(db, set);
  const { key } = await newPerson(db);
  const send = (init: RequestInit, path = '/graphql', credential: string | undefined = key) => {
    const headers = new Headers(init.headers);
    if (credential) headers.set('authorization', `Bearer ${credential}`);
    return app.request(ORIGIN + path, { ...init, headers });
  };
  const post = (body: string) =>
    send({ method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const ask = async (query: string, variables?: unknown) => {
    const answer = await post(JSON.stringify({ query, variables }));
    return { status: answer.status, body: (await answer.json()) as Told };
  };
  return { app, send, post, ask };
}

interface Told {
  data?: unknown;
  errors?: { message: string; extensions: { code: string } }[];
  extensions?: Record<string, unknown>;
}

describe('a document that asks for too much', { timeout: 120_000 }, () => {
  it.each(
    DOCUMENTS,
  )('%s is refused with no statement but the one that finds the caller', async (_, query, code) => {
    const { ask } = await scene();
    await ask('{ __typename }');
    const idle = await counted(() => ask('{ __typename }'));
    const { result, statements } = await counted(() => ask(query));
    expect([result.status < 500, result.body.errors?.[0]?.extensions.code]).toEqual([true, code]);
    expect(result.body.data).toBeUndefined();
    expect(statements).toEqual(idle.statements);
    expect(idle.statements).toHaveLength(1);
  });

  it.each(BODIES)('%s are refused before a resolver runs', async (_, body, status) => {
    const { post } = await scene();
    await post('{"query":"{ __typename }"}');
    const { result, statements } = await counted(async () => {
      const answer = await post(body);
      return { status: answer.status, body: (await answer.json()) as Told };
    });
    expect([result.status, result.body.errors?.length]).toEqual([status, expect.any(Number)]);
    expect(statements.length).toBe(1);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('has at most ten faults of its variables reported, each in at most a thousand characters', async () => {
    const { ask } = await scene();
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const faults = await ask(query, { ids: Array(900).fill({ [`Did you mean ${'x'.repeat(900)}`]: 1 }) });
    const lengths = faults.body.errors?.map(({ message }) => message.length) ?? [];
    expect(lengths.length).toBeLessThanOrEqual(21);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1_001);
  });

  it('has the faults of a subscription reported the same way', async () => {
    const { send } = await scene();
    const body = JSON.stringify({
      query:
        'subscription ($id: ID!, $kinds: [String!]) { eventAppended(organizationId: $id, kinds: $kinds) { id } }',
      variables: { id: 'org_x', kinds: Array(5_000).fill(1) },
    });
    const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
    const text = await (await send({ method: 'POST', headers, body })).text();
    expect(text.match(/"BAD_USER_INPUT"/g)?.length).toBeLessThanOrEqual(21);
  });

  it.each([
    ['name', 'must not contain more than 8 combining marks in a row'],
    ['description', 'must not have more than 30 combining marks in a row'],
  ])('is refused for marks without end in the %s of a task', async (member, reason) => {
    const { ask } = await scene();
    const query = 'mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { id } } }';
    const task = { name: 'x', [member]: `a${'\u0315\u0316'.repeat(100)}` };
    const { body } = await ask(query, { input: { projectId: 'prj_x', tasks: [task] } });
    expect(body.errors?.[0]?.message).toBe(`tasks.0.${member}: ${reason}`);
  });

  it('takes a prefix of any length, which then nothing has', async () => {
    const { ask } = await scene();
    const query =
      'query ($prefix: String!) { viewer { organizations(first: 1, search: $prefix) { nodes { id } } } }';
    const { body } = await ask(query, { prefix: 'x'.repeat(500_000) });
    expect(body).toMatchObject({ data: { viewer: { organizations: { nodes: [] } } } });
  });

  it('is refused when it comes compressed, which nothing here unpacks', async () => {
    const { send } = await scene();
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const body = new Response(
      new Blob(['{"query":"{ __typename }"}']).stream().pipeThrough(new CompressionStream('gzip')),
    );
    const answer = await send({ method: 'POST', headers, body: await body.arrayBuffer() });
    expect([answer.status, await answer.json()]).toEqual([400, { errors: [expect.anything()] }]);
  });

  it('does not become another method by a header, nor run its second operation unasked', async () => {
    const { send, ask } = await scene();
    const change = 'mutation M { createOrganization(input: { name: "x" }) { organization { id } } }';
    const smuggled = encodeURIComponent(`query Q { __typename } ${change}`);
    const got = await send(
      { headers: { 'x-http-method-override': 'POST' } },
      `/graphql?query=${smuggled}&operationName=M`,
    );
    expect(got.status).toBe(405);
    const both = await ask(`query Q { __typename } ${change}`);
    expect(both.body.errors?.[0]?.extensions.code).toBe(BAD);
  });
});

describe('what a query may cost', () => {
  const page = (first: number, name: string, inner: string) =>
    `${name}(first: ${first}) { nodes { ${inner} } }`;

  /** GitHub counts nodes, and prices pages apart; here each page costs a point, and so does the viewer. */
  it.each<[nodes: number, pages: number, query: string]>([
    [550, 51, page(50, 'organizations', page(10, 'projects', 'id'))],
    [
      22_060,
      1 + 100 + 2_000 + 1,
      `${page(50, 'organizations', `${page(20, 'projects', page(10, 'documents', 'id'))} more: ${page(20, 'projects', page(10, 'tasks', 'id'))}`)} ${page(10, 'tasks', 'id')}`,
    ],
  ])('counts %i nodes where GitHub\u2019s documentation does', async (nodes, pages, inner) => {
    const { ask } = await scene({ limits: { ...readConfig({}).limits, queryCost: 1 } });
    const { body } = await ask(`{ viewer { ${inner} } }`);
    expect(body.extensions?.cost).toMatchObject({ requested: nodes + pages + 1 });
  });

  it('is told with the pages that cost most, and the size with which it would do', async () => {
    const { ask } = await scene();
    const query = (first: number) =>
      `{ viewer { mine: ${page(100, 'organizations', page(first, 'projects', 'id name'))} ${page(5, 'tasks', 'id')} } }`;
    const { body } = await ask(query(50));
    expect(body.extensions?.cost).toEqual({
      requested: 1 + 1 + 100 * (1 + 1 + 50) + 1 + 5,
      limit: 1_000,
      dearest: [
        { path: 'viewer.mine', points: 5_200, first: 100, fits: 19 },
        { path: 'viewer.mine.nodes.projects', points: 5_000, first: 50, fits: 7 },
        { path: 'viewer.tasks', points: 5, first: 5, fits: null },
      ],
    });
    expect(body.errors?.[0]?.message).toContain('With first: 19 at viewer.mine it would do.');
    expect((await ask(query(7))).body.errors).toBeUndefined();
    expect((await ask(query(8))).body.errors?.[0]?.extensions.code).toBe(TOO_MUCH);
  });
});

const cop = (query: string) => JSON.stringify({ query, operationName: 'cop' });

/** The checks of GraphQL Cop 1.14, in our words: what is sent, and what would be a finding. */
const COP: [
  title: string,
  path: string,
  init: RequestInit & { body?: string },
  found: (told: Told, text: string) => boolean,
][] = [
  [
    'alias overloading',
    '',
    { body: cop(`query cop { ${times(101, (index) => `alias${index}:__typename`)} }`) },
    ({ data }) => Boolean(data),
  ],
  [
    'array batching',
    '',
    { body: `[${times(10, () => cop('query cop { __typename }')).replaceAll('} {', '},{')}]` },
    (told) => Array.isArray(told),
  ],
  [
    'directive overloading',
    '',
    { body: cop(`query cop { __typename ${'@aa'.repeat(10)} }`) },
    ({ errors }) => (errors?.length ?? 0) >= 10,
  ],
  [
    'circular introspection',
    '',
    { body: cop(`query cop { __schema { types { ${nested(5, 'fields { type { ', 'name', '} }')} } } }`) },
    ({ data }) => Boolean(data),
  ],
  [
    'field duplication',
    '',
    { body: cop(`query cop { ${'__typename \n'.repeat(500)} }`) },
    ({ data }) => Boolean(data),
  ],
  [
    'field suggestions',
    '',
    { body: cop('query cop { __schema { directive } }') },
    (_, text) => text.includes('Did you mean'),
  ],
  [
    'introspection',
    '',
    { body: cop('query cop { __schema { types { name } } }') },
    ({ data }) => Boolean(data),
  ],
  [
    'tracing',
    '',
    { body: cop('query cop { __typename }') },
    ({ extensions }) => Boolean(extensions?.tracing),
  ],
  [
    'an unhandled error',
    '',
    { body: cop('queryy cop { __typename }') },
    (_, text) => /exception|stack|node_modules/.test(text),
  ],
  [
    'a mutation by GET',
    '?query=mutation%20cop%20%7B__typename%7D',
    { method: 'GET' },
    ({ data }) => Boolean(data),
  ],
  [
    'a form',
    '',
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'query=query%20cop%20%7B__typename%7D',
    },
    ({ data }) => Boolean(data),
  ],
  [
    'an editor for everyone',
    '',
    { method: 'GET', headers: { accept: 'text/html' } },
    (_, text) => /graphiql|playground/i.test(text),
  ],
];

describe.each([
  ['without a credential', '' as string | undefined],
  ['with one', undefined],
])('GraphQL Cop, %s, where introspection is off', (_, credential) => {
  it.each(COP)('does not find %s', async (_, query, { body, ...init }, found) => {
    const { send } = await scene({ introspection: false });
    const headers = { 'content-type': 'application/json', ...init.headers };
    const answer = await send({ method: 'POST', ...init, headers, body }, `/graphql${query}`, credential);
    const text = await answer.text();
    const told = answer.headers.get('content-type')?.includes('json') ? (JSON.parse(text) as Told) : {};
    expect([answer.status < 500, found(told, text)]).toEqual([true, false]);
  });
});

describe('the schema', () => {
  const query = '{ __schema { queryType { name } } }';

  it('is told to who has a credential, unless INTROSPECTION is off', async () => {
    expect((await (await scene()).ask(query)).body.data).toBeDefined();
    const off = await scene({ introspection: readConfig({ INTROSPECTION: 'off' }).introspection });
    expect((await off.ask(query)).body.errors?.[0]?.extensions.code).toBe(BAD);
  });

  it('is not told by guessing', async () => {
    const { ask } = await scene();
    for (const guess of [
      '{ viewr { id } }',
      '{ viewer { nam } }',
      'query ($a: Strin) { viewer { id } }',
      '{ ... on Docment { id } }',
    ])
      expect(JSON.stringify((await ask(guess)).body)).not.toMatch(/Did you mean|viewer|Document/);
  });
});
