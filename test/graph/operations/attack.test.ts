import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { newApp, ORIGIN } from '../../support/browser.ts';
import { counted, testDatabase } from '../../support/database.ts';
import { newPerson } from '../../support/world.ts';
import { BAD, BODIES, DOCUMENTS, nested, TOO_MUCH, times } from './attacks.ts';

/** An application, and a call of the graph with a valid credential, or with the one passed. */
async function setUp(set: Parameters<typeof newApp>[1] = {}) {
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
  const execute = async (query: string, variables?: unknown) => {
    const answer = await post(JSON.stringify({ query, variables }));
    return { status: answer.status, body: (await answer.json()) as GraphAnswer };
  };
  return { app, send, post, execute };
}

interface GraphAnswer {
  data?: unknown;
  errors?: { message: string; extensions: { code: string } }[];
  extensions?: Record<string, unknown>;
}

describe('a document beyond the limits', { timeout: 120_000 }, () => {
  it.each(
    DOCUMENTS,
  )('%s is refused with no statement except the one that loads the viewer', async (_, query, code) => {
    const { execute } = await setUp();
    await execute('{ __typename }');
    const idle = await counted(() => execute('{ __typename }'));
    const { result, statements } = await counted(() => execute(query));
    expect([result.status < 500, result.body.errors?.[0]?.extensions.code]).toEqual([true, code]);
    expect(result.body.data).toBeUndefined();
    expect(statements).toEqual(idle.statements);
    expect(idle.statements).toHaveLength(1);
  });

  it.each(BODIES)('%s are refused before a resolver runs', async (_, body, status) => {
    const { post } = await setUp();
    await post('{"query":"{ __typename }"}');
    const { result, statements } = await counted(async () => {
      const answer = await post(body);
      return { status: answer.status, body: (await answer.json()) as GraphAnswer };
    });
    expect([result.status, result.body.errors?.length]).toEqual([status, expect.any(Number)]);
    expect(statements.length).toBe(1);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('has at most ten errors of its variables reported, each in at most 1,000 characters', async () => {
    const { execute } = await setUp();
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const refusal = await execute(query, {
      ids: Array(900).fill({ [`Did you mean ${'x'.repeat(900)}`]: 1 }),
    });
    const lengths = refusal.body.errors?.map(({ message }) => message.length) ?? [];
    expect(lengths.length).toBeLessThanOrEqual(21);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1_001);
  });

  it('has the errors of a subscription’s variables reported the same way', async () => {
    const { send } = await setUp();
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
  ])('is refused for long runs of combining marks in the %s of a task', async (member, reason) => {
    const { execute } = await setUp();
    const query = 'mutation ($input: CreateTasksInput!) { createTasks(input: $input) { tasks { id } } }';
    const task = { name: 'x', [member]: `a${'\u0315\u0316'.repeat(100)}` };
    const { body } = await execute(query, { input: { projectId: 'prj_x', tasks: [task] } });
    expect(body.errors?.[0]?.message).toBe(`tasks.0.${member}: ${reason}`);
  });

  it('accepts a search prefix of any length, which then matches nothing', async () => {
    const { execute } = await setUp();
    const query =
      'query ($prefix: String!) { viewer { organizations(first: 1, search: $prefix) { nodes { id } } } }';
    const { body } = await execute(query, { prefix: 'x'.repeat(500_000) });
    expect(body).toMatchObject({ data: { viewer: { organizations: { nodes: [] } } } });
  });

  it('is refused if it is compressed', async () => {
    const { send } = await setUp();
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const body = new Response(
      new Blob(['{"query":"{ __typename }"}']).stream().pipeThrough(new CompressionStream('gzip')),
    );
    const answer = await send({ method: 'POST', headers, body: await body.arrayBuffer() });
    expect([answer.status, await answer.json()]).toEqual([400, { errors: [expect.anything()] }]);
  });

  it('cannot change its method by a header, nor run a second operation that is not named', async () => {
    const { send, execute } = await setUp();
    const change =
      'mutation M { createOrganizations(input: { organizations: [{ name: "x" }] }) { organizations { id } } }';
    const smuggled = encodeURIComponent(`query Q { __typename } ${change}`);
    const byGet = await send(
      { headers: { 'x-http-method-override': 'POST' } },
      `/graphql?query=${smuggled}&operationName=M`,
    );
    expect(byGet.status).toBe(405);
    const both = await execute(`query Q { __typename } ${change}`);
    expect(both.body.errors?.[0]?.extensions.code).toBe(BAD);
  });
});

const PROJECTS =
  '{ organization(id: "org_x") { projects(first: 50) { nodes { documents(first: 20) { nodes { id } } } } } }';

describe('the cost of a query', () => {
  const page = (first: number, name: string, inner: string) =>
    `${name}(first: ${first}) { nodes { ${inner} } }`;

  const pricedBy = async (query: string, limits = {}) => {
    const { execute } = await setUp({ limits: { ...readConfig({}).limits, ...limits } });
    return (await execute(query)).body;
  };

  /** GitHub counts nodes, and prices pages separately; here each page costs ten points, and the viewer one. */
  it.each<[nodes: number, pages: number, query: string]>([
    [550, 51, page(50, 'organizations', page(10, 'projects', 'id'))],
    [
      22_060,
      1 + 100 + 2_000 + 1,
      `${page(50, 'organizations', `${page(20, 'projects', page(10, 'documents', 'id'))} more: ${page(20, 'projects', page(10, 'tasks', 'id'))}`)} ${page(10, 'tasks', 'id')}`,
    ],
  ])('counts %i nodes, as the documentation of GitHub does', async (nodes, pages, inner) => {
    const { extensions } = await pricedBy(`{ viewer { ${inner} } }`, { queryCost: 1 });
    expect(extensions?.cost).toMatchObject({ requested: nodes + 10 * pages + 1 });
  });

  it.each<[what: string, points: number, query: string]>([
    ['a page of documents in each project of a page', 1 + 10 + 50 * (1 + 10 + 20), PROJECTS],
    ['a count', 1 + 10 + 20, '{ viewer { organizations(first: 5) { totalCount } } }'],
    [
      'a page whose size is the default of a variable',
      1 + 10 + 90,
      'query ($n: Int = 90) { viewer { organizations(first: $n) { nodes { id } } } }',
    ],
    [
      'a search',
      1 + 1_000 + 2,
      '{ organization(id: "org_x") { search(query: "a", first: 2) { nodes { kind } } } }',
    ],
  ])('prices %s', async (_, points, query) => {
    expect((await pricedBy(query)).extensions?.cost).toMatchObject({ requested: points });
  });

  it('is within the default limit for an ordinary page of a front end', async () => {
    const documents = page(20, 'documents', 'id name comments(first: 2) { nodes { id } }');
    const inner = page(1, 'organizations', page(10, 'projects', documents));
    expect((await pricedBy(`{ viewer { ${inner} } }`)).errors).toBeUndefined();
  });

  it('is reported with the most expensive pages, and the page size that is within the limit', async () => {
    const query = (first: number) =>
      `{ viewer { mine: ${page(100, 'organizations', page(first, 'projects', 'id name'))} ${page(5, 'tasks', 'id')} } }`;
    const { extensions, errors } = await pricedBy(query(100));
    expect(extensions?.cost).toEqual({
      requested: 1 + 10 + 100 * (1 + 10 + 100) + 10 + 5,
      limit: 10_000,
      mostExpensive: [
        { path: 'viewer.mine', points: 11_100, first: 100, fits: 89 },
        { path: 'viewer.mine.nodes.projects', points: 10_000, first: 100, fits: 88 },
        { path: 'viewer.tasks', points: 5, first: 5, fits: null },
      ],
    });
    expect(errors?.[0]?.message).toContain('With first: 89 at viewer.mine it would be within the limit.');
    expect((await pricedBy(query(88))).errors).toBeUndefined();
    expect((await pricedBy(query(89))).errors?.[0]?.extensions.code).toBe(TOO_MUCH);
  });
});

const cop = (query: string) => JSON.stringify({ query, operationName: 'cop' });

/** The checks of GraphQL Cop 1.14: the request, and when its answer is a finding. */
const COP: [
  title: string,
  path: string,
  init: RequestInit & { body?: string },
  isFound: (parsed: GraphAnswer, text: string) => boolean,
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
    (parsed) => Array.isArray(parsed),
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
])('GraphQL Cop, %s, with introspection off', (_, credential) => {
  it.each(COP)('does not find %s', async (_, query, { body, ...init }, isFinding) => {
    const { send } = await setUp({ introspection: false });
    const headers = { 'content-type': 'application/json', ...init.headers };
    const answer = await send({ method: 'POST', ...init, headers, body }, `/graphql${query}`, credential);
    const text = await answer.text();
    const parsed = answer.headers.get('content-type')?.includes('json')
      ? (JSON.parse(text) as GraphAnswer)
      : {};
    expect([answer.status < 500, isFinding(parsed, text)]).toEqual([true, false]);
  });
});

