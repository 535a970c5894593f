import type { MiddlewareHandler } from 'hono';

/** A year, in seconds. */
const HSTS = 'max-age=31536000';

/** The request headers that responses of a path depend on (Vary, RFC 9110 §12.5.5); the first matching path applies. */
const VARIES: readonly [path: RegExp, names: string][] = [
  [/^\/graphql$/, 'Accept, Authorization, Cookie'],
  [/^\/api\/v1\/openapi\.json$/, ''],
  [/^\/api\/v1\/docs$/, 'Cookie'],
  [/^\/(?:api\/v1\/|documents$)/, 'Authorization, Cookie'],
  [/^\/metrics$/, 'Authorization'],
  [/^\/(?:|docs\/[\w-]+|sign-in|sign-out|oauth\/(?:authorize|apps)|sign\/.*)$/, 'Cookie'],
  [/^\/oauth\/(?:token|par|introspect|revoke)$/, 'Authorization'],
];

/**
 * Headers of every response, errors included: no content sniffing, no caching unless the endpoint allows it, and HSTS
 * where `publicUrl` is https (RFC 6797), without subdomains, which the operator decides on.
 */
export function responseHeaders(publicUrl: string): MiddlewareHandler {
  const isSecure = publicUrl.startsWith('https:');
  return async (call, next) => {
    await next();
    const { headers } = call.res;
    headers.set('X-Content-Type-Options', 'nosniff');
    if (isSecure) headers.set('Strict-Transport-Security', HSTS);
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'private, no-store');
    const names = VARIES.find(([path]) => path.test(call.req.path))?.[1];
    if (names) headers.set('Vary', union(headers.get('Vary'), names));
  };
}

/** The header names of both lists, without duplicates. */
function union(one: string | null, other: string): string {
  const names = [...(one ?? '').split(','), ...other.split(',')].map((name) => name.trim()).filter(Boolean);
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ');
}
