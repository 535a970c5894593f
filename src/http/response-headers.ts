import type { MiddlewareHandler } from 'hono';

/** A year, in seconds. */
const HSTS = 'max-age=31536000';

/** What the answers of these paths depend on beside the address (RFC 9110 §12.5.5); the first path that matches counts. */
const VARIES: readonly [path: RegExp, names: string][] = [
  [/^\/graphql$/, 'Accept, Authorization, Cookie'],
  [/^\/api\/v1\/(?:docs|openapi\.json)$/, ''],
  [/^\/(?:api\/v1\/|documents$|metrics$)/, 'Authorization'],
  [/^\/(?:sign-in|sign-out|oauth\/(?:authorize|apps)|sign\/.*)$/, 'Cookie'],
  [/^\/oauth\/(?:token|par|introspect|revoke)$/, 'Authorization'],
];

/**
 * The headers that every answer has, whichever router or failure it comes from. No browser guesses another type than the
 * one an answer names; nothing is stored unless its endpoint says so; and where `publicUrl` is https, browsers never
 * fall back to http (RFC 6797). Subdomains are the operator's to decide for.
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

/** The names of both lists, each once. */
function union(given: string | null, more: string): string {
  const names = [...(given ?? '').split(','), ...more.split(',')].map((name) => name.trim()).filter(Boolean);
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ');
}
