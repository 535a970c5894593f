import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graph/schema/schema.ts';
import { encodeCursor } from '../../src/lib/cursor.ts';
import { type IdType, newId } from '../../src/lib/id.ts';
import { idsIn } from './expected-access.ts';
import { type Fixture, SETUP_TIMEOUT_MS, sharedFixture } from './fixture.ts';
import { NODES } from './graph-facts.ts';
import { completeInput, idPositions, idTypesOf, type Path, withValue } from './positions.ts';
import { sendGraph } from './requests.ts';
import type { Tenant } from './tenant.ts';

let s: Fixture;

beforeAll(async () => {
  s = await sharedFixture();
}, SETUP_TIMEOUT_MS);

type Field = GraphQLField<unknown, unknown>;

interface List {
  name: string;
  type: string;
  field: Field;
}

const isObject = (type: unknown): type is GraphQLObjectType => isObjectType(type);

const isList = ({ type, args }: Field) =>
  getNamedType(type).name.endsWith('Connection') && args.some(({ name }) => name === 'after');

/** Every list of an object with an id, or of the viewer. */
const lists: List[] = Object.values(schema.getTypeMap())
  .filter(isObject)
  .filter(({ name }) => name in NODES || name === 'Viewer')
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter(isList)
      .map((field) => ({ name: `${type.name}.${field.name}`, type: type.name, field })),
  );

/** The id of a tenant's object that has the list. */
const parentOf = (type: string, tenant: Tenant): string | undefined => {
  const { idType, at } = NODES[type] ?? {};
  return at ? tenant.at[at] : tenant.ids[idType as IdType]?.[0];
};

/** A selection that identifies the items of a list, with the objects beside each. */
function idOf({ type }: Field): string {
  const { nodes } = (getNamedType(type) as GraphQLObjectType).getFields();
  const item = getNamedType((nodes as Field).type);
  if (!isObject(item)) return '';
  const besides = Object.values(item.getFields()).filter(({ extensions }) => extensions.relation);
  return ['id' in item.getFields() ? 'id' : '', ...besides.map(({ name }) => `${name} { id }`)].join(' ');
}

/** Arguments without which a list is not read. */
const REQUIRED: Record<string, Record<string, unknown>> = { 'Project.diff': { from: { sequence: 0 } } };

async function read({ name, type, field }: List, tenant: Tenant, more: Record<string, unknown>) {
  const values = { ...REQUIRED[name], ...more };
  const args = field.args.filter(({ name }) => name in values);
  const typeOf = (arg: (typeof args)[0]) =>
    isRequiredArgument(arg) ? `${arg.type}` : `${arg.type}`.replace(/!$/, '');
  const variables = args.map((arg) => `, $${arg.name}: ${typeOf(arg)}`).join('');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const page = `${field.name}${passed && `(${passed})`} { nodes { __typename ${idOf(field)} } totalCount pageInfo { endCursor } }`;
  const query =
    type === 'Viewer'
      ? `query ${variables && `(${variables.slice(2)})`} { of: viewer { ${page} } }`
      : `query ($id: ID!${variables}) { of: node(id: $id) { id ... on ${type} { ${page} } } }`;
  const { body } = await sendGraph(s.app, query, { id: parentOf(type, tenant), ...values }, tenant.owner.key);
  return { errors: body.errors, list: body.data?.of?.[field.name] };
}

const strangersIn = (value: unknown): string[] => {
  const ofA = new Set(Object.values(s.a.ids).flat());
  const ofB = new Set(Object.values(s.b.ids).flat());
  return idsIn(value).filter((id) => ofB.has(id) && !ofA.has(id));
};

const filtered = lists.flatMap((list) =>
  list.field.args.flatMap((arg) =>
    idPositions(arg.type).map((path): [string, List, Path] => [
      `${list.name}(${[arg.name, ...path].join('.')})`,
      list,
      [arg.name, ...path],
    ]),
  ),
);

it.each(filtered)('%s matches nothing when filtered by an id of another tenant', async (_, list, [
  name,
  ...path
]) => {
  const arg = list.field.args.find((each) => each.name === name) as Field['args'][0];
  const by = (id: string) => ({
    [name as string]: completeInput(arg.type, withValue(undefined, path, id), s.a.ids),
  });
  for (const type of idTypesOf([name, ...path].findLast((step) => typeof step === 'string') as string)) {
    const [foreign] = s.b.ids[type] ?? [];
    const foreignList = await read(list, s.a, by(foreign as string));
    expect(foreignList).toEqual(await read(list, s.a, by(newId(type))));
    expect(strangersIn(foreignList)).toEqual([]);
  }
});

it.each(
  lists.map((list) => [list.name, list] as const),
)('%s returns only own objects after a cursor of another tenant', async (_, list) => {
  const { list: theirs } = await read(list, s.b, {});
  const after = theirs.pageInfo.endCursor ?? encodeCursor(['x', newId('Task')]);
  const own = await read(list, s.a, { first: 100 });
  const rest = await read(list, s.a, { after });
  expect(own.errors).toBeUndefined();
  expect(strangersIn(rest.list?.nodes)).toEqual([]);
  const ids = (page: { nodes?: { id?: string }[] } | undefined) => page?.nodes?.map(({ id }) => id) ?? [];
  expect(ids(own.list)).toEqual(expect.arrayContaining(ids(rest.list)));
});

describe('pages', () => {
  it.each([
    0,
    -1,
    101,
    2 ** 31,
    1.5,
    '5',
    null,
  ])('of size %j, and after malformed cursors, return a result or BAD_USER_INPUT', async (first) => {
    const garbage = ['', 'x', 'eyJ2Ijox', '\u202e', encodeCursor([{}, []] as never), 'A'.repeat(10_000)];
    for (const list of lists) {
      const { list: page, errors } = await read(list, s.a, { first });
      expect([list.name, page ? 'OK' : errors?.[0].extensions.code]).toEqual([
        list.name,
        first === 0 || first === null ? 'OK' : 'BAD_USER_INPUT',
      ]);
    }
    for (const after of garbage) {
      const { errors } = await read(lists[0] as List, s.a, { after });
      expect(errors?.[0].extensions.code).toBe('BAD_USER_INPUT');
    }
  });
});
