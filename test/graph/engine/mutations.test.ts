import fc from 'fast-check';
import { buildSchema, execute, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { GraphContext } from '../../../src/graph/engine/context.ts';
import { runOperation } from '../../../src/graph/engine/run.ts';

const schema = buildSchema(`
  type Query { none: Int }
  type Payload { id: Int! broken: Int! later: Int! maybe: Int }
  type Mutation {
    make(id: Int!): Payload
    mustMake(id: Int!): Payload!
    refuse(id: Int!): Payload
    mustRefuse(id: Int!): Payload!
    nothing(id: Int!): Payload!
  }`);

const fail = (text: string) => {
  throw new Error(text);
};

type Make = { id: number };

/** Payloads and the order of what ran: each mutation is asynchronous, and takes a few turns. */
function mutations() {
  const order: string[] = [];
  const after = async (id: number, then: () => unknown) => {
    order.push(`${id} begins`);
    for (let turn = 0; turn < 3; turn++) await Promise.resolve();
    order.push(`${id} ends`);
    return then();
  };
  const payload = (id: number) => ({
    id,
    broken: () => fail(`broken ${id}`),
    later: async () => (id % 2 ? id : fail(`later ${id}`)),
    maybe: () => fail(`maybe ${id}`),
  });
  const rootValue = {
    make: ({ id }: Make) => after(id, () => payload(id)),
    mustMake: ({ id }: Make) => after(id, () => payload(id)),
    refuse: ({ id }: Make) => after(id, () => fail(`refused ${id}`)),
    mustRefuse: ({ id }: Make) => {
      order.push(`${id} is refused`);
      return fail(`refused ${id}`);
    },
    nothing: ({ id }: Make) => after(id, () => null),
  };
  return { order, rootValue };
}

const CONTEXT = { limits: { responseBytes: 1_000_000 } } as GraphContext;

const plain = (value: unknown) => JSON.parse(JSON.stringify(value ?? null));

async function both(query: string, variableValues: Record<string, unknown> = {}) {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  const ours = mutations();
  const theirs = mutations();
  const contextValue = CONTEXT;
  const results = [
    await runOperation({ schema, document, variableValues, contextValue, rootValue: ours.rootValue }),
    await execute({ schema, document, variableValues, rootValue: theirs.rootValue }),
  ];
  const [our, their] = results.map(({ data, errors }) => ({ data: plain(data), errors: plain(errors) }));
  return { ours: { ...our, order: ours.order }, theirs: { ...their, order: theirs.order } };
}

describe('several mutations of one request have the same result, order and errors as in graphql-js', () => {
  it.each([
    ['one after the other', '{ a: make(id: 1) { later } b: make(id: 3) { id } }'],
    ['on after one that is null', '{ a: make(id: 1) { id } b: refuse(id: 2) { id } c: make(id: 3) { id } }'],
    ['on after a payload that is null', '{ a: make(id: 1) { broken } b: make(id: 2) { id } }'],
    [
      'stopped by one that cannot be null',
      '{ a: make(id: 1) { id } b: mustRefuse(id: 2) { id } c: make(id: 3) { id } }',
    ],
    ['stopped by an error below it', '{ a: mustMake(id: 1) { broken } b: make(id: 2) { id } }'],
    ['stopped by a later error below it', '{ a: mustMake(id: 2) { later } b: make(id: 3) { id } }'],
    ['stopped by a null', '{ a: nothing(id: 1) { id } b: make(id: 2) { id } }'],
    ['not stopped by a nullable member', '{ a: mustMake(id: 1) { maybe } b: make(id: 2) { id } }'],
    ['duplicates merged', '{ make(id: 1) { id } b: make(id: 2) { id } make(id: 1) { later } }'],
    [
      'fragments',
      '{ ...M ... on Mutation { c: make(id: 3) { id } } } fragment M on Mutation { a: make(id: 1) { id } __typename b: mustRefuse(id: 2) { id } }',
    ],
    [
      'skipped',
      '{ a: mustRefuse(id: 1) @skip(if: true) { id } ... @include(if: false) { b: mustRefuse(id: 2) { id } } c: make(id: 3) { id } }',
    ],
  ])('%s', async (_, selection) => {
    const { ours, theirs } = await both(`mutation ${selection}`);
    expect(ours).toEqual(theirs);
  });

  it('for any selection', async () => {
    const name = fc.constantFrom('make', 'make', 'mustMake', 'refuse', 'mustRefuse', 'nothing');
    const members = fc.uniqueArray(fc.constantFrom('id', 'broken', 'later', 'maybe', 'x: id'), {
      minLength: 1,
    });
    const condition = fc.constantFrom('', '', '', '@skip(if: $yes)', '@include(if: $yes)', '@skip(if: $no)');
    const field = fc.record({ name, members, condition });
    const wrap = fc.constantFrom('plain', 'inline', 'named', 'twice');
    const given = fc.array(fc.record({ field, wrap }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(given, fc.boolean(), async (list, yes) => {
        const fragments: string[] = [];
        const selections = list.map(({ field: { name, members, condition }, wrap }, id) => {
          const text = `f${id}: ${name}(id: ${id}) ${condition} { ${members.join(' ')} }`;
          if (wrap === 'inline') return `... on Mutation ${condition} { ${text} }`;
          if (wrap === 'twice') return `${text} ${text}`;
          if (wrap === 'plain') return text;
          fragments.push(`fragment F${id} on Mutation { ${text} }`);
          return `...F${id} ${condition}`;
        });
        const used = [...selections, ...fragments].join(' ');
        const variables = ['yes', 'no'].filter((each) => used.includes(`$${each}`));
        const declared = variables.map((each) => `$${each}: Boolean!`).join(' ');
        const query = `mutation ${declared && `(${declared})`} { ${selections.join(' ')} } ${fragments.join(' ')}`;
        const { ours, theirs } = await both(query, { yes, no: !yes });
        expect(ours).toEqual(theirs);
      }),
      { numRuns: 500 },
    );
  });
});
