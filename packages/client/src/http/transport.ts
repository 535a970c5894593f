import { ConnectionError, type DocgraphError, type ErrorDetails, errorOf } from '../errors.ts';
import type { RetryPolicy } from './retry.ts';

/** What requests are authorized with. */
export interface Credential {
  /** The present token; undefined before the sign-in. */
  current(): Promise<string | undefined>;
  /** A token that replaces one that the server has rejected; undefined if there is none. */
  renew?(rejected: string | undefined): Promise<string | undefined>;
}

export interface Transport {
  /** The address of the server, without a slash at its end. */
  url: string;
  fetch: typeof fetch;
  credential: Credential;
  retry: RetryPolicy;
  /** Milliseconds within which the server has to answer. */
  timeout: number;
}

type Init = RequestInit & { headers: Headers };

/** Sends a request with the credential, and once more after renewing one that has ended. Throws ConnectionError. */
export async function sendAuthorized(transport: Transport, url: string, init: Init): Promise<Response> {
  const { credential } = transport;
  const token = await credential.current();
  const response = await sendWith(transport, url, init, token);
  if (response.status !== 401 || !credential.renew) return response;
  const renewed = await credential.renew(token);
  if (!renewed || renewed === token) return response;
  await response.body?.cancel();
  return sendWith(transport, url, init, renewed);
}

/** The token goes to this server only. */
function sendWith(transport: Transport, url: string, init: Init, token?: string): Promise<Response> {
  const headers = new Headers(init.headers);
  const isOwn = new URL(url).origin === new URL(transport.url).origin;
  if (token && isOwn) headers.set('Authorization', `Bearer ${token}`);
  return send(transport, url, { ...init, headers });
}

/** Sends a request as it is. Throws ConnectionError, or the reason of the signal. */
export async function send(
  { fetch }: Pick<Transport, 'fetch'>,
  url: string,
  init: RequestInit,
): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw connectionError(error, init.signal);
  }
}

/** What a failed `fetch`, or a body that ended early, means. */
export function connectionError(error: unknown, signal?: AbortSignal | null): unknown {
  if (signal?.aborted && !isTimeout(signal.reason)) return signal.reason;
  const text = isTimeout(error) ? 'The server did not answer in time.' : 'The server cannot be reached.';
  return new ConnectionError(text, { cause: error });
}

const isTimeout = (reason: unknown): boolean =>
  (reason as { name?: unknown } | undefined)?.name === 'TimeoutError';

/** Ends with the caller's signal, or after the time. */
export function withTimeout(signal: AbortSignal | null | undefined, milliseconds: number): AbortSignal {
  const timeout = AbortSignal.timeout(milliseconds);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
}

/** Seconds of `Retry-After` (RFC 9110 §10.2.3), which is a number, or a date by the clock of the sender. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('Retry-After');
  if (text === null) return undefined;
  const now = () => Date.parse(headers.get('Date') ?? '') || Date.now();
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

type Problem = ErrorDetails & { code: unknown };

const CODES: Record<number, string> = {
  400: 'BAD_USER_INPUT',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  408: 'UNAVAILABLE',
  409: 'CONFLICT',
  410: 'NOT_FOUND',
  412: 'CONFLICT',
  413: 'TOO_LARGE',
  429: 'RATE_LIMITED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
};

/** The error of a response of REST v1, or of one whose body says no more, as that of a proxy. */
export function errorOfStatus({ status, headers }: Response, body: Partial<Problem> = {}): DocgraphError {
  const {
    message,
    code = CODES[status] ?? (status < 500 ? 'BAD_USER_INPUT' : 'INTERNAL'),
    ...details
  } = body;
  return errorOf(code, {
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: retryAfterOf(headers),
    ...details,
    message: typeof message === 'string' ? message : `The server answered with the status ${status}.`,
  });
}

/** The error class of a response of `fetch` that is not `ok`. Reads its body. */
export async function errorOfResponse(response: Response): Promise<DocgraphError> {
  const body: unknown = await response.json().catch(() => undefined);
  return errorOfStatus(response, body && typeof body === 'object' ? body : {});
}
