import type { Content, Operation, Parameter, Response } from '../../lib/openapi.ts';
import { END_CURSOR } from '../wire/pages.ts';
import type { Route } from '../wire/route.ts';
import type { Area, Page, Operation as Said } from './contract/contract.ts';
import { errorsOf, RATE_HEADERS } from './openapi-errors.ts';
import { headerParameters } from './openapi-header.ts';
import { pathParameter } from './openapi-path.ts';
import { exampleOf, parted, typeSchema } from './schema.ts';

/** What the description has under one path and method. */
export function operationOf(row: Route, said: Said, area: Area, alias: boolean): Operation {
  return {
    operationId: alias ? `${row.id}Alias` : row.id,
    summary: said.says,
    description: description(row, said, alias),
    tags: [area.title],
    ...(alias && { deprecated: true }),
    parameters: [...queryParameters(said), ...headerParameters(row)],
    ...(said.body && { requestBody: requestBody(said, said.body) }),
    responses: { ...done(row, answered(said)), ...errorsOf(row, said) },
    security: [...(row.link ? [{ publicLink: [] }] : []), { bearer: [] }, { oauth2: [row.operations.scope] }],
  };
}

const description = ({ link, operations }: Route, { more }: Said, alias: boolean): string =>
  [
    alias && 'The path that older clients send to.',
    more,
    `Needs the scope \`${operations.scope}\`${link ? ', or a public link.' : '.'}`,
  ]
    .filter(Boolean)
    .join(' ');

export const pathParameters = (path: string): Parameter[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => pathParameter(name as string));

const CURSOR: Parameter = {
  name: 'cursor',
  in: 'query',
  description:
    'The Cursor of the page before; left out for the first page. An empty one answers an empty page.',
  schema: { type: 'string' },
};

function queryParameters({ query = {}, answer }: Said): Parameter[] {
  const asked = Object.entries(query).map(([name, short]): Parameter => {
    const { type, means } = parted(short);
    const required = type.endsWith('!');
    return {
      name,
      in: 'query',
      ...(required && { required }),
      description: means,
      schema: typeSchema(required ? type.slice(0, -1) : type),
    };
  });
  return isPage(answer) ? [CURSOR, ...asked] : asked;
}

function requestBody({ textBody }: Said, body: string) {
  const type = body.replace(/\?$/, '');
  return {
    required: type === body,
    content: {
      'application/json': { schema: typeSchema(type), example: exampleOf(type) },
      ...(textBody && { 'text/plain': { schema: { type: 'string', description: textBody } } }),
    },
  };
}

export const isPage = (answer: Said['answer']): answer is Page => typeof answer === 'object';

/** What a reader has already is not sent again; what changes something may be an answer given before. */
function done(row: Route, answer: Response): Record<string, Response> {
  if (row.method !== 'GET') {
    const replayed = {
      schema: { type: 'boolean' },
      description: 'The answer to the first request with this key.',
    };
    return { 200: { ...answer, headers: { ...RATE_HEADERS, 'Idempotency-Replayed': replayed } } };
  }
  if (row.operations.scope === 'write') return { 200: { ...answer, headers: RATE_HEADERS } };
  const tag = {
    schema: { type: 'string' },
    description: 'Of this answer; strong where it is of one thing with a version.',
  };
  const headers = { ...RATE_HEADERS, ETag: tag };
  return { 200: { ...answer, headers }, 304: { description: 'It is as If-None-Match has it.', headers } };
}

function answered(said: Said): Response {
  const { answer, textAnswer } = said;
  if (answer === undefined && !textAnswer) return { description: 'Done. The answer is empty.' };
  const content: Content = answer === undefined ? {} : jsonContent(answer);
  if (!textAnswer) return { description: 'What was asked for.', content };
  const [type, when] = textAnswer;
  return {
    description: `What was asked for. ${when}`,
    content: { ...content, [type]: { schema: { type: 'string' } } },
  };
}

const jsonContent = (answer: NonNullable<Said['answer']>): Content => ({
  'application/json': isPage(answer)
    ? { schema: typeSchema(pageName(answer)), example: pageExample(answer) }
    : { schema: typeSchema(answer), example: answer === 'integer' ? 12 : exampleOf(answer) },
});

export const pageName = ({ key }: Page): string => `${key}Page`;

const pageExample = ({ key, of, events }: Page) => ({
  [key]: [exampleOf(of)],
  Cursor: END_CURSOR,
  ...(events && { ReverseCursor: 'eyJ2Ijox' }),
  PageSize: 25,
});
