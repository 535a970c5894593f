import { buildSchema, execute, type GraphQLSchema, isObjectType, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { GraphContext } from '../../../src/graph/engine/context.ts';
import { runOperation } from '../../../src/graph/engine/run.ts';

const SDL = `
  interface Being { name: String! }
  type Person implements Being { name: String! friends: [Being!]! motto: String broken: String! later: String! }
  type Ship implements Being { name: String! captain: Person! tons(unit: Int! = 1): Int! crew: [Person]! }
  type Query {
    ship(id: ID!): Ship
    beings: [Being]!
    soon: [Being!]
    required: Ship!
    matrix: [[Int!]]!
    strange: Being
  }
  type Mutation { first: Int! second: Int! }`;

const grace = {
  __typename: 'Person',
  name: 'Grace',
  motto: () => 'Ask forgiveness.',
  later: Promise.resolve('soon'),
};
const ship = {
  __typename: 'Ship',
  name: 'Argo',
  captain: grace,
  crew: [grace, null, Promise.resolve(grace)],
};
const order: string[] = [];
const step = (name: string) => async () => {
  order.push(`${name} begins`);
  await new Promise((resolve) => setTimeout(resolve, 2));
  return order.push(`${name} ends`);
};

const RESOLVERS: Record<string, Record<string, unknown>> = {
  Query: {
    ship: (_: unknown, { id }: { id: string }) => (id === 'argo' ? Promise.resolve(ship) : null),
    beings: () => [grace, null, ship, Promise.resolve(ship), Promise.reject(new Error('lost'))],
    soon: async () => [Promise.resolve(grace), ship],
    required: () => ({ ...ship, captain: null }),
    matrix: () => [[1, 2], null, [3, 'x'], 4],
    strange: () => ({ __typename: 'Ghost', name: 'Boo' }),
  },
  Person: {
    friends: () => [ship, grace],
    broken: () => {
      throw new Error('broken');
    },
  },
  Ship: { tons: (_: unknown, { unit }: { unit: number }) => 100 / unit },
  Mutation: { first: step('first'), second: step('second') },
};

function resolving(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, fields] of Object.entries(RESOLVERS)) {
    const type = schema.getType(name);
    if (isObjectType(type))
      for (const [field, resolve] of Object.entries(fields))
        (type.getFields()[field] as { resolve?: unknown }).resolve = resolve;
  }
  return schema;
}

const schema = resolving(buildSchema(SDL));

/** Nothing else of the context is read by these resolvers. */
const CONTEXT = { limits: { responseBytes: 10_000 } } as GraphContext;

const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? null));

/** Sorted, since the order of errors is not specified. */
function settled({ data, errors = [] }: { data?: unknown; errors?: readonly object[] }) {
  const sorted = plain(errors).sort((a: object, b: object) =>
    JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
  );
  return { data: plain(data), order: JSON.stringify(data), errors: sorted };
}

async function both(query: string, variableValues: Record<string, unknown> = {}) {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  return {
    ours: settled(await runOperation({ schema, document, variableValues, contextValue: CONTEXT })),
    theirs: settled(await execute({ schema, document, variableValues, contextValue: {} })),
  };
}

