import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const ASKED = [
  'Authorization',
  'Content-Type',
  'Accept',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'DPoP',
  'Last-Event-ID',
];

const EXPOSED = [
  'WWW-Authenticate',
  'Retry-After',
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'ETag',
  'Idempotency-Replayed',
  'DPoP-Nonce',
].join(',');

const PREFLIGHT_SECONDS = 7_200;

/**
 * For browser clients with bearer tokens, from these origins or from all. Credentials stay off, so no cookie comes along,
 * whatever the origin. An answer gets its headers once it is there: before, Hono would make a stream of its body.
 */
export function crossOrigin(origins: readonly string[] | undefined): MiddlewareHandler {
  const preflight = cors({
    origin: origins ? [...origins] : '*',
    allowMethods: METHODS,
    allowHeaders: ASKED,
    maxAge: PREFLIGHT_SECONDS,
  });
  return async (call, next) => {
    if (call.req.method === 'OPTIONS') return preflight(call, next);
    await next();
    const { headers } = call.res;
    const origin = call.req.header('origin') ?? '';
    if (!origins) headers.set('Access-Control-Allow-Origin', '*');
    else {
      headers.append('Vary', 'Origin');
      if (origins.includes(origin)) headers.set('Access-Control-Allow-Origin', origin);
    }
    headers.set('Access-Control-Expose-Headers', EXPOSED);
  };
}
