import { scopeAlternatives } from '../../graph/http/execute.ts';
import { type Deprecation, deprecationText, routeName } from '../../lib/deprecation/deprecation.ts';
import { DEPRECATIONS } from '../../lib/deprecation/deprecations.ts';
import type { Content, Operation, Parameter, Response } from '../../lib/openapi.ts';
import { END_CURSOR } from '../wire/pages.ts';
import type { Route } from '../wire/route.ts';
import type { Area, Operation as ContractOperation, Page } from './contract/contract.ts';
import { errorsOf, RATE_HEADERS } from './openapi-errors.ts';
import { headerParameters } from './openapi-header.ts';
import { pathParameter } from './openapi-path.ts';
import { exampleOf, splitTypeText, typeSchema } from './schema.ts';

/** The operation object of one path and method. */
export function operationOf(route: Route, contract: ContractOperation, area: Area, path: string): Operation {
  const alias = path !== route.path;
  const deprecation = DEPRECATIONS[routeName(route.method, path)];
  return {
    operationId: alias ? `${route.id}Alias` : route.id,
    summary: contract.summary,
    description: description(route, contract, deprecation),
    tags: [area.title],
    ...(deprecation && { deprecated: true }),
    'x-graphql-operation': route.operations.names,
    parameters: [...queryParameters(contract), ...headerParameters(route)],
    ...(contract.body && { requestBody: requestBody(contract, contract.body) }),
    responses: { ...successResponses(route, successResponse(contract)), ...errorsOf(route, contract) },
    security: [
      ...(route.link ? [{ publicLink: [] }] : []),
      { bearer: [] },
      ...scopeAlternatives(route.operations.required).map((scopes) => ({ oauth2: scopes })),
    ],
  };
}

const inWords = (scopes: readonly string[]): string =>
  `the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.map((scope) => `\`${scope}\``).join(', ')}`;

const description = (
  { link, operations }: Route,
  { details }: ContractOperation,
  deprecation: Deprecation | undefined,
): string =>
  [
    deprecation && deprecationText(deprecation),
    details,
    `Requires ${scopeAlternatives(operations.required).map(inWords).join(', or ')}${link ? ', or a public link.' : '.'}`,
  ]
    .filter(Boolean)
    .join(' ');

export const pathParameters = (path: string): Parameter[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => pathParameter(name as string));

const CURSOR: Parameter = {
  name: 'cursor',
  in: 'query',
  description: 'The Cursor of the previous page; omitted or empty for the first page.',
  schema: { type: 'string' },
};

function queryParameters({ query = {}, answer }: ContractOperation): Parameter[] {
  const filters = Object.entries(query).map(([name, short]): Parameter => {
    const { type, meaning } = splitTypeText(short);
    const required = type.endsWith('!');
    return {
      name,
      in: 'query',
      ...(required && { required }),
      description: meaning,
      schema: typeSchema(required ? type.slice(0, -1) : type),
    };
  });
  return isPage(answer) ? [CURSOR, ...filters] : filters;
}

function requestBody({ textBody }: ContractOperation, body: string) {
  const type = body.replace(/\?$/, '');
  return {
    required: type === body,
    content: {
      'application/json': { schema: typeSchema(type), example: exampleOf(type) },
      ...(textBody && {
        'text/plain': { schema: { type: 'string', description: textBody[0] }, example: textBody[1] },
      }),
    },
  };
}

export const isPage = (answer: ContractOperation['answer']): answer is Page => typeof answer === 'object';

/** GET has an ETag and 304; a write may be a replay of an earlier reply. */
function successResponses(route: Route, answer: Response): Record<string, Response> {
  if (route.method !== 'GET') {
    const replayed = {
      schema: { type: 'boolean' },
      description: 'True if this is the response to the first request with this key.',
    };
    return { 200: { ...answer, headers: { ...RATE_HEADERS, 'Idempotency-Replayed': replayed } } };
  }
  if (route.operations.writes) return { 200: { ...answer, headers: RATE_HEADERS } };
  const tag = {
    schema: { type: 'string' },
    description: 'The version of the response; a strong tag if it is one object with a version.',
  };
  const headers = { ...RATE_HEADERS, ETag: tag };
  return {
    200: { ...answer, headers },
    304: { description: 'Not modified: the response would be the one that If-None-Match names.', headers },
  };
}

function successResponse(contract: ContractOperation): Response {
  const { answer, textAnswer } = contract;
  if (answer === undefined && !textAnswer) return { description: 'Success. The body is empty.' };
  const content: Content = answer === undefined ? {} : jsonContent(answer);
  if (!textAnswer) return { description: 'Success.', content };
  const [type, when, example] = textAnswer;
  return {
    description: `Success. ${when}`,
    content: { ...content, [type]: { schema: { type: 'string' }, example } },
  };
}

const jsonContent = (answer: NonNullable<ContractOperation['answer']>): Content => ({
  'application/json': isPage(answer)
    ? { schema: typeSchema(pageName(answer)), example: pageExample(answer) }
    : { schema: typeSchema(answer), example: answer === 'integer' ? 12 : exampleOf(answer) },
});

export const pageName = ({ key, name }: Page): string => name ?? `${key}Page`;

const pageExample = ({ key, of, events, beside }: Page) => ({
  ...(beside ? (exampleOf(beside) as object) : {}),
  [key]: [exampleOf(of)],
  Cursor: END_CURSOR,
  ...(events && { ReverseCursor: 'eyJ2Ijox' }),
  PageSize: 25,
});
