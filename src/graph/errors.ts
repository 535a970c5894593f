import { GraphQLError } from 'graphql';
import { DomainError } from '../domain/errors.ts';

/** PostgreSQL's words for input that no column can hold: NUL, a bad number, a bad date. */
const UNSTORABLE = /\b(22021|22P05|22P02|22003|22007|22008)\b/;

/** The failure as a domain error: what the database refuses to store is the caller's mistake. */
function known(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error;
  const code = (error as { code?: unknown } | undefined)?.code;
  const text = error instanceof Error ? `${code} ${error.message}` : '';
  return UNSTORABLE.test(text)
    ? new DomainError('BAD_USER_INPUT', 'A value cannot be stored.', { cause: error })
    : undefined;
}

/**
 * What a caller is told of a failure, with a code of the closed list. Anything unexpected goes to `report` and is
 * answered with a fixed text and the request's id.
 */
export function publicError(
  error: GraphQLError,
  requestId: string,
  report: (error: unknown) => void,
): GraphQLError {
  const cause = error.originalError;
  const { nodes, path } = error;
  if (!cause || cause instanceof GraphQLError) {
    const code = error.extensions.code ?? 'BAD_USER_INPUT';
    return new GraphQLError(error.message, { nodes, path, extensions: { ...error.extensions, code } });
  }
  const failure = known(cause);
  if (failure) {
    const extensions = { code: failure.code, ...(failure.at && { at: failure.at }) };
    return new GraphQLError(failure.message, { nodes, path, extensions });
  }
  report(cause);
  return new GraphQLError('Something went wrong on our side.', {
    nodes,
    path,
    extensions: { code: 'INTERNAL', requestId },
  });
}
