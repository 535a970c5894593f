import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../../src/graph/schema/schema.ts';
import { ID_PREFIXES, type IdType } from '../../../src/lib/id.ts';

const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type));
const objects = types.filter((type): type is GraphQLObjectType => isObjectType(type));
const nodeOf = (type: GraphQLObjectType, field: string): GraphQLNamedType | undefined => {
  const fields = type.getFields();
  return fields[field] && getNamedType(fields[field].type);
};

test('the lists of a node type share one connection type and one edge type', () => {
  const pages = objects.filter(({ name }) => name.endsWith('Connection'));
  expect(pages.length).toBeGreaterThan(20);
  for (const page of pages) {
    const node = nodeOf(page, 'nodes')?.name;
    const expected = node === 'SearchHit' ? 'Search' : node;
    expect([page.name, nodeOf(page, 'edges')?.name]).toEqual([`${expected}Connection`, `${expected}Edge`]);
  }
});

test('every type, field, argument, input field and enum value has a description', () => {
  const fields = types
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));
  const missing = [
    ...types.filter(({ description }) => !description).map(({ name }) => name),
    ...fields
      .filter(({ field }) => !field.description)
      .map(({ type, field }) => `${type.name}.${field.name}`),
    ...fields.flatMap(({ type, field }) =>
      field.args
        .filter(({ description }) => !description)
        .map(({ name }) => `${type.name}.${field.name}(${name})`),
    ),
    ...types
      .filter(isInputObjectType)
      .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
      .filter(({ field }) => !field.description)
      .map(({ type, field }) => `${type.name}.${field.name}`),
    ...types
      .filter(isEnumType)
      .flatMap((type) => type.getValues().map((value) => ({ type, value })))
      .filter(({ value }) => !value.description)
      .map(({ type, value }) => `${type.name}.${value.name}`),
  ];
  expect(missing).toEqual([]);
});

test('every mutation is verbNoun(input: VerbNounInput!): VerbNounPayload', () => {
  for (const { name, args, type } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const typeName = name.charAt(0).toUpperCase() + name.slice(1);
    const signature = `(${args.map((arg) => `${arg.name}: ${arg.type}`)}): ${type}`;
    expect(`${name}${signature}`).toBe(`${name}(input: ${typeName}Input!): ${typeName}Payload`);
  }
});

test('every id in outputs, inputs and arguments is an ID', () => {
  const values = types.flatMap((type) => {
    if (isInputObjectType(type))
      return Object.values(type.getFields()).map((field) => ({
        path: `${type.name}.${field.name}`,
        ...field,
      }));
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap((field) => [
      { path: `${type.name}.${field.name}`, name: field.name, type: field.type },
      ...field.args.map((arg) => ({
        path: `${type.name}.${field.name}(${arg.name})`,
        name: arg.name,
        type: arg.type,
      })),
    ]);
  });
  const ids = values.filter(({ name }) => /^ids?$|Ids?$/.test(name));
  expect(ids.length).toBeGreaterThan(200);
  const others = ids.filter(({ type }) => getNamedType(type).name !== 'ID').map(({ path }) => path);
  // The last segment of a public link: no object has it as its id.
  expect(others).toEqual(['Folder.linkId', 'FormField.linkId', 'FormTemplate.linkId']);
});

test('an id belongs to one type, which has a prefix of its own', () => {
  const named = objects.filter((type) => type.getFields().id).map(({ name }) => name);
  expect(named.length).toBeGreaterThan(30);
  const others: Record<string, IdType> = { OrganizationMember: 'Membership', FieldChoice: 'FieldListItem' };
  const prefixes = named.map((name) => ID_PREFIXES[others[name] ?? (name as IdType)]);
  expect(named.filter((_, index) => prefixes[index] === undefined)).toEqual([]);
  expect(new Set(prefixes).size).toBe(named.length);
});

test('every type with an id is a Node, except a reservation of an upload', () => {
  const others = objects.filter(
    (type) => type.getFields().id && !type.getInterfaces().some(({ name }) => name === 'Node'),
  );
  expect(others.map(({ name }) => name)).toEqual(['Upload']);
});

test('every enum value is in upper case', () => {
  const values = types.filter(isEnumType).flatMap((type) => type.getValues().map(({ name }) => name));
  expect(values.length).toBeGreaterThan(100);
  expect(values.filter((name) => !/^[A-Z][A-Z0-9_]*$/.test(name))).toEqual([]);
});
