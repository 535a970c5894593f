import { isDatabaseUnreachable } from '../../db/postgres/unreachable.ts';
import { type Busy, TryLater } from '../../lib/fair-slots.ts';
import { type AccessExplanation, type AccessRule, explanationOf } from './access-rule.ts';

/** The closed list of error codes, with what each means; each interface maps it once (graph/http/errors.ts, rest/wire/reply.ts). */
export const ERROR_CODES = {
  UNAUTHENTICATED: 'The request has no valid credential.',
  INSUFFICIENT_SCOPE: 'The credential lacks a scope that the operation requires.',
  FORBIDDEN: 'The caller sees the object, and may not do this with it.',
  NOT_FOUND: 'The object does not exist, or the caller may not see it.',
  BAD_USER_INPUT: 'The request is malformed, or a value is not allowed. `at` is the path of the value.',
  CONFLICT:
    'The current state does not allow the change. After an `expectedVersion`, `version` is the current one.',
  TOO_LARGE: 'The body has more bytes than this server accepts.',
  RATE_LIMITED: 'Too many requests or points in a minute, or too many open subscriptions.',
  COST_LIMIT_EXCEEDED:
    'One operation costs, nests, lists or returns more than this server accepts. Where only its response is too large, the message says which changes were made.',
  HISTORY_UNAVAILABLE: 'What is asked for was not recorded for that moment of the past.',
  PERSISTED_QUERY_NOT_FOUND: 'No text is stored for this id or hash. Send the text with the hash.',
  UNAVAILABLE:
    'The request was not processed: the server is busy or stopping, or took too long. Send it again.',
  INTERNAL: 'An unexpected failure. The log of the server has it under the request id.',
} as const;

/** The code of a failure whose text the caller sees. INTERNAL is for all others. */
export type ErrorCode = Exclude<keyof typeof ERROR_CODES, 'INTERNAL'>;

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

export interface RefusedScopes {
  required: readonly string[];
  missing: readonly string[];
}

export interface ErrorDetails {
  /** The path of the invalid input, e.g. `folders.2.name`. */
  at?: string;
  /** What the text begins with, before the reason: a path, or the name that people gave. */
  subject?: string;
  /** Between subject and reason; `: ` if it is left out. */
  separator?: ': ' | ' ';
  /** The current version, when another one was expected. */
  version?: number;
  /** Seconds after which a retry may succeed. */
  retryAfter?: number;
  /** Why access was refused. */
  rule?: AccessRule;
  /** All scopes that an operation requires, and those that the credential lacks. */
  scopes?: RefusedScopes;
  /** Of the same kind, of other items of a batch. */
  further?: readonly DomainError[];
  cause?: unknown;
}

/** A failure whose text the caller sees. Any other error is logged, and answered with a fixed text. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly at: string | undefined;
  readonly subject: string | undefined;
  /** The text without its subject. */
  readonly reason: string;
  readonly version: number | undefined;
  readonly retryAfter: number | undefined;
  readonly scopes: RefusedScopes | undefined;
  readonly rule: AccessRule | undefined;
  readonly further: readonly DomainError[];

  readonly #details: ErrorDetails;

  /** The text that the caller sees is `reason`, after the subject if there is one. */
  constructor(code: ErrorCode, reason: string, details: ErrorDetails = {}) {
    const { subject, separator = ': ' } = details;
    super(subject ? `${subject}${separator}${reason}` : reason, { cause: details.cause });
    this.#details = details;
    this.code = code;
    this.at = details.at;
    this.subject = subject;
    this.reason = reason;
    this.version = details.version;
    this.scopes = details.scopes;
    this.rule = details.rule;
    this.further = details.further ?? [];
    this.retryAfter = details.retryAfter ?? (code === 'UNAVAILABLE' ? DEFAULT_RETRY_AFTER : undefined);
  }

  /** The same failure under other names, with this one as its cause. `reason` replaces that of this one. */
  renamed(names: Pick<ErrorDetails, 'at' | 'subject'>, reason = this.reason): DomainError {
    return new DomainError(this.code, reason, { ...this.#details, ...names, cause: this });
  }
}

/** The challenge of INSUFFICIENT_SCOPE, with all scopes that are required (RFC 6750 §3). */
export const scopeChallenge = (scopes: RefusedScopes | undefined): string =>
  `Bearer error="insufficient_scope"${scopes ? `, scope="${scopes.required.join(' ')}"` : ''}`;

/** One text for objects that do not exist and for those the viewer may not see, so that nobody can tell them apart. */
export const notFound = (what: string, at?: string, further: readonly DomainError[] = []) =>
  new DomainError('NOT_FOUND', `${what} not found.`, { at, further });

/** For `catch`: undefined for an object that is not found; throws other errors again. */
export function undefinedIfNotFound(error: unknown): undefined {
  if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
}

export const unauthenticated = (text = 'This takes a valid credential: Authorization: Bearer <key>.') =>
  new DomainError('UNAUTHENTICATED', text);

export const forbidden = (text: string, at?: string, rule: AccessRule = { rule: 'OTHER' }) =>
  new DomainError('FORBIDDEN', text, { at, rule });

/** What an error says about access, for a caller who asks; undefined where it is about something else. */
export function explainError({ code, rule, scopes }: DomainError): AccessExplanation | undefined {
  if (code === 'INSUFFICIENT_SCOPE') return { ...explanationOf({ rule: 'SCOPE' }), ...scopes };
  if (code === 'NOT_FOUND') return explanationOf({ rule: 'VISIBILITY' });
  return code === 'FORBIDDEN' ? explanationOf(rule ?? { rule: 'OTHER' }) : undefined;
}

export const badInput = (text: string, at?: string, cause?: unknown) =>
  new DomainError('BAD_USER_INPUT', text, { at, cause });

/** For the value at a path: `name: must not be empty`. `subject`: another name for the value than its path. */
export const badValue = (
  at: string,
  reason: string,
  details?: Pick<ErrorDetails, 'subject' | 'separator' | 'cause' | 'further'>,
) => new DomainError('BAD_USER_INPUT', reason, { at, subject: at || undefined, ...details });

/** For a body that is not valid UTF-8. */
export const notUtf8 = () => badInput('The body is not UTF-8.');

export const historyUnavailable = (text: string, at?: string) =>
  new DomainError('HISTORY_UNAVAILABLE', text, { at });

/** For a field that reads what has no states. */
export const notInPast = (field: string) => historyUnavailable(`${field} is recorded for the present only.`);

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
