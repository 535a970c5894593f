import { type Context as Call, Hono, type MiddlewareHandler } from 'hono';
import type { Context } from '../../domain/kernel/context.ts';
import { DomainError } from '../../domain/kernel/errors.ts';
import { schema } from '../schema/schema.ts';
import { schemaText } from '../schema/schema-text.ts';
import { type GraphServices, newEndpoint } from './endpoint.ts';
import { errorResponse, failureResponse } from './error-response.ts';
import { outgoingOf } from './http-context.ts';
import { isJson, isMultipart } from './media-type.ts';

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
 * the body while it is read (`bodyWithin`, which throws TOO_LARGE). What follows is in endpoint.ts. Queries may use GET; a
 * mutation there is answered with 405 by Yoga.
 */
export function graphRouter(services: GraphServices, bodyWithin: MiddlewareHandler): Hono<Env> {
  const respond = newEndpoint(services);
  const app = new Hono<Env>();
  app.use(authenticate(services), requireJson, bodyWithin);
  app.get('/schema.graphql', (call) => schemaResponse(services, call));
  app.put('/', refuseSingleConnection);
  app.all('/', (call) => respond(call, call.get('ctx')));
  app.onError((error, call) => failureResponse(call, error, services.report));
  return app;
}

const authenticate =
  ({ requests }: GraphServices): MiddlewareHandler<Env> =>
  async (call, next) => {
    call.set('requestId', requests.requestIdOf(call));
    call.set('ctx', await requests.graphContextOf(call));
    await next();
  };

const NO_JSON = 'A request must be sent as application/json, in UTF-8.';

const NO_FILES =
  'A request must be sent as application/json. Files are not part of it: reserve uploads with `reserveUploads`, PUT each file to its `url`, and pass the ids to `confirmUploads`.';

const requireJson: MiddlewareHandler<Env> = async (call, next) => {
  const type = call.req.header('content-type');
  if (call.req.method !== 'POST' || isJson(type)) return next();
  return errorResponse(call, 415, 'BAD_USER_INPUT', isMultipart(type) ? NO_FILES : NO_JSON);
};

const NO_SINGLE_CONNECTION =
  'Each subscription has a connection of its own (the distinct connections mode of GraphQL over SSE): leave out `singleConnection`.';

/** Clients of GraphQL over SSE reserve a connection by PUT. They report the reason phrase (RFC 9112 §4), and drop the body. */
function refuseSingleConnection(call: Call<Env>): Response {
  const outgoing = outgoingOf(call);
  if (outgoing) outgoing.statusMessage = 'Single connection mode is not supported';
  call.header('Allow', 'GET, POST');
  return errorResponse(call, 405, 'BAD_USER_INPUT', NO_SINGLE_CONNECTION);
}

/** The schema as text, for tools that generate code from it; NOT_FOUND where introspection is off. */
function schemaResponse({ config }: GraphServices, call: Call): Response {
  if (!config.introspection) throw new DomainError('NOT_FOUND', 'The schema is not published here.');
  return call.body(publishedSchema(), 200, { 'content-type': 'text/plain; charset=utf-8' });
}

/** Printed at the first request, as few need it. */
let schemaCache: string | undefined;
const publishedSchema = (): string => {
  schemaCache ??= schemaText(schema);
  return schemaCache;
};
