import { type DocgraphError, errorOf } from '../errors.ts';
import { type RetryPolicy, withRetries } from '../http/retry.ts';
import {
  connectionError,
  errorOfStatus,
  retryAfterOf,
  sendAuthorized,
  type Transport,
  withTimeout,
} from '../http/transport.ts';
import { kindOf } from './document.ts';

export interface RequestOptions {
  signal?: AbortSignal | undefined;
  headers?: HeadersInit | undefined;
  /** Of a mutation: a repeated request with the same key has no further effect. A random one by default. */
  idempotencyKey?: string | undefined;
  retry?: Partial<RetryPolicy> | undefined;
}

export interface GraphResult {
  data?: unknown;
  errors?: readonly {
    message: string;
    path?: (string | number)[];
    extensions?: Record<string, unknown>;
  }[];
}

/** Runs a query or mutation. Returns its data; throws DocgraphError if a part of it failed, and ConnectionError. */
export async function runOperation(
  transport: Transport,
  text: string,
  variables: unknown,
  options: RequestOptions = {},
): Promise<unknown> {
  const headers = new Headers(options.headers);
  headers.set('Content-Type', 'application/json');
  headers.set('Accept', 'application/graphql-response+json, application/json');
  if (kindOf(text) === 'mutation')
    headers.set('Idempotency-Key', options.idempotencyKey ?? crypto.randomUUID());
  const body = JSON.stringify({ query: text, variables });
  const policy = { ...transport.retry, ...options.retry };
  const attempt = async () => {
    const signal = withTimeout(options.signal, transport.timeout);
    const init = { method: 'POST', headers, body, signal };
    return resultOf(await sendAuthorized(transport, `${transport.url}/graphql`, init), signal);
  };
  return withRetries(attempt, policy, options.signal);
}

async function resultOf(response: Response, signal: AbortSignal): Promise<unknown> {
  const result = await readResult(response, signal);
  if (!result) throw errorOfStatus(response);
  const failure = failureOf(result, response.headers);
  if (failure) throw failure;
  if (!response.ok) throw errorOfStatus(response);
  return result.data;
}

/** Undefined for what is no result of GraphQL, as from a proxy. */
async function readResult(response: Response, signal: AbortSignal): Promise<GraphResult | undefined> {
  const text = await response.text().catch((error) => {
    throw connectionError(error, signal);
  });
  try {
    const result = JSON.parse(text);
    return result && (Array.isArray(result.errors) || 'data' in result) ? result : undefined;
  } catch {
    return undefined;
  }
}

/** The first error of a result, with what the other fields returned. */
export function failureOf({ data, errors }: GraphResult, headers?: Headers): DocgraphError | undefined {
  const [first] = errors ?? [];
  if (!first) return undefined;
  const { code, ...details } = first.extensions ?? {};
  return errorOf(code, {
    requestId: headers?.get('X-Request-Id') ?? undefined,
    retryAfter: headers && retryAfterOf(headers),
    ...details,
    message: first.message,
    path: first.path,
    data,
  });
}