describe('the schema', () => {
  const query = '{ __schema { queryType { name } } }';

  it('can be introspected with a credential, unless INTROSPECTION is off', async () => {
    expect((await (await setUp()).execute(query)).body.data).toBeDefined();
    const off = await setUp({ introspection: readConfig({ INTROSPECTION: 'off' }).introspection });
    expect((await off.execute(query)).body.errors?.[0]?.extensions.code).toBe(BAD);
  });

  const GUESSES = [
    '{ viewr { id } }',
    '{ viewer { nam } }',
    'query ($a: Strin) { viewer { user { id } } }',
    'query ($id: ID!) { project(id: $id) { documents(orderBy: { field: CREATED }) { nodes { id } } } }',
  ];

  it.each(GUESSES)('is suggested to a caller who may introspect it: %s', async (guess) => {
    const { execute } = await setUp();
    expect(JSON.stringify((await execute(guess)).body)).toContain('Did you mean');
  });

  it('is not disclosed by suggestions in errors where INTROSPECTION is off', async () => {
    const { execute } = await setUp({ introspection: false });
    for (const guess of [...GUESSES, '{ ... on Docment { id } }'])
      expect(JSON.stringify((await execute(guess)).body)).not.toMatch(
        /Did you mean|viewer|Document"|CREATED_AT/,
      );
  });
});
