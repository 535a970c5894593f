import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';

export interface CrossOrigin {
  /** Every origin if omitted. */
  origins?: readonly string[] | undefined;
  /** Response headers that a page may read. */
  exposed: readonly string[];
  allowMethods?: string[];
  /** Request headers that a page may send; whichever it asks for if omitted. */
  allowHeaders?: string[];
  /** Seconds for which a browser may cache the preflight. */
  maxAge: number;
}

/**
 * CORS without credentials: no cookie is sent, whatever the origin. Headers are set on the finished response, since Hono
 * would turn the body into a stream if they were set before.
 */
export function crossOrigin({ origins, exposed, ...options }: CrossOrigin): MiddlewareHandler {
  const preflight = cors({ origin: origins ? [...origins] : '*', ...options });
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
