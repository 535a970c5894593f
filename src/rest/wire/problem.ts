import type { Context as Call } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import {
  DomainError,
  type ERROR_CODES,
  explainError,
  isRejection,
  type RefusedScopes,
  scopeChallenge,
  unavailable,
} from '../../domain/kernel/errors.ts';
import { isFailedPrecondition } from './conditional.ts';
import { PROBLEM_JSON, type Reply } from './reply.ts';

type Code = keyof typeof ERROR_CODES;

/** The status of each code, and the title of its problem type (RFC 9457 §3.1.3). */
const PROBLEMS: Record<Code, readonly [status: ContentfulStatusCode, title: string]> = {
  UNAUTHENTICATED: [401, 'Missing or invalid credential'],
  INSUFFICIENT_SCOPE: [403, 'Insufficient scope'],
  FORBIDDEN: [403, 'Not permitted'],
  NOT_FOUND: [404, 'Not found'],
  BAD_USER_INPUT: [400, 'Invalid request'],
  CONFLICT: [409, 'Conflict with the current state'],
  HISTORY_UNAVAILABLE: [410, 'Not recorded for that moment'],
  TOO_LARGE: [413, 'Body too large'],
  RATE_LIMITED: [429, 'Too many requests'],
  COST_LIMIT_EXCEEDED: [400, 'Request too expensive'],
  PERSISTED_QUERY_NOT_FOUND: [400, 'Unknown query'],
  UNAVAILABLE: [503, 'Not processed'],
  INTERNAL: [500, 'Unexpected failure'],
};

/** The codes that REST v1 answers with. */
export const REST_CODES = (Object.keys(PROBLEMS) as Code[]).filter(
  (code) => code !== 'PERSISTED_QUERY_NOT_FOUND' && code !== 'HISTORY_UNAVAILABLE',
);

/** RFC 6750 §3. */
const challengeOf = ({ code, scopes }: DomainError): string | undefined =>
  code === 'UNAUTHENTICATED' ? 'Bearer' : code === 'INSUFFICIENT_SCOPE' ? scopeChallenge(scopes) : undefined;

/** What an error reply needs of the server. */
export interface ErrorReporting {
  /** Without a slash at its end; the types of problems are below it. */
  publicUrl: string;
  report: (error: unknown, requestId: string) => void;
  requestIdOf: (call: Call) => string;
}

/** Where a request fails; `at` is the path of the member or the name of the parameter. */
export interface Problem {
  code: Code;
  message: string;
  requestId: string;
  at?: string | undefined;
  scopes?: RefusedScopes | undefined;
  /** For a caller who asks why access was refused. */
  explain?: ReturnType<typeof explainError>;
  /** Defaults to that of the code. */
  status?: ContentfulStatusCode;
}

/** The URL that explains a code: a section of the API reference. */
export const problemType = (publicUrl: string, code: Code): string =>
  `${publicUrl}/api/v1/docs#${code.toLowerCase()}`;

/** The contract's `message`, the members of RFC 9457, and those of GraphQL's `extensions`. */
export function problemBody(
  publicUrl: string,
  { code, message, requestId, at, scopes, explain, status }: Problem,
) {
  const [defaultStatus, title] = PROBLEMS[code];
  return {
    message,
    type: problemType(publicUrl, code),
    title,
    status: status ?? defaultStatus,
    detail: message,
    code,
    ...(at && { at }),
    ...scopes,
    ...(explain && { explain }),
    requestId,
  };
}

export function problemReply(publicUrl: string, problem: Problem): Reply {
  const body = problemBody(publicUrl, problem);
  return { status: body.status, type: PROBLEM_JSON, content: JSON.stringify(body) };
}

/** With the header `X-Explain-Access: 1`, which rule refused the request. */
const explanationFor = ({ req }: Call, error: DomainError) =>
  req.header('x-explain-access') === '1' ? explainError(error) : undefined;

/** The reply for an error. Anything but a DomainError is reported, and answered with a fixed text. */
export function errorReply(
  { publicUrl, report, requestIdOf }: ErrorReporting,
  call: Call,
  thrown: unknown,
): Reply {
  const error = unavailable(thrown) ?? thrown;
  const requestId = requestIdOf(call);
  call.set('failure', error instanceof DomainError ? error.code : 'INTERNAL');
  if (!(error instanceof DomainError)) {
    report(error, requestId);
    const message = 'Something went wrong on our side.';
    return problemReply(publicUrl, { code: 'INTERNAL', message, requestId });
  }
  const { code, message, at, retryAfter, scopes } = error;
  const problem = isFailedPrecondition(error)
    ? { code, message, requestId, status: 412 as const }
    : { code, message, requestId, at, scopes, explain: explanationFor(call, error) };
  const challenge = challengeOf(error);
  return {
    ...problemReply(publicUrl, problem),
    headers: {
      ...(challenge && { 'WWW-Authenticate': challenge }),
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    },
  };
}

/** The reply for a path that does not exist. */
export const unknownPathReply = ({ publicUrl, requestIdOf }: ErrorReporting, call: Call): Reply =>
  problemReply(publicUrl, {
    code: 'NOT_FOUND',
    message: 'There is nothing at this address.',
    requestId: requestIdOf(call),
  });

/** The reply for a method that a path does not have (RFC 9110 §15.5.6); `allowed` are those it has. */
export function unknownMethodReply(
  { publicUrl, requestIdOf }: ErrorReporting,
  call: Call,
  allowed: readonly string[],
  message = `This path takes ${allowed.join(', ')}.`,
): Reply {
  const problem = { code: 'BAD_USER_INPUT', message, requestId: requestIdOf(call), status: 405 } as const;
  return { ...problemReply(publicUrl, problem), headers: { Allow: allowed.join(', ') } };
}

/** Whether an error is the answer to a repeated request too, rather than a refusal to carry it out. */
export const isFinal = (error: unknown): boolean =>
  !(error instanceof DomainError && isRejection(error.code));
