import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

type Preflight = Pick<NonNullable<Parameters<typeof cors>[0]>, 'allowMethods' | 'allowHeaders'>;

const PREFLIGHT_SECONDS = 86_400;

/**
 * Lets pages of any origin read the answers and their `exposed` headers, without credentials. An answer gets its headers
 * once it is there: before, Hono would make a stream of its body.
 */
export function anyOrigin(exposed: readonly string[], asked: Preflight): MiddlewareHandler {
  const preflight = cors({ origin: '*', maxAge: PREFLIGHT_SECONDS, ...asked });
  const exposedHeaders = exposed.join(',');
  return async (call, next) => {
    if (call.req.method === 'OPTIONS') return preflight(call, next);
    await next();
    const { headers } = call.res;
    headers.set('Access-Control-Allow-Origin', '*');
    headers.set('Access-Control-Expose-Headers', exposedHeaders);
  };
}
