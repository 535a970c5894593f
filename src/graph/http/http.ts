import type { HttpBindings } from '@hono/node-server';
import { type Context as Call, Hono, type MiddlewareHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Context } from '../../domain/kernel/context.ts';
import { DomainError, type ERROR_CODES, type ErrorCode, unavailable } from '../../domain/kernel/errors.ts';
import type { Delivery } from '../../domain/kernel/response-size.ts';
import type { Viewer } from '../../domain/kernel/viewer.ts';
import { type GraphContext, graphContext, type PointsState } from '../engine/context.ts';
import { schema } from '../schema/schema.ts';
import { schemaText } from '../schema/schema-text.ts';

export interface GraphHttp {
  fetch: (request: Request, ctx: GraphContext) => Response | Promise<Response>;
  /** Throws UNAUTHENTICATED without a live credential. */
  contextOf: (call: Call) => Promise<Context>;
  /** Authenticates a long-lived request again, without counting it against the rate limit. */
  renew: (call: Call) => Promise<Context>;
  /** Counts the points of an operation against the rate limit. Throws RATE_LIMITED. */
  charge: (call: Call, viewer: Viewer, points: number) => Promise<PointsState | undefined>;
  /** Counts points that were measured afterwards, whether any are left or not. */
  chargeMeasured: (call: Call, viewer: Viewer, points: number) => Promise<void>;
  /** Accounts for a response until it is read. */
  deliveryOf: (call: Call) => Delivery;
  requestIdOf: (call: Call) => string;
  /** Whether callers may read the schema. */
  introspection: boolean;
  report: (error: unknown, requestId: string) => void;
  /** Throws TOO_LARGE. */
  bodyWithin: MiddlewareHandler;
}

interface Env {
  Variables: {
    requestId: string;
    ctx: Context;
    operation: string;
    failure: string;
    deprecated: readonly string[];
  };
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
    const type = call.req.header('content-type');
    if (call.req.method === 'POST' && !isJson(type))
      return errorResponse(call, 415, 'BAD_USER_INPUT', isMultipart(type) ? NO_FILES : NO_JSON);
    await next();
  });
  app.use(options.bodyWithin);
  app.get('/schema.graphql', (call) => schemaResponse(options, call));
  app.put('/', refuseSingleConnection);
  app.all('/', (call) => answer(options, call));
  app.onError((error, call) => errorHandler(options, call as Call<Env>, error));
  return app;
}

const NO_JSON = 'A request must be sent as application/json, in UTF-8.';

const NO_FILES =
  'A request must be sent as application/json. Files are not part of it: reserve uploads with `reserveUploads`, PUT each file to its `url`, and pass the ids to `confirmUploads`.';

const NOT_ACCEPTABLE =
  'Nothing that Accept names can be sent. Queries and mutations are answered as application/json or application/graphql-response+json, subscriptions as text/event-stream (GraphQL over SSE).';

const NO_SINGLE_CONNECTION =
  'Each subscription has a connection of its own (the distinct connections mode of GraphQL over SSE): leave out `singleConnection`.';

/** Clients of GraphQL over SSE reserve a connection by PUT. They report the reason phrase (RFC 9112 §4), and drop the body. */
function refuseSingleConnection(call: Call<Env>): Response {
  const { outgoing } = (call.env ?? {}) as Partial<HttpBindings>;
  if (outgoing) outgoing.statusMessage = 'Single connection mode is not supported';
  call.header('Allow', 'GET, POST');
  return errorResponse(call, 405, 'BAD_USER_INPUT', NO_SINGLE_CONNECTION);
}

async function answer(options: GraphHttp, call: Call<Env>): Promise<Response> {
  const key = call.req.header('idempotency-key');
  const idempotency = key === undefined ? undefined : { key, replayed: false };
  const renew = () => options.renew(call);
  const lastEventId = call.req.header('last-event-id');
  const context = graphContext(call.get('ctx'));
  const charge = (points: number) => options.charge(call, context.viewer, points);
  const chargeMeasured = (points: number) => options.chargeMeasured(call, context.viewer, points);
  const onOperation = (name: string) => call.set('operation', name);
  const onFailure = (code: string) => call.set('failure', code);
  const onDeprecated = (coordinates: readonly string[]) => call.set('deprecated', coordinates);
  const explain = call.req.header('x-explain-access') === '1' || undefined;
  const delivery = options.deliveryOf(call);
  const { outgoing } = (call.env ?? {}) as Partial<HttpBindings>;
  const disconnect = outgoing && (() => void outgoing.destroy());
  const charges = { charge, chargeMeasured };
  const use = {
    explain,
    idempotency,
    renew,
    lastEventId,
    onOperation,
    onFailure,
    onDeprecated,
    delivery,
    disconnect,
  };
  const ctx: GraphContext = { ...context, ...charges, ...use };
  const response = await options.fetch(call.req.raw, ctx);
  if (response.status === 406) return errorResponse(call, 406, 'BAD_USER_INPUT', NOT_ACCEPTABLE);
  if (idempotency?.replayed) response.headers.set('Idempotency-Replayed', 'true');
  return response;
}

/** The schema as text, for tools that generate code from it; NOT_FOUND where introspection is off. */
function schemaResponse({ introspection }: GraphHttp, call: Call): Response {
  if (!introspection) throw new DomainError('NOT_FOUND', 'The schema is not published here.');
  return call.body(publishedSchema(), 200, { 'content-type': 'text/plain; charset=utf-8' });
}

/** Printed at the first request, as few ask for it. */
let schemaCache: string | undefined;
const publishedSchema = (): string => {
  schemaCache ??= schemaText(schema);
  return schemaCache;
};

/** Other media types need no CORS preflight, or are parsed in other ways than the checks assume. */
export const isJson = (contentType: string | undefined): boolean =>
  /^application\/json\s*(;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i.test(contentType ?? '');

/** GraphQL multipart requests. */
const isMultipart = (contentType = ''): boolean => /^multipart\//i.test(contentType);

const STATUS: Partial<Record<ErrorCode, ContentfulStatusCode>> = {
  UNAUTHENTICATED: 401,
  NOT_FOUND: 404,
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
  options.report(error, call.get('requestId'));
  return errorResponse(call, 500, 'INTERNAL', 'Something went wrong on our side.');
}

function errorResponse(
  call: Call<Env>,
  status: ContentfulStatusCode,
  code: keyof typeof ERROR_CODES,
  message: string,
  more = {},
): Response {
  call.set('failure', code);
  const extensions = { code, requestId: call.get('requestId'), ...more };
  return call.json({ errors: [{ message, extensions }] }, status);
}
