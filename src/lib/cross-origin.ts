import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

export interface CrossOrigin {
  /** All of them when it is left out. */
  origins?: readonly string[] | undefined;
  /** Headers of the answer that a page may read. */
  exposed: readonly string[];
  allowMethods?: string[];
  allowHeaders?: string[];
  /** Seconds for which a browser need not ask again. */
  maxAge: number;
}

/**
 * Lets pages of other origins read the answers. Credentials stay off, so no cookie comes along, whatever the origin. An
 * answer gets its headers once it is there: before, Hono would make a stream of its body.
 */
export function crossOrigin({ origins, exposed, ...asked }: CrossOrigin): MiddlewareHandler {
  const preflight = cors({ origin: origins ? [...origins] : '*', ...asked });
  const exposedHeaders = exposed.join(',');
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
    headers.set('Access-Control-Expose-Headers', exposedHeaders);
  };
}
