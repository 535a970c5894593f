import type { Context as Call } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DomainError, type ERROR_CODES, type ErrorCode, unavailable } from '../../domain/kernel/errors.ts';

const STATUS: Partial<Record<ErrorCode, ContentfulStatusCode>> = {
  UNAUTHENTICATED: 401,
  NOT_FOUND: 404,
  // A well-formed request that is rejected before it runs is a 200 as application/json (GraphQL over HTTP §6.4.1).
  COST_LIMIT_EXCEEDED: 200,
  TOO_LARGE: 413,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

/** The answer to a request that failed before its document was read. Reports an unexpected error. */
export function failureResponse(
  call: Call,
  thrown: unknown,
  report: (error: unknown, requestId: string) => void,
): Response {
  const error = unavailable(thrown) ?? thrown;
  if (error instanceof DomainError) {
    if (error.code === 'UNAUTHENTICATED') call.header('WWW-Authenticate', 'Bearer');
    const { retryAfter } = error;
    if (retryAfter !== undefined) call.header('Retry-After', String(retryAfter));
    return errorResponse(call, STATUS[error.code] ?? 400, error.code, error.message, { retryAfter });
  }
  report(error, call.get('requestId'));
  return errorResponse(call, 500, 'INTERNAL', 'Something went wrong on our side.');
}

export function errorResponse(
  call: Call,
  status: ContentfulStatusCode,
  code: keyof typeof ERROR_CODES,
  message: string,
  more = {},
): Response {
  call.set('failure', code);
  const extensions = { code, requestId: call.get('requestId'), ...more };
  return call.json({ errors: [{ message, extensions }] }, status);
}
