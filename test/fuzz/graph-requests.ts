import fc, { type Arbitrary } from 'fast-check';
import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  isObjectType,
} from 'graphql';
import { schema } from '../../src/graph/schema/schema.ts';
import { NODES } from '../matrix/graph-facts.ts';
import { MUTATIONS } from '../matrix/mutation-facts.ts';
import { mutationText } from '../matrix/requests.ts';
import type { Tenant } from '../matrix/tenant.ts';
import { fromInput, type Ids, varied } from './values.ts';

export interface GraphRequest {
  query: string;
  variables: unknown;
}

type Field = GraphQLField<unknown, unknown>;

const fieldsOf = (name: string): Field[] =>
  Object.values((schema.getType(name) as GraphQLObjectType).getFields());

/** A mutation with a valid input except for one or two members, or with a random input. */
const mutations = (ids: Ids, tenant: Tenant): Arbitrary<GraphRequest> =>
  fc.constantFrom(...fieldsOf('Mutation')).chain(({ name, args }) => {
    const type = args[0]?.type as GraphQLInputType;
    const fields = Object.values((getNamedType(type) as GraphQLInputObjectType).getFields());
    const members = fields.map((field) => [field.name, fromInput(field.type, ids, field.name)]);
    const sound = MUTATIONS[name]?.[1](tenant.at, tenant);
    return fc
      .oneof(
        { weight: 3, arbitrary: varied(sound, Object.fromEntries(members)) },
        { weight: 1, arbitrary: fromInput(type, ids) },
      )
      .map((input) => ({ query: mutationText(name), variables: { input } }));
  });

const nodeTypes = schema.getPossibleTypes(schema.getType('Node') as never).map(({ name }) => name);

/** Every field with arguments, and its path from the root. */
const fieldsOfTypes = Object.values(schema.getTypeMap())
  .filter((type): type is GraphQLObjectType => isObjectType(type))
  .filter(({ name }) => nodeTypes.includes(name) || name === 'Viewer' || name === 'Query')
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter(({ args }) => args.length > 0)
      .map((field) => ({ type: type.name, field })),
  );

function queryText(type: string, { name, args, type: output }: Field): string {
  const named = getNamedType(output);
  const inner = isObjectType(named)
    ? ` { __typename ${'nodes' in named.getFields() ? 'totalCount pageInfo { endCursor } nodes { __typename }' : ''} }`
    : '';
  const below = inner || ('getFields' in named ? ' { __typename }' : '');
  const callArguments = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const variables = args.map((arg) => `$${arg.name}: ${arg.type}`).join(', ');
  const call = `${name}(${callArguments})${below}`;
  if (type === 'Query') return `query (${variables}) { ${call} }`;
  if (type === 'Viewer') return `query (${variables}) { viewer { ${call} } }`;
  return `query ($of: ID!, ${variables}) { node(id: $of) { ... on ${type} { ${call} } } }`;
}

/** The argument for an id of the type. */
const idOf = (type: string): string => `${NODES[type]?.idType ?? type}Id`;

const queries = (ids: Ids): Arbitrary<GraphRequest> =>
  fc.constantFrom(...fieldsOfTypes).chain(({ type, field }) => {
    const members = field.args.map((arg) => [arg.name, fromInput(arg.type, ids, arg.name)]);
    return fc
      .record({ of: ids(idOf(type)), ...Object.fromEntries(members) }, { requiredKeys: ['of' as never] })
      .map((variables) => ({ query: queryText(type, field), variables }));
  });

/** Every mutation, and every field with arguments. */
export const graphRequests = (ids: Ids, tenant: Tenant): Arbitrary<GraphRequest> =>
  fc.oneof({ weight: 3, arbitrary: mutations(ids, tenant) }, { weight: 2, arbitrary: queries(ids) });
