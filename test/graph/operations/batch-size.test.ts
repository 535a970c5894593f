import {
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isListType,
  parse,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../../src/graph/operations/cost.ts';
import { schema } from '../../../src/graph/schema/schema.ts';
import { schemaText } from '../../../src/graph/schema/schema-text.ts';

const LIMITS = { queryCost: 10_000, queryDepth: 15, pageSize: 25, pageSizeMax: 100 };
const COMMAND = 500;

const pointsOf = (query: string, variables: Record<string, unknown> = {}) =>
  costOf(schema, parse(query), null, variables, LIMITS).points;

const isList = (type: unknown) => isListType(getNullableType(type as never));

/** Mutations whose input requires a list and whose payload has lists of objects. */
const BATCHES = Object.values((schema.getMutationType() as GraphQLObjectType).getFields()).flatMap(
  ({ name, args, type }) => {
    const input = getNamedType(args[0]?.type as never);
    const members = isInputObjectType(input) ? Object.values(input.getFields()) : [];
    const required = members.filter((each) => isList(each.type) && String(each.type).endsWith('!'));
    const lists = Object.values((getNamedType(type) as GraphQLObjectType).getFields())
      .filter((each) => isList(each.type) && isCompositeType(getNamedType(each.type)))
      .map((each) => each.name);
    return required.length > 0 && lists.length > 0
      ? [[name, String(input), required.map((each) => each.name), lists] as const]
      : [];
  },
);

describe('the payload of a batch', () => {
  it.each(BATCHES)('%s is priced by the length of its input', (name, input, members, lists) => {
    const query = `mutation ($input: ${input}!) { ${name}(input: $input) { ${lists.map((each) => `${each} { __typename }`).join(' ')} } }`;
    const price = (items: number) =>
      pointsOf(query, { input: Object.fromEntries(members.map((each) => [each, Array(items)])) });
    expect([price(0), price(1), price(500)]).toEqual([
      COMMAND,
      COMMAND + lists.length,
      COMMAND + 500 * lists.length,
    ]);
  });

  it('has the size in the published schema', () => {
    const text = schemaText(schema);
    for (const [name, _, members, lists] of BATCHES) {
      const declaration = text.slice(text.indexOf(`\n  ${name}(`));
      const directive = /@listSize\([^)]*\)/.exec(declaration)?.[0];
      for (const each of [...members.map((member) => `input.${member}`), ...lists])
        expect([name, directive]).toEqual([name, expect.stringContaining(`"${each}"`)]);
    }
  });

  it.each([
    [
      'in a variable',
      'mutation ($input: FollowTasksInput!) { followTasks(input: $input)',
      { input: { taskIds: ['a', 'b', 'c'] } },
    ],
    [
      'in a variable of the list',
      'mutation ($ids: [ID!]!) { followTasks(input: { taskIds: $ids })',
      { ids: ['a', 'b', 'c'] },
    ],
    ['in a default', 'mutation ($ids: [ID!]! = ["a", "b", "c"]) { followTasks(input: { taskIds: $ids })', {}],
    ['in the document', 'mutation { followTasks(input: { taskIds: ["a", "b", "c"] })', {}],
  ])('is priced by an input %s', (_, head, variables) => {
    expect(pointsOf(`${head} { tasks { id project { id } } } }`, variables)).toBe(COMMAND + 3 * 2);
  });

  it('is priced with one item for a single value, and with ten without a list', () => {
    const follow = (input: string) => pointsOf(`mutation { followTasks(input: ${input}) { tasks { id } } }`);
    expect([follow('{ taskIds: "a" }'), follow('{ taskIds: null }'), follow('{}')]).toEqual([
      COMMAND + 1,
      COMMAND + 10,
      COMMAND + 10,
    ]);
  });

  it('is priced by a count where the input lists nothing', () => {
    const reserve =
      'mutation ($n: Int) { reserveUploads(input: { projectId: "p", count: $n }) { uploads { id } } }';
    expect([pointsOf(reserve, { n: 400 }), pointsOf(reserve)]).toEqual([COMMAND + 400, COMMAND + 10]);
  });

  it('counts at least as a list of unknown length if its list may be left out', () => {
    const hide = (emails: string[]) =>
      pointsOf(
        'mutation ($input: HideContactsInput!) { hideContacts(input: $input) { addressBook { id } } }',
        {
          input: { emails },
        },
      );
    expect([hide(['a']), hide(Array(30).fill('a'))]).toEqual([COMMAND + 10, COMMAND + 30]);
  });

  it('multiplies the pages below it', () => {
    const query =
      'mutation ($ids: [ID!]!) { followTasks(input: { taskIds: $ids }) { tasks { project { tasks(first: 100) { nodes { id } } } } } }';
    expect(pointsOf(query, { ids: Array(500).fill('a') })).toBe(COMMAND + 500 * (1 + 1 + 10 + 100));
  });
});
