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
import { formToken } from '../../src/auth/same-origin.ts';
import { schema } from '../../src/graph/schema/schema.ts';
import { PAGE_TOKEN_HEADER } from '../../src/web/sign-in/own-page-session.ts';

/** The headers of a request with a bearer credential, or with the cookie of a browser session from a page of ours. */
export function headersOf(credential: string | undefined): Record<string, string> {
  if (!credential) return {};
  if (!credential.startsWith('dgs_')) return { authorization: `Bearer ${credential}` };
  const fromOwnPage = { 'sec-fetch-site': 'same-origin', [PAGE_TOKEN_HEADER]: formToken(credential) };
  return { cookie: `docgraph_session=${credential}`, ...fromOwnPage };
}

/** An answer without the request id, so that answers can be compared. */
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
    ...headersOf(credential),
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

const hasNoRequiredArguments = ({ args }: GraphQLField<unknown, unknown>) => !args.some(isRequiredArgument);

const arguments_ = ({ args }: GraphQLField<unknown, unknown>) =>
  args.some(({ name }) => name === 'first') ? '(first: 5)' : '';

type Skipped = (field: GraphQLField<unknown, unknown>) => boolean;

/** `edges` has the same objects as `nodes`. */
export const isEdges: Skipped = ({ name }) => name === 'edges';

/** Lists, and what only a browser session sees. */
const isBeside: Skipped = ({ type }) => /^Account$|Connection$/.test(getNamedType(type).name);

/** A selection of all fields of a type to a depth: the leaves, and the fields of objects and lists. */
export function selectionOf(output: GraphQLOutputType, depth: number, skip: Skipped = () => false): string {
  const type = getNamedType(output);
  if (isLeafType(type)) return '';
  if (isAbstractType(type)) return '{ __typename ... on Node { id } }';
  const fields = Object.values((type as GraphQLObjectType).getFields())
    .filter((field) => hasNoRequiredArguments(field) && !skip(field))
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

/** A page without its items is not selected. */
function isPageOfNodes(type: GraphQLNamedType): boolean {
  const items = isObjectType(type) ? type.getFields().nodes : undefined;
  return items !== undefined && nodes.has(getNamedType(items.type).name);
}

/** Only types with an id count as a level, not pages and edges. */
const isPlumbing = (name: string) => !nodes.has(name) && name !== 'Viewer';

const mutations = schema.getMutationType()?.getFields() ?? {};

const texts = new Map<string, string>();

/** The text of a mutation: one input, and its payload without lists. */
export function mutationText(name: string): string {
  const field = mutations[name] as GraphQLField<unknown, unknown>;
  const text =
    texts.get(name) ??
    `mutation ($input: ${field.args[0]?.type}) { ${name}(input: $input) ${selectionOf(field.type, 2, isBeside)} }`;
  texts.set(name, text);
  return text;
}
