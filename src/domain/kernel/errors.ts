import { isDatabaseUnreachable } from '../../db/postgres/unreachable.ts';
import { type Busy, TryLater } from '../../lib/fair-slots.ts';

/** The closed list of error codes; each interface maps it once (graph/http/errors.ts, rest/wire/reply.ts). */
export type ErrorCode =
  | 'UNAUTHENTICATED'
  | 'INSUFFICIENT_SCOPE'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'BAD_USER_INPUT'
  | 'CONFLICT'
  | 'TOO_LARGE'
  | 'RATE_LIMITED'
  | 'COST_LIMIT_EXCEEDED'
  | 'PERSISTED_QUERY_NOT_FOUND'
  | 'UNAVAILABLE';

const REJECTED: ReadonlySet<string> = new Set<ErrorCode>([
  'UNAUTHENTICATED',
  'INSUFFICIENT_SCOPE',
  'FORBIDDEN',
  'BAD_USER_INPUT',
  'TOO_LARGE',
  'RATE_LIMITED',
  'COST_LIMIT_EXCEEDED',
  'UNAVAILABLE',
]);

/** Whether the request was rejected without effect, so that it may be corrected and sent again. */
export const isRejection = (code: string): boolean => REJECTED.has(code);

/** Seconds of Retry-After for UNAVAILABLE, where no better estimate exists. */
const DEFAULT_RETRY_AFTER = 1;

export interface ErrorDetails {
  /** The path of the invalid input, e.g. `folders.2.name`. */
  at?: string;
  /** The current version, when another one was expected. */
  version?: number;
  /** Seconds after which a retry may succeed. */
  retryAfter?: number;
  cause?: unknown;
}

/** A failure whose text the caller sees. Any other error is logged, and answered with a fixed text. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly at: string | undefined;
  readonly version: number | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, publicText: string, details: ErrorDetails = {}) {
    super(publicText, { cause: details.cause });
    this.code = code;
    this.at = details.at;
    this.version = details.version;
    this.retryAfter = details.retryAfter ?? (code === 'UNAVAILABLE' ? DEFAULT_RETRY_AFTER : undefined);
  }
}

/** One text for objects that do not exist and for those the viewer may not see, so that nobody can tell them apart. */
export const notFound = (what: string, at?: string) =>
  new DomainError('NOT_FOUND', `${what} not found.`, { at });

export const unauthenticated = () =>
  new DomainError('UNAUTHENTICATED', 'This takes a valid credential: Authorization: Bearer <key>.');

export const forbidden = (text: string) => new DomainError('FORBIDDEN', text);

export const badInput = (text: string, at?: string, cause?: unknown) =>
  new DomainError('BAD_USER_INPUT', text, { at, cause });

/** For a body that is not valid UTF-8. */
export const notUtf8 = () => badInput('The body is not UTF-8.');

export const conflict = (text: string, at?: string) => new DomainError('CONFLICT', text, { at });

/** UNAVAILABLE if the database is unreachable or a shared resource is exhausted; undefined for every other error. */
export function unavailable(error: unknown): DomainError | undefined {
  if (error instanceof TryLater)
    return new DomainError('UNAVAILABLE', error.message, { cause: error, retryAfter: error.retryAfter });
  return isDatabaseUnreachable(error)
    ? new DomainError('UNAVAILABLE', 'The database does not answer at the moment. Try again.', {
        cause: error,
      })
    : undefined;
}

/** For work that was not started, since no slot became free in time. */
export const busy = (cause: Busy) =>
  new DomainError('UNAVAILABLE', 'Too many requests of your organization are under way. Try again.', {
    retryAfter: cause.retryAfter,
    cause,
  });

/** CONFLICT for an expectedVersion that differs from the current `version`. */
export const staleVersion = (version: number) =>
  new DomainError('CONFLICT', 'It was changed in the meantime; read it again.', {
    at: 'expectedVersion',
    version,
  });