describe('an operation has the same result as in graphql-js', () => {
  it.each([
    ['fields, aliases and arguments', '{ ship(id: "argo") { b: name a: name tons ten: tons(unit: 10) } }'],
    ['a null object', '{ ship(id: "other") { name } }'],
    [
      'promises at every depth',
      '{ soon { name ... on Person { later } } ship(id: "argo") { crew { later name } } }',
    ],
    ['properties that are functions', '{ ship(id: "argo") { captain { motto } } }'],
    ['types of an interface', '{ beings { __typename name ... on Ship { captain { name } } } __typename }'],
    [
      'fragments, merged',
      '{ ship(id: "argo") { ...A ...B } } fragment A on Ship { captain { name } } fragment B on Ship { captain { motto friends { ... on Being { name } } } }',
    ],
    ['nested lists, and values that are not lists or numbers', '{ matrix }'],
    ['an error that propagates to a nullable item', '{ ship(id: "argo") { crew { name broken } } }'],
    [
      'an error that propagates to a nullable field',
      '{ ship(id: "argo") { captain { broken } name } soon { name } }',
    ],
    ['an error that propagates to the root', '{ required { captain { name } } soon { name } }'],
    ['two errors below the same null', '{ ship(id: "argo") { captain { broken also: broken } } }'],
    [
      'introspection',
      '{ __schema { queryType { name fields { name type { kind ofType { name } } } } } __type(name: "Ship") { name } }',
    ],
    [
      'names of inherited properties',
      '{ __proto__: __typename constructor: __typename ship(id: "argo") { __proto__: name toString: name } }',
    ],
  ])('%s', async (_, query) => {
    const { ours, theirs } = await both(query);
    expect(ours).toEqual(theirs);
  });

  it.each([true, false])('with @skip and @include by variables: %s', async (yes) => {
    const query = `query ($yes: Boolean!) { ship(id: "argo") { name @include(if: $yes) tons @skip(if: $yes) ...T @include(if: $yes) } }
      fragment T on Ship { captain { name } }`;
    const { ours, theirs } = await both(query, { yes });
    expect(ours).toEqual(theirs);
  });

  it.each([
    { id: 3 },
    { id: null },
    {},
    { id: 'argo', unit: 'x' },
  ])('with the variables %j', async (variables) => {
    const query = 'query ($id: ID!, $unit: Int! = 5) { ship(id: $id) { tons(unit: $unit) } }';
    const { ours, theirs } = await both(query, variables);
    expect(ours).toEqual(theirs);
  });

  it('with a type that does not implement the interface, as an error of that field', async () => {
    const { ours } = await both('{ strange { name } soon { name } }');
    expect(ours.data.strange).toBeNull();
    expect(ours.errors).toHaveLength(1);
  });

  it('with mutations in series', async () => {
    order.length = 0;
    await runOperation({ schema, document: parse('mutation { second first }'), contextValue: CONTEXT });
    expect(order).toEqual(['second begins', 'second ends', 'first begins', 'first ends']);
  });

  it('with the named operation, and no data for an unknown name', async () => {
    const document = parse('query A { soon { name } } query B { matrix }');
    const run = (operationName: string) =>
      runOperation({ schema, document, operationName, contextValue: CONTEXT });
    expect(Object.keys((await run('A')).data ?? {})).toEqual(['soon']);
    expect(await run('C')).not.toHaveProperty('data');
  });
});

describe('a response above the limit in bytes', () => {
  const within = (responseBytes: number, query: string) =>
    runOperation({
      schema,
      document: parse(query),
      contextValue: { limits: { responseBytes } } as GraphContext,
    });
  const codeOf = ({ errors }: Awaited<ReturnType<typeof within>>) =>
    errors?.map(({ originalError, path }) => [(originalError as { code?: string })?.code, path?.join('.')]);

  it.each([
    ['of values', '{ soon { name } }', 'soon.0.name'],
    ['of values that come later', '{ ship(id: "argo") { captain { later } } }', 'ship.captain.later'],
    ['of a list', '{ matrix }', 'matrix'],
    ['of names', `{ ${'a'.repeat(40)}: matrix }`, 'a'.repeat(40)],
  ])('is null, with one error that names the field: %s', async (_, query, path) => {
    const size = JSON.stringify((await within(10_000, query)).data).length;
    const result = await within(Math.floor(size / 3), query);
    expect([result.data, codeOf(result)?.length]).toEqual([null, 1]);
    expect(codeOf(result)?.[0]).toEqual([
      'COST_LIMIT_EXCEEDED',
      expect.stringContaining(path.split('.')[0] as string),
    ]);
  });

  it('resolves nothing more, and runs no further field of a mutation', async () => {
    order.length = 0;
    const result = await within(12, 'mutation { first second }');
    expect(order).toEqual(['first begins', 'first ends']);
    expect(result.data).toBeNull();
    expect(result.errors?.[0]?.message).toMatch(
      /The changes of first, second were made|The changes of first were made/,
    );
  });
});
