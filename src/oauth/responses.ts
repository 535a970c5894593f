import type { Context as Call } from 'hono';
import type { OAuthError } from './errors.ts';

/** Responses with tokens, or about them, are not cached (RFC 6749 §5.1). */
const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

export const jsonResponse = (call: Call, body: object, status: 200 | 201 = 200): Response =>
  call.json(body, status, NO_STORE);

/** RFC 6749 §5.2. A 401 names an authentication scheme, also for a client that used another. */
export const errorResponse = (call: Call, { code, message, status, headers }: OAuthError): Response =>
  call.json({ error: code, error_description: message }, status, {
    ...NO_STORE,
    ...headers,
    ...(status === 401 && { 'WWW-Authenticate': 'Basic realm="docgraph", charset="UTF-8"' }),
    ...(status === 405 && { Allow: 'POST' }),
  });
