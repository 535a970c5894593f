import { isDatabaseUnreachable } from '../../db/postgres/unreachable.ts';
import { type Busy, TryLater } from '../../lib/fair-slots.ts';

/** The closed list of failures a caller can be told of; each door maps it once (graph/errors.ts, rest/answer.ts). */
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

const REFUSALS: ReadonlySet<string> = new Set<ErrorCode>([
  'UNAUTHENTICATED',
  'INSUFFICIENT_SCOPE',
  'FORBIDDEN',
  'BAD_USER_INPUT',
  'TOO_LARGE',
  'RATE_LIMITED',
  'COST_LIMIT_EXCEEDED',
  'UNAVAILABLE',
]);

/** Whether a code says that a request was not carried out: it may be put right, and sent again. */
export const isRefusal = (code: string): boolean => REFUSALS.has(code);

/** Seconds after which to ask again for what cannot be had now, where nothing better is known. */
const DEFAULT_RETRY_AFTER = 1;

export interface ErrorDetails {
  /** Where in the input the fault is, e.g. `folders.2.name`. */
  at?: string;
  /** The version there is, of a thing that was expected to have another. */
  version?: number;
  /** Seconds after which it may go well. */
  retryAfter?: number;
  cause?: unknown;
}

/** A failure whose text is meant for the caller. Whatever else is thrown is logged, and answered with a fixed text. */
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

/** What is invisible and what is not there are told apart by nobody: one text for both. */
export const notFound = (what: string, at?: string) =>
  new DomainError('NOT_FOUND', `${what} not found.`, { at });

export const unauthenticated = () =>
  new DomainError('UNAUTHENTICATED', 'This takes a valid credential: Authorization: Bearer <key>.');

export const forbidden = (text: string) => new DomainError('FORBIDDEN', text);

export const badInput = (text: string, at?: string, cause?: unknown) =>
  new DomainError('BAD_USER_INPUT', text, { at, cause });

/** For a body whose bytes are no text. */
export const notUtf8 = () => badInput('The body is not UTF-8.');

export const conflict = (text: string, at?: string) => new DomainError('CONFLICT', text, { at });

/** The database is away, or what the request takes is in use by others. Undefined for every other failure. */
export function unavailable(error: unknown): DomainError | undefined {
  if (error instanceof TryLater)
    return new DomainError('UNAVAILABLE', error.message, { cause: error, retryAfter: error.retryAfter });
  return isDatabaseUnreachable(error)
    ? new DomainError('UNAVAILABLE', 'The database does not answer at the moment. Try again.', {
        cause: error,
      })
    : undefined;
}

/** For work that got no slot; it has not begun. */
export const busy = (cause: Busy) =>
  new DomainError('UNAVAILABLE', 'Too many requests of your organization are under way. Try again.', {
    retryAfter: cause.retryAfter,
    cause,
  });

/** For an expectedVersion that is not the current one, which is `version`. */
export const staleVersion = (version: number) =>
  new DomainError('CONFLICT', 'It was changed in the meantime; read it again.', {
    at: 'expectedVersion',
    version,
  });
