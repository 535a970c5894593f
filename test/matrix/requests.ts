import {
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { Hono } from 'hono';
import { schema } from '../../src/graph/schema/schema.ts';

/** What came back, as far as callers can tell one answer from another: without the id of the request. */
export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: its shape is the route's
  body: any;
  type: string;
}

export async function send(
  app: Hono,
  { method, path, body }: { method: string; path: string; body?: unknown },
  credential?: string,
): Promise<Answer> {
  const headers = {
    'content-type': 'application/json',
    ...(credential && { authorization: `Bearer ${credential}` }),
  };
  const content = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const answer = await app.request(path, { method, headers, body: content });
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
  const text = await answer.text();
  const read = type === 'application/json' ? JSON.parse(text, withoutRequest) : text;
  return { status: answer.status, body: read, type };
}

const withoutRequest = (name: string, value: unknown) => (name === 'requestId' ? undefined : value);

export const sendGraph = (
  app: Hono,
  query: string,
  variables: unknown,
  credential?: string,
): Promise<Answer> => send(app, { method: 'POST', path: '/graphql', body: { query, variables } }, credential);

/** The first code of a GraphQL answer, or OK. */
export const codeOf = ({ body }: Answer): string => body?.errors?.[0]?.extensions?.code ?? 'OK';

const needsNothing = ({ args }: GraphQLField<unknown, unknown>) => !args.some(isRequiredArgument);

const arguments_ = ({ args }: GraphQLField<unknown, unknown>) =>
  args.some(({ name }) => name === 'first') ? '(first: 5)' : '';

type Skipped = (field: GraphQLField<unknown, unknown>) => boolean;

/** What `nodes` holds as well. */
export const isEdges: Skipped = ({ name }) => name === 'edges';

const isConnection: Skipped = ({ type }) => getNamedType(type).name.endsWith('Connection');

/** All that can be asked of a type to a depth: the leaves, and what is below the objects and lists. */
export function selectionOf(output: GraphQLOutputType, depth: number, skip: Skipped = () => false): string {
  const type = getNamedType(output);
  if (isLeafType(type)) return '';
  if (isAbstractType(type)) return '{ __typename ... on Node { id } }';
  const fields = Object.values((type as GraphQLObjectType).getFields())
    .filter((field) => needsNothing(field) && !skip(field))
    .flatMap((field) => {
      const below = getNamedType(field.type);
      if (isLeafType(below)) return field.name;
      const next = isPlumbing(below.name) ? depth : depth - 1;
      return next > (isPageOfNodes(below) ? 1 : 0)
        ? `${field.name}${arguments_(field)} ${selectionOf(field.type, next, skip)}`
        : [];
    });
  return `{ __typename ${fields.join(' ')} }`;
}

const nodes = new Set(
  schema.getPossibleTypes(schema.getType('Node') as GraphQLAbstractType).map(({ name }) => name),
);

/** Without its items a page says nothing. */
function isPageOfNodes(type: GraphQLNamedType): boolean {
  const items = isObjectType(type) ? type.getFields().nodes : undefined;
  return items !== undefined && nodes.has(getNamedType(items.type).name);
}

/** Only things that have an id of their own count as a level: not pages, nor what stands in between. */
const isPlumbing = (name: string) => !nodes.has(name) && name !== 'Viewer';

const mutations = schema.getMutationType()?.getFields() ?? {};

const texts = new Map<string, string>();

/** The text of a mutation by its name: one input, and what it gives back without its lists. */
export function mutationText(name: string): string {
  const field = mutations[name] as GraphQLField<unknown, unknown>;
  const text =
    texts.get(name) ??
    `mutation ($input: ${field.args[0]?.type}) { ${name}(input: $input) ${selectionOf(field.type, 2, isConnection)} }`;
  texts.set(name, text);
  return text;
}
