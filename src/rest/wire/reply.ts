import { Readable } from 'node:stream';
import type { Context as Call } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { DomainError, type ErrorCode, isRejection, unavailable } from '../../domain/kernel/errors.ts';
import { isFailedPrecondition } from './conditional.ts';
import { PlainText, StreamedText } from './text-reply.ts';

/** A reply before it is sent, and as it is stored for an Idempotency-Key. */
export interface Reply {
  status: ContentfulStatusCode;
  /** The media type; undefined for an empty body. */
  type?: string;
  content: string;
  /** Text to send after the content, as it is produced. An error in it breaks the connection off. */
  pieces?: AsyncIterable<string>;
  headers?: Record<string, string>;
}

/** The reply for what a route returned. Success is exactly 200. */
export function replyOf(result: unknown): Reply {
  if (result === undefined) return { status: 200, content: '' };
  if (result instanceof StreamedText) return streamReply(result);
  return result instanceof PlainText
    ? { status: 200, type: `${result.type}; charset=utf-8`, content: result.text }
    : { status: 200, type: 'application/json', content: JSON.stringify(result) };
}

const streamReply = ({ type, name, pieces }: StreamedText): Reply => ({
  status: 200,
  type: `${type}; charset=utf-8`,
  content: '',
  pieces,
  headers: {
    'Content-Disposition': `attachment; filename="${name}"`,
  },
});

const STATUS: Record<ErrorCode, ContentfulStatusCode> = {
  UNAUTHENTICATED: 401,
  INSUFFICIENT_SCOPE: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  BAD_USER_INPUT: 400,
  CONFLICT: 409,
  TOO_LARGE: 413,
  RATE_LIMITED: 429,
  COST_LIMIT_EXCEEDED: 400,
  PERSISTED_QUERY_NOT_FOUND: 400,
  UNAVAILABLE: 503,
};

/** RFC 6750 §3. */
const CHALLENGES: Partial<Record<ErrorCode, string>> = {
  UNAUTHENTICATED: 'Bearer',
  INSUFFICIENT_SCOPE: 'Bearer error="insufficient_scope"',
};

export interface ErrorReporting {
  report: (error: unknown, requestId: string) => void;
  requestIdOf: (call: Call) => string;
}

/** The reply for an error. Anything but a DomainError is reported, and answered with a fixed text. */
export function errorReply(
  { report, requestIdOf: newRequestId }: ErrorReporting,
  call: Call,
  thrown: unknown,
): Reply {
  const error = unavailable(thrown) ?? thrown;
  const requestId = newRequestId(call);
  if (!(error instanceof DomainError)) {
    report(error, requestId);
    return problemReply(500, 'Something went wrong on our side.', requestId);
  }
  const { code, message, retryAfter } = error;
  const challenge = CHALLENGES[code];
  return {
    ...problemReply(isFailedPrecondition(error) ? 412 : STATUS[code], message, requestId),
    headers: {
      ...(challenge && { 'WWW-Authenticate': challenge }),
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    },
  };
}

/** Whether an error is the answer to a repeated request too, rather than a refusal to carry it out. */
export const isFinal = (error: unknown): boolean =>
  !(error instanceof DomainError && isRejection(error.code));

/** The contract's `message`, and the members of RFC 9457. */
export function problemReply(status: ContentfulStatusCode, message: string, requestId: string): Reply {
  const body = { message, type: 'about:blank', title: message, status, detail: message, requestId };
  return { status, type: 'application/json', content: JSON.stringify(body) };
}

export function sendReply(call: Call, { status, type, content, pieces, headers = {} }: Reply): Response {
  for (const [name, value] of Object.entries(headers)) call.header(name, value);
  if (!type) return call.body(null, status as 200);
  return call.body(pieces ? streamOf(pieces) : content, status, { 'Content-Type': type });
}

const streamOf = (pieces: AsyncIterable<string>) =>
  Readable.toWeb(Readable.from(pieces, { objectMode: false })) as globalThis.ReadableStream;
