import { GraphQLError } from 'graphql';
import { DomainError, scopeChallenge, unavailable } from '../../domain/kernel/errors.ts';
import { shorten } from '../../lib/text/shorten.js';

/** SQLSTATE of input that no column can hold: NUL, an invalid number or date. */
const UNSTORABLE = /\b(22021|22P05|22P02|22003|22007|22008)\b/;

/** SQLSTATE query_canceled: by statement_timeout, or because the client disconnected. */
const CANCELED = /\b57014\b/;

export const toGraphQLError = (error: unknown): GraphQLError =>
  new GraphQLError((error as Error).message, { originalError: error as Error });

/** The failure as a domain error, or undefined. A value that the database cannot store is BAD_USER_INPUT. */
export function toDomainError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (error instanceof DOMException && error.name === 'AbortError')
    return new DomainError('UNAVAILABLE', 'The client disconnected.', { cause: error });
  const unreachable = unavailable(error);
  if (unreachable) return unreachable;
  const code = (error as { code?: unknown } | undefined)?.code;
  const text = error instanceof Error ? `${code} ${error.message}` : '';
  if (CANCELED.test(text))
    return new DomainError('UNAVAILABLE', 'The request took too long. Request less at a time.', {
      cause: error,
    });
  return UNSTORABLE.test(text)
    ? new DomainError('BAD_USER_INPUT', 'A value cannot be stored.', { cause: error })
    : undefined;
}

const SUGGESTION = ' Did you mean ';

/** Characters: graphql-js quotes invalid values in full. */
const MAX_MESSAGE_LENGTH = 1_000;

/**
 * A message of graphql-js, with its suggested names only where the caller may read the schema (`introspection`): they would
 * reveal it.
 */
export function publicMessage(text: string, introspection = false): string {
  const end = !introspection && text.endsWith('?') ? text.lastIndexOf(SUGGESTION) : -1;
  const message = end < 0 ? text : text.slice(0, end);
  return shorten(message, MAX_MESSAGE_LENGTH, '…');
}

/** The HTTP status of a request error. A body that is not JSON keeps its 400 with the older media type too. */
function statusOf({ extensions: { http, originalError } }: GraphQLError): { http?: object } {
  if (!http || typeof http !== 'object') return {};
  return { http: originalError ? { ...http, spec: false } : http };
}

/** A request that is rejected before it runs; with the older media type Yoga makes it a 200 (GraphQL over HTTP §6.4.1). */
const REJECTED = { spec: true, status: 400 };

/** The same status whatever the media type (RFC 6750 §3.1). */
const insufficientScope = ({ scopes }: DomainError) => ({
  status: 403,
  headers: { 'WWW-Authenticate': scopeChallenge(scopes) },
});

/** The HTTP status of an operation that is rejected before it runs. */
function rejectionOf(error: DomainError) {
  const { code, retryAfter } = error;
  if (code === 'INSUFFICIENT_SCOPE') return insufficientScope(error);
  if (code === 'RATE_LIMITED') return { status: 429, headers: { 'Retry-After': String(retryAfter ?? 1) } };
  return REJECTED;
}

export interface ErrorPublishing {
  /** Whether callers may read the schema. */
  introspection: boolean;
  report: (error: unknown, requestId: string) => void;
}

/**
 * The public form of an error, with a code of the closed list. Errors of graphql-js itself (syntax, validation, a body
 * that is not JSON) are BAD_USER_INPUT; `http` holds the status for Yoga, which removes it. An unexpected error goes to
 * `report` and becomes INTERNAL with a fixed text.
 */
export function publicError(
  error: GraphQLError,
  requestId: string,
  { introspection, report }: ErrorPublishing,
): GraphQLError {
  const cause = error.originalError;
  const { nodes, path, source, positions } = error;
  if (!cause || cause instanceof GraphQLError) {
    const extensions = { code: 'BAD_USER_INPUT', requestId, ...statusOf(error) };
    const message = publicMessage(error.message, introspection);
    return new GraphQLError(message, { nodes, path, source, positions, extensions });
  }
  const failure = toDomainError(cause);
  if (failure) {
    const http = path ? {} : { http: rejectionOf(failure) };
    const { code, at, version, retryAfter, scopes } = failure;
    const extensions = {
      code,
      requestId,
      ...(at && { at }),
      ...scopes,
      ...(version !== undefined && { version }),
      ...(retryAfter !== undefined && { retryAfter }),
      ...http,
    };
    return new GraphQLError(failure.message, { nodes, path, extensions });
  }
  report(cause, requestId);
  return new GraphQLError('Something went wrong on our side.', {
    nodes,
    path,
    extensions: { code: 'INTERNAL', requestId },
  });
}
