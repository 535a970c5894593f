import { withRetries } from '../http/retry.ts';
import { errorOfStatus, sendAuthorized, type Transport, withTimeout } from '../http/transport.ts';
import { kindOf } from './document.ts';

const TRANSIENT = new Set([429, 502, 503, 504]);

/**
 * `fetch` with the credential, for REST and for other GraphQL clients; paths are those of the server. What is safe to
 * repeat (reads, and mutations, which get an `Idempotency-Key`) is sent again after a lost connection, 429, 502, 503, 504.
 */
export function authorizedFetch(transport: Transport): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : String(input), `${transport.url}/`).href;
    const request = new Request(input instanceof Request ? input : url, init);
    const body = request.body ? await request.arrayBuffer() : undefined;
    const headers = new Headers(request.headers);
    const isSafe = makeRepeatable(request.method, headers, body);
    const policy = isSafe ? transport.retry : { ...transport.retry, attempts: 1 };
    const isStream = headers.get('Accept')?.startsWith('text/event-stream');
    const attempt = () => {
      const signal = isStream ? request.signal : withTimeout(request.signal, transport.timeout);
      return sendAuthorized(transport, url, { ...init, method: request.method, headers, body, signal });
    };
    return withStatusRetries(attempt, policy, request.signal);
  };
}

/** Whether the request may be sent twice. A mutation may once it has an `Idempotency-Key`, which it gets here. */
function makeRepeatable(method: string, headers: Headers, body: ArrayBuffer | undefined): boolean {
  if (method === 'GET' || method === 'HEAD' || headers.has('Idempotency-Key')) return true;
  const text = operationIn(headers, body);
  if (text === undefined) return false;
  if (kindOf(text) === 'mutation') headers.set('Idempotency-Key', crypto.randomUUID());
  return true;
}

/** The text of the operation in the body of a GraphQL request. */
function operationIn(headers: Headers, body: ArrayBuffer | undefined): string | undefined {
  if (!headers.get('Content-Type')?.startsWith('application/json') || !body) return undefined;
  try {
    const { query } = JSON.parse(new TextDecoder().decode(body));
    return typeof query === 'string' ? query : undefined;
  } catch {
    return undefined;
  }
}

/** Sends again after a status that says so as well. The last response is returned, whatever its status. */
async function withStatusRetries(
  attempt: () => Promise<Response>,
  policy: Transport['retry'],
  signal: AbortSignal,
): Promise<Response> {
  let refused: Response | undefined;
  const run = async () => {
    await refused?.body?.cancel();
    refused = undefined;
    const response = await attempt();
    if (!TRANSIENT.has(response.status)) return response;
    refused = response;
    throw errorOfStatus(response);
  };
  try {
    return await withRetries(run, policy, signal);
  } catch (error) {
    if (refused && !signal.aborted) return refused;
    throw error;
  }
}
