import type { GraphQLObjectType } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graph/schema/schema.ts';
import { type IdType, newId } from '../../src/lib/id.ts';
import { APPLICATIONS } from './application-facts.ts';
import { type AccessFact, containerOf, expectedCode, tableFaults } from './expected-access.ts';
import { type Fixture, PRINCIPALS, type Principal, SETUP_TIMEOUT_MS, sharedFixture } from './fixture.ts';
import { NODES, QUERIES } from './graph-facts.ts';
import { MUTATIONS } from './mutation-facts.ts';
import { codeOf, mutationText, sendGraph } from './requests.ts';
import { FINDS_FIRST } from './scope-facts.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

let s: Fixture;
let snapshot: Snapshot;

beforeAll(async () => {
  s = await sharedFixture();
  snapshot = await takeSnapshot(s.db);
}, SETUP_TIMEOUT_MS);

const fieldsOf = (type: GraphQLObjectType | null | undefined) => Object.values(type?.getFields() ?? {});
const mutations = fieldsOf(schema.getMutationType());
const queries = fieldsOf(schema.getQueryType());
const nodeTypes = schema
  .getPossibleTypes(schema.getType('Node') as never)
  .map(({ name }) => name)
  .sort();

describe('the access tables are complete:', () => {
  it.each([
    ['mutations', mutations.map(({ name }) => name), MUTATIONS, 'test/matrix/mutation-facts.ts'],
    [
      'mutations by applications',
      mutations.map(({ name }) => name),
      APPLICATIONS,
      'test/matrix/application-facts.ts',
    ],
    ['root fields', queries.map(({ name }) => name), QUERIES, 'test/matrix/graph-facts.ts'],
    ['types with an id', nodeTypes, NODES, 'test/matrix/graph-facts.ts'],
  ])('%s', (_, names, facts, file) => {
    expect(tableFaults(names, facts, file)).toEqual([]);
  });
});

it.each(mutations)('the description of $name says whether applications may run it', ({
  name,
  description,
}) => {
  expect(/Not available to applications/.test(description ?? '')).toBe(APPLICATIONS[name] === 'refused');
  expect(/An application needs the scope `members:write`/.test(description ?? '')).toBe(
    APPLICATIONS[name] === 'members',
  );
});

/** Who has nothing to change: a guest sees no contacts. */
const WITHOUT_EFFECT: Record<string, Principal[]> = {
  hideContacts: ['guest'],
  showContacts: ['guest'],
};

describe.each(mutations.map(({ name }) => name))('mutation %s', (name) => {
  const [least, input, container] = MUTATIONS[name] ?? ['admin', () => ({})];
  const fact = { least, writes: true, applications: APPLICATIONS[name] };
  const may = (principal: Principal) => expectedCode({ ...fact, container: 'project' }, principal) === 'OK';
  const run = (principal: Principal) =>
    sendGraph(s.app, mutationText(name), { input: input(s.a.at, s.a) }, s.credentials[principal]);

  it.each(PRINCIPALS.filter((each) => !may(each)))('is refused for %s', async (principal) => {
    const expectedContainer = container ?? containerOf(input(s.a.at, s.a));
    const answer = await run(principal);
    const isOfOthers = name === FINDS_FIRST && principal === 'application';
    expect([codeOf(answer), answer.body.errors]).toEqual([
      isOfOthers ? 'NOT_FOUND' : expectedCode({ ...fact, container: expectedContainer }, principal),
      [expect.anything()],
    ]);
  });

  it('changes nothing if it is refused', async () => {
    expect(await snapshot.restore()).toEqual([]);
  });

  it.each(PRINCIPALS.filter(may))('succeeds for %s', async (principal) => {
    const { body } = await run(principal);
    const changed = await snapshot.restore();
    expect(body.errors).toBeUndefined();
    expect(changed.length > 0).toBe(!WITHOUT_EFFECT[name]?.includes(principal));
  });
});

const idOf = (type: string): string => {
  const { idType } = NODES[type] ?? {};
  const [id] = (s.a.ids[idType as IdType] ?? []).filter((each) => !s.b.ids[idType as IdType]?.includes(each));
  if (!id) throw new Error(`Tenant A holds no ${type}: make one in test/matrix/tenant.ts.`);
  return NODES[type]?.at ? (s.a.at[NODES[type].at] as string) : id;
};

/** The ways to read an object by id. */
const lookups: [string, string][] = [
  ...nodeTypes.map((type): [string, string] => ['node', type]),
  ...nodeTypes.map((type): [string, string] => ['nodes', type]),
  ...queries.flatMap(({ name, type }): [string, string][] =>
    nodeTypes.includes(String(type)) ? [[name, String(type)]] : [],
  ),
];

const QUERY: Record<string, string> = {
  nodes: 'query ($id: ID!) { found: nodes(ids: [$id]) { __typename id } }',
};

const others = Object.entries(QUERIES).flatMap(([name, fact]) =>
  fact === 'by type' ? [] : [{ name, ...fact }],
);

describe.each(others)('root field $name', ({ least, query }) => {
  it.each(PRINCIPALS)('answers %s by the access table', async (principal) => {
    const answer = await sendGraph(s.app, query, s.a.at, s.credentials[principal]);
    expect(codeOf(answer)).toBe(expectedCode({ least, writes: false, container: 'project' }, principal));
  });
});

it('root fields that find an object by id have a Node type', () => {
  const byType = queries.filter(({ name }) => QUERIES[name] === 'by type');
  const types = new Set(byType.map(({ type }) => String(type)));
  expect([...types].filter((type) => !nodeTypes.includes(type))).toEqual(['Node', '[Node]!']);
});

describe.each(lookups)('%s(id:) of %s', (way, type) => {
  const query = QUERY[way] ?? `query ($id: ID!) { found: ${way}(id: $id) { __typename id } }`;
  const fact: AccessFact = { least: NODES[type]?.least ?? 'admin', writes: false, container: 'project' };

  it.each(PRINCIPALS)('answers %s by the access table', async (principal) => {
    const id = idOf(type);
    const answer = await sendGraph(s.app, query, { id }, s.credentials[principal]);
    expect(codeOf(answer)).toBe(expectedCode(fact, principal));
    if (codeOf(answer) === 'OK')
      return expect([answer.body.data.found].flat()).toEqual([{ __typename: type, id }]);
    const random = newId(NODES[type]?.idType as IdType);
    expect(answer).toEqual(await sendGraph(s.app, query, { id: random }, s.credentials[principal]));
  });
});
