import { type Context as Call, Hono, type MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Context } from '../../domain/kernel/context.ts';
import { DomainError, type ErrorCode, unavailable } from '../../domain/kernel/errors.ts';
import { type GraphContext, graphContext } from '../engine/context.ts';

export interface GraphHttp {
  fetch: (request: Request, ctx: GraphContext) => Response | Promise<Response>;
  /** Throws UNAUTHENTICATED without a live credential. */
  contextOf: (call: Call) => Promise<Context>;
  /** Authenticates a long-lived request again, without counting it against the rate limit. */
  renew: (call: Call) => Promise<Context>;
  requestIdOf: (call: Call) => string;
  report: (error: unknown, requestId: string) => void;
  /** Throws TOO_LARGE. */
  bodyWithin: MiddlewareHandler;
}

interface Env {
  Variables: { requestId: string; ctx: Context };
}

/**
 * GraphQL over HTTP. Checks the credential first, then the media type (against cross-site form posts), then the size of
 * the body while it is read. Queries may use GET; a mutation there is answered with 405 by Yoga.
 */
export function graphHttp(options: GraphHttp): Hono<Env> {
  const app = new Hono<Env>();
  app.use(async (call, next) => {
    call.set('requestId', options.requestIdOf(call));
    call.set('ctx', await options.contextOf(call));
    if (call.req.method === 'POST' && !isJson(call.req.header('content-type')))
      return errorResponse(call, 415, 'BAD_USER_INPUT', 'A request is sent as application/json, in UTF-8.');
    await next();
  });
  app.use(options.bodyWithin);
  app.all('/', (call) => answer(options, call));
  app.onError((error, call) => errorHandler(options, call as Call<Env>, error));
  return app;
}

async function answer(options: GraphHttp, call: Call<Env>): Promise<Response> {
  const key = call.req.header('idempotency-key');
  const idempotency = key === undefined ? undefined : { key, replayed: false };
  const renew = () => options.renew(call);
  const lastEventId = call.req.header('last-event-id');
  const ctx: GraphContext = { ...graphContext(call.get('ctx')), idempotency, renew, lastEventId };
  const response = await options.fetch(call.req.raw, ctx);
  if (idempotency?.replayed) response.headers.set('Idempotency-Replayed', 'true');
  return response;
}

/** Other media types need no CORS preflight, or are parsed in other ways than the checks assume. */
export const isJson = (contentType: string | undefined): boolean =>
  /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i.test(contentType ?? '');

const STATUS: Partial<Record<ErrorCode, ContentfulStatusCode>> = {
  UNAUTHENTICATED: 401,
  // A well-formed request that is rejected before it runs is a 200 as application/json (GraphQL over HTTP §6.4.1).
  COST_LIMIT_EXCEEDED: 200,
  TOO_LARGE: 413,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

function errorHandler(options: GraphHttp, call: Call<Env>, thrown: unknown): Response {
  const error = unavailable(thrown) ?? thrown;
  if (error instanceof DomainError) {
    if (error.code === 'UNAUTHENTICATED') call.header('WWW-Authenticate', 'Bearer');
    const { retryAfter } = error;
    if (retryAfter !== undefined) call.header('Retry-After', String(retryAfter));
    return errorResponse(call, STATUS[error.code] ?? 400, error.code, error.message, { retryAfter });
  }
  const requestId = call.get('requestId');
  options.report(error, requestId);
  return errorResponse(call, 500, 'INTERNAL', 'Something went wrong on our side.', { requestId });
}

const errorResponse = (
  call: Call,
  status: ContentfulStatusCode,
  code: string,
  message: string,
  more = {},
): Response => call.json({ errors: [{ message, extensions: { code, ...more } }] }, status);
