import type { Reference, Response, Schema } from '../../lib/openapi.ts';
import { type Problem, problemBody, REST_CODES } from '../wire/problem.ts';
import { PROBLEM_JSON } from '../wire/reply.ts';
import type { Route } from '../wire/route.ts';
import type { Operation as ContractOperation } from './contract/contract.ts';

const SCOPE_LIST = { type: 'array', items: { type: 'string' } } as const;

/** The contract's `message`, and the members of RFC 9457 next to it. */
export const PROBLEM: Schema = {
  type: 'object',
  description: 'An error. The request changed nothing.',
  properties: {
    message: { type: 'string', description: 'What is wrong, as text for people.' },
    type: {
      type: 'string',
      format: 'uri',
      description: 'The URL of the section below that explains the code.',
    },
    title: { type: 'string', description: 'What went wrong, the same for each error of this type.' },
    status: { type: 'integer', description: 'The HTTP status of the response.' },
    detail: { type: 'string', description: 'The message again (RFC 9457).' },
    code: { type: 'string', enum: [...REST_CODES], description: 'What went wrong, for programs.' },
    at: {
      type: 'string',
      description:
        'The member or parameter with the invalid value, if there is one: `2.DueOn` is `DueOn` of the third item.',
    },
    required: {
      ...SCOPE_LIST,
      description: 'With INSUFFICIENT_SCOPE: all scopes that the operation requires.',
    },
    missing: {
      ...SCOPE_LIST,
      description: 'With INSUFFICIENT_SCOPE: those of them that the credential lacks.',
    },
    explain: {
      type: 'object',
      description:
        'With the header `X-Explain-Access: 1`: which rule refused the request (`rule`), what it requires (`required`, `missing`), and who can grant that (`grantedBy`).',
    },
    requestId: {
      type: 'string',
      description: 'Identifies the request in the logs of the server; name it when you report a problem.',
    },
  },
  required: ['message', 'type', 'title', 'status', 'detail', 'code', 'requestId'],
};

type Example = readonly [name: string, description: string, example: Omit<Problem, 'requestId'>];

const ERRORS = {
  400: [
    'BadRequest',
    'The request is invalid; the message names the member or parameter.',
    { code: 'BAD_USER_INPUT', message: '0.Name must be given, as a string.', at: '0.Name' },
  ],
  401: [
    'Unauthorized',
    'The credential is missing, invalid, expired or revoked.',
    { code: 'UNAUTHENTICATED', message: 'This takes a valid credential: Authorization: Bearer <key>.' },
  ],
  403: [
    'Forbidden',
    'The credential lacks the scope, or the caller lacks the role.',
    {
      code: 'INSUFFICIENT_SCOPE',
      message: 'This requires a credential with the scope documents:write.',
      scopes: { required: ['documents:write'], missing: ['documents:write'] },
    },
  ],
  404: [
    'NotFound',
    'The object does not exist, or the caller may not see it.',
    { code: 'NOT_FOUND', message: 'Project not found.' },
  ],
  409: [
    'Conflict',
    'The state of the object does not allow this; or a request with the same Idempotency-Key is in progress, or had other content.',
    { code: 'CONFLICT', message: 'The task is completed.' },
  ],
  412: [
    'PreconditionFailed',
    'The object has changed since the version that If-Match names.',
    { code: 'CONFLICT', message: 'It was changed in the meantime; read it again.', status: 412 },
  ],
  413: [
    'TooLarge',
    'The body is too large.',
    { code: 'TOO_LARGE', message: 'A body holds at most 1048576 bytes.' },
  ],
  429: [
    'TooManyRequests',
    'Too many requests; Retry-After has the seconds to wait.',
    { code: 'RATE_LIMITED', message: 'Too many requests; try again shortly.' },
  ],
  503: [
    'Unavailable',
    'The server cannot process the request now, or it took too long.',
    { code: 'UNAVAILABLE', message: 'The request took too long. Request less at a time.' },
  ],
  500: [
    'Failure',
    'Something went wrong on our side.',
    { code: 'INTERNAL', message: 'Something went wrong on our side.' },
  ],
} as const satisfies Record<number, Example>;

const header = (type: string, description: string) => ({ schema: { type }, description });

/** Draft-ietf-httpapi-ratelimit-headers-10; absent if the limit is disabled. */
export const RATE_HEADERS = {
  RateLimit: header('string', 'Remaining requests (r), and the seconds until one more is available (t).'),
  'RateLimit-Policy': header('string', 'The limit: requests (q) in a window of seconds (w).'),
};

const HEADERS: Record<string, Record<string, object>> = {
  401: { 'WWW-Authenticate': header('string', 'The scheme Bearer and the error (RFC 6750 §3).') },
  429: { 'Retry-After': header('integer', 'Seconds to wait.'), ...RATE_HEADERS },
};

const REQUEST_ID = '5b0e7c52-6c1f-4b7a-9a53-0d2f1c8e4a11';

/** The error responses by name; the types of their examples are URLs below `publicUrl`. */
export const errorResponses = (publicUrl: string): Record<string, Response> =>
  Object.fromEntries(
    Object.entries<Example>(ERRORS).map(([status, [name, description, problem]]) => {
      const schema = { $ref: '#/components/schemas/Problem' };
      const example = problemBody(publicUrl, { ...problem, requestId: REQUEST_ID });
      const content = { schema, example };
      const headers = HEADERS[status];
      return [
        name,
        {
          description,
          ...(headers && { headers }),
          content: { 'application/json': content, [PROBLEM_JSON]: content },
        },
      ];
    }),
  );

/** The errors of a route: 404 only with a path parameter or a write, 409 only for a write or through a signing link. */
export function errorsOf(route: Route, { body, creates }: ContractOperation): Record<string, Reference> {
  const writes = creates || route.operations.writes;
  const possible: Partial<Record<keyof typeof ERRORS, boolean>> = {
    404: writes || route.path.includes(':'),
    409: writes || route.link !== undefined,
    412: route.method !== 'GET',
    413: body !== undefined,
  };
  return Object.fromEntries(
    Object.entries(ERRORS)
      .filter(([status]) => possible[Number(status) as keyof typeof ERRORS] ?? true)
      .map(([status, [name]]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}
