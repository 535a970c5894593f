import { type Context as Call, Hono, type MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Context } from '../../domain/kernel/context.ts';
import { DomainError, type ErrorCode, unavailable } from '../../domain/kernel/errors.ts';
import { type GraphContext, graphContext } from '../engine/context.ts';

export interface GraphHttp {
  fetch: (request: Request, ctx: GraphContext) => Response | Promise<Response>;
  /** Throws UNAUTHENTICATED without a live credential. */
  contextOf: (call: Call) => Promise<Context>;
  /** The same once more for a request that lasts, which has been counted. */
  renew: (call: Call) => Promise<Context>;
  newRequestId: (call: Call) => string;
  report: (error: unknown, requestId: string) => void;
  /** Throws TOO_LARGE. */
  bodyWithin: MiddlewareHandler;
}

interface Known {
  Variables: { requestId: string; ctx: Context };
}

/**
 * GraphQL over HTTP, with what a browser could be made to send turned away: the credential first, then the media type,
 * then the size while it is read. Queries also come by GET; a mutation there is refused (Yoga answers 405).
 */
export function graphHttp(door: GraphHttp): Hono<Known> {
  const app = new Hono<Known>();
  app.use(async (call, next) => {
    call.set('requestId', door.newRequestId(call));
    call.set('ctx', await door.contextOf(call));
    if (call.req.method === 'POST' && !isJson(call.req.header('content-type')))
      return told(call, 415, 'BAD_USER_INPUT', 'A request is sent as application/json, in UTF-8.');
    await next();
  });
  app.use(door.bodyWithin);
  app.all('/', (call) => answer(door, call));
  app.onError((error, call) => failed(door, call as Call<Known>, error));
  return app;
}

async function answer(door: GraphHttp, call: Call<Known>): Promise<Response> {
  const key = call.req.header('idempotency-key');
  const idempotency = key === undefined ? undefined : { key, replayed: false };
  const renew = () => door.renew(call);
  const lastEventId = call.req.header('last-event-id');
  const ctx: GraphContext = { ...graphContext(call.get('ctx')), idempotency, renew, lastEventId };
  const response = await door.fetch(call.req.raw, ctx);
  if (idempotency?.replayed) response.headers.set('Idempotency-Replayed', 'true');
  return response;
}

/** Other types need no preflight, or are read in other ways than the checks before them. */
export const isJson = (contentType: string | undefined): boolean =>
  /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i.test(contentType ?? '');

const STATUS: Partial<Record<ErrorCode, ContentfulStatusCode>> = {
  UNAUTHENTICATED: 401,
  // A well-formed request that is refused before it runs is a 200 as application/json (GraphQL over HTTP §6.4.1).
  COST_LIMIT_EXCEEDED: 200,
  TOO_LARGE: 413,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
};

function failed(door: GraphHttp, call: Call<Known>, thrown: unknown): Response {
  const error = unavailable(thrown) ?? thrown;
  if (error instanceof DomainError) {
    if (error.code === 'UNAUTHENTICATED') call.header('WWW-Authenticate', 'Bearer');
    const { retryAfter } = error;
    if (retryAfter !== undefined) call.header('Retry-After', String(retryAfter));
    return told(call, STATUS[error.code] ?? 400, error.code, error.message, { retryAfter });
  }
  const requestId = call.get('requestId');
  door.report(error, requestId);
  return told(call, 500, 'INTERNAL', 'Something went wrong on our side.', { requestId });
}

const told = (call: Call, status: ContentfulStatusCode, code: string, message: string, more = {}): Response =>
  call.json({ errors: [{ message, extensions: { code, ...more } }] }, status);
