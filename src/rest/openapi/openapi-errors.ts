import type { Reference, Response, Schema } from '../../lib/openapi.ts';
import type { Route } from '../wire/route.ts';
import type { Operation as ContractOperation } from './contract/contract.ts';

/** The contract's `message`, and the members of RFC 9457 next to it. */
export const PROBLEM: Schema = {
  type: 'object',
  description: 'Why nothing was done.',
  properties: {
    message: { type: 'string', description: 'What is wrong, for people.' },
    type: { type: 'string', format: 'uri', description: 'Always `about:blank`: the status says it all.' },
    title: { type: 'string', description: 'The message again (RFC 9457).' },
    status: { type: 'integer', description: 'The status of the answer.' },
    detail: { type: 'string', description: 'The message again (RFC 9457).' },
    requestId: { type: 'string', description: 'What to tell us when you ask about it.' },
  },
  required: ['message', 'type', 'title', 'status', 'detail', 'requestId'],
};

const ERRORS = {
  400: [
    'BadRequest',
    'Something in the request is not as it must be; the message names it.',
    'Name must be given, as a string.',
  ],
  401: [
    'Unauthorized',
    'There is no credential, or it is not good.',
    'This takes a valid credential: Authorization: Bearer <key>.',
  ],
  403: [
    'Forbidden',
    'The credential has not the scope, or the caller not the role.',
    'This takes a credential with the scope write.',
  ],
  404: ['NotFound', 'It is not there, or not for the caller to see.', 'Project not found.'],
  409: [
    'Conflict',
    'It is not in a state where this can be done; or the Idempotency-Key is in use, or was used for something else.',
    'The task is completed.',
  ],
  412: [
    'PreconditionFailed',
    'It is not in the version that If-Match names any more.',
    'It was changed in the meantime; read it again.',
  ],
  413: ['TooLarge', 'The body is too large.', 'A body holds at most 1048576 bytes.'],
  429: [
    'TooManyRequests',
    'Too many requests; Retry-After says how long to wait.',
    'Too many requests; try again shortly.',
  ],
  503: [
    'Unavailable',
    'It cannot be done at this moment, or took too long.',
    'This took too long. Ask for less at a time.',
  ],
  500: ['Failure', 'Something went wrong on our side.', 'Something went wrong on our side.'],
} as const;

const header = (type: string, description: string) => ({ schema: { type }, description });

/** Draft-ietf-httpapi-ratelimit-headers-10; absent where the limit is switched off. */
export const RATE_HEADERS = {
  RateLimit: header(
    'string',
    'How many requests are left (r), and after how many seconds there is one more (t).',
  ),
  'RateLimit-Policy': header('string', 'How many requests (q) in how many seconds (w).'),
};

const HEADERS: Record<string, Record<string, object>> = {
  401: { 'WWW-Authenticate': header('string', 'The scheme Bearer, and what is wrong (RFC 6750 §3).') },
  429: { 'Retry-After': header('integer', 'Seconds to wait.'), ...RATE_HEADERS },
};

export const ERROR_RESPONSES: Record<string, Response> = Object.fromEntries(
  Object.entries(ERRORS).map(([status, [name, description, message]]) => [
    name,
    {
      description,
      ...(HEADERS[status] && { headers: HEADERS[status] }),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Problem' },
          example: {
            message,
            type: 'about:blank',
            title: message,
            status: Number(status),
            detail: message,
            requestId: '5b0e7c52-6c1f-4b7a-9a53-0d2f1c8e4a11',
          },
        },
      },
    },
  ]),
);

/** The errors of a route: 404 only with a path parameter or a write, 409 only for a write. */
export function errorsOf(route: Route, { body, creates }: ContractOperation): Record<string, Reference> {
  const writes = creates || route.operations.scope === 'write';
  const may: Partial<Record<keyof typeof ERRORS, boolean>> = {
    404: writes || route.path.includes(':'),
    409: writes,
    412: route.method !== 'GET',
    413: body !== undefined,
  };
  return Object.fromEntries(
    Object.entries(ERRORS)
      .filter(([status]) => may[Number(status) as keyof typeof ERRORS] ?? true)
      .map(([status, [name]]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}
