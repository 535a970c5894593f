/** The closed list of codes; the server has it as the enum `ErrorCode`. */
export const errorCodes = [
  'UNAUTHENTICATED',
  'INSUFFICIENT_SCOPE',
  'FORBIDDEN',
  'NOT_FOUND',
  'BAD_USER_INPUT',
  'CONFLICT',
  'TOO_LARGE',
  'RATE_LIMITED',
  'COST_LIMIT_EXCEEDED',
  'HISTORY_UNAVAILABLE',
  'PERSISTED_QUERY_NOT_FOUND',
  'UNAVAILABLE',
  'INTERNAL',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface ErrorDetails {
  message: string;
  /** The same as in the log of the server. */
  requestId?: string | undefined;
  /** The path of the value that is not allowed, such as `folders.2.name`. */
  at?: string | undefined;
  /** The current version, after an `expectedVersion`. */
  version?: number | undefined;
  /** Seconds after which the request may be sent again. */
  retryAfter?: number | undefined;
  /** All scopes that the operation requires, after INSUFFICIENT_SCOPE, and those that the credential lacks. */
  required?: readonly string[] | undefined;
  missing?: readonly string[] | undefined;
  /** The path of the field that failed. */
  path?: readonly (string | number)[] | undefined;
  /** What the fields that did not fail returned. */
  data?: unknown;
}

/** A refusal or failure that the server has answered with. */
export class DocgraphError<Code extends ErrorCode = ErrorCode> extends Error {
  override name = 'DocgraphError';
  readonly code: Code;
  readonly requestId: string | undefined;
  readonly at: string | undefined;
  readonly version: number | undefined;
  readonly retryAfter: number | undefined;
  readonly required: readonly string[] | undefined;
  readonly missing: readonly string[] | undefined;
  readonly path: readonly (string | number)[] | undefined;
  readonly data: unknown;

  constructor(code: Code, details: ErrorDetails) {
    super(details.message);
    this.code = code;
    this.requestId = details.requestId;
    this.at = details.at;
    this.version = details.version;
    this.retryAfter = details.retryAfter;
    this.required = details.required;
    this.missing = details.missing;
    this.path = details.path;
    this.data = details.data;
  }
}

export class UnauthenticatedError extends DocgraphError<'UNAUTHENTICATED'> {
  override name = 'UnauthenticatedError';
}
export class InsufficientScopeError extends DocgraphError<'INSUFFICIENT_SCOPE'> {
  override name = 'InsufficientScopeError';
}
export class ForbiddenError extends DocgraphError<'FORBIDDEN'> {
  override name = 'ForbiddenError';
}
export class NotFoundError extends DocgraphError<'NOT_FOUND'> {
  override name = 'NotFoundError';
}
export class BadUserInputError extends DocgraphError<'BAD_USER_INPUT'> {
  override name = 'BadUserInputError';
}
export class ConflictError extends DocgraphError<'CONFLICT'> {
  override name = 'ConflictError';
}
export class TooLargeError extends DocgraphError<'TOO_LARGE'> {
  override name = 'TooLargeError';
}
export class RateLimitedError extends DocgraphError<'RATE_LIMITED'> {
  override name = 'RateLimitedError';
}
export class CostLimitExceededError extends DocgraphError<'COST_LIMIT_EXCEEDED'> {
  override name = 'CostLimitExceededError';
}
export class HistoryUnavailableError extends DocgraphError<'HISTORY_UNAVAILABLE'> {
  override name = 'HistoryUnavailableError';
}
export class PersistedQueryNotFoundError extends DocgraphError<'PERSISTED_QUERY_NOT_FOUND'> {
  override name = 'PersistedQueryNotFoundError';
}
export class UnavailableError extends DocgraphError<'UNAVAILABLE'> {
  override name = 'UnavailableError';
}
export class InternalError extends DocgraphError<'INTERNAL'> {
  override name = 'InternalError';
}

const CLASSES: { [Code in ErrorCode]: new (code: Code, details: ErrorDetails) => DocgraphError<Code> } = {
  UNAUTHENTICATED: UnauthenticatedError,
  INSUFFICIENT_SCOPE: InsufficientScopeError,
  FORBIDDEN: ForbiddenError,
  NOT_FOUND: NotFoundError,
  BAD_USER_INPUT: BadUserInputError,
  CONFLICT: ConflictError,
  TOO_LARGE: TooLargeError,
  RATE_LIMITED: RateLimitedError,
  COST_LIMIT_EXCEEDED: CostLimitExceededError,
  HISTORY_UNAVAILABLE: HistoryUnavailableError,
  PERSISTED_QUERY_NOT_FOUND: PersistedQueryNotFoundError,
  UNAVAILABLE: UnavailableError,
  INTERNAL: InternalError,
};

/** The error of a code. One that this version does not have, as of a newer server, is INTERNAL. */
export function errorOf(code: unknown, details: ErrorDetails): DocgraphError {
  const listed = errorCodes.find((each) => each === code) ?? 'INTERNAL';
  return new (CLASSES[listed] as new (code: ErrorCode, details: ErrorDetails) => DocgraphError)(
    listed,
    details,
  );
}

/** There was no answer, or not all of it: no network, a cut connection, or no answer in time. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
}
