import { GraphQLError } from 'graphql';
import { DomainError, unavailable } from '../../domain/kernel/errors.ts';

/** PostgreSQL's words for input that no column can hold: NUL, a bad number, a bad date. */
const UNSTORABLE = /\b(22021|22P05|22P02|22003|22007|22008)\b/;

/** PostgreSQL's word for a statement that it was told to end: by statement_timeout, or as the caller is gone. */
const ENDED = /\b57014\b/;

/** The failure as a domain error: what the database refuses to store is the caller's mistake. */
export function toDomainError(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  if (error instanceof DOMException && error.name === 'AbortError')
    return new DomainError('UNAVAILABLE', 'The caller is gone.', { cause: error });
  const away = unavailable(error);
  if (away) return away;
  const code = (error as { code?: unknown } | undefined)?.code;
  const text = error instanceof Error ? `${code} ${error.message}` : '';
  if (ENDED.test(text))
    return new DomainError('UNAVAILABLE', 'This took too long. Ask for less at a time.', { cause: error });
  return UNSTORABLE.test(text)
    ? new DomainError('BAD_USER_INPUT', 'A value cannot be stored.', { cause: error })
    : undefined;
}

const SUGGESTION = ' Did you mean ';

/** Characters of a message: GraphQL quotes what it refuses, however long that is. */
const LONGEST = 1_000;

/** A message of GraphQL's own without the names that it suggests: `introspection` decides whether the schema is public. */
export function publicMessage(text: string): string {
  const end = text.endsWith('?') ? text.lastIndexOf(SUGGESTION) : -1;
  const message = end < 0 ? text : text.slice(0, end);
  return message.length > LONGEST ? `${message.slice(0, LONGEST).toWellFormed()}…` : message;
}

/** The HTTP status of a fault of the request. A body that is no JSON keeps its 400 also with the older media type. */
function statusOf({ extensions: { http, originalError } }: GraphQLError): { http?: object } {
  if (!http || typeof http !== 'object') return {};
  return { http: originalError ? { ...http, spec: false } : http };
}

/** A request that was refused before it ran: with the older media type the answer is a 200 (GraphQL over HTTP §6.4.1). */
const REFUSED = { spec: true, status: 400 };

/** Like a credential that is no good, whatever the media type (RFC 6750 §3.1). */
const SCOPE_REFUSED = {
  status: 403,
  headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' },
};

/**
 * What a caller is told of a failure, with a code of the closed list. What GraphQL itself refuses (a syntax error, an
 * unknown field, a body that is no JSON) is the caller's input; `http` holds the status of what was refused
 * before it ran, and stays inside. Anything unexpected goes to `report` and is answered with a fixed text and the
 * request's id.
 */
export function publicError(
  error: GraphQLError,
  requestId: string,
  report: (error: unknown) => void,
): GraphQLError {
  const cause = error.originalError;
  const { nodes, path, source, positions } = error;
  if (!cause || cause instanceof GraphQLError) {
    const extensions = { code: 'BAD_USER_INPUT', ...statusOf(error) };
    return new GraphQLError(publicMessage(error.message), { nodes, path, source, positions, extensions });
  }
  const failure = toDomainError(cause);
  if (failure) {
    const http = path ? {} : { http: failure.code === 'INSUFFICIENT_SCOPE' ? SCOPE_REFUSED : REFUSED };
    const { code, at, version, retryAfter } = failure;
    const extensions = {
      code,
      ...(at && { at }),
      ...(version !== undefined && { version }),
      ...(retryAfter !== undefined && { retryAfter }),
      ...http,
    };
    return new GraphQLError(failure.message, { nodes, path, extensions });
  }
  report(cause);
  return new GraphQLError('Something went wrong on our side.', {
    nodes,
    path,
    extensions: { code: 'INTERNAL', requestId },
  });
}
