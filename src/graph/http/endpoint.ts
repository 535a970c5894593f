import { type ExecutionResult, getOperationAST } from 'graphql';
import type { Context as Call } from 'hono';
import type { Context } from '../../domain/kernel/context.ts';
import { DomainError, notUtf8 } from '../../domain/kernel/errors.ts';
import { ResponseSize } from '../../domain/kernel/response-size.ts';
import { tenantOf } from '../../domain/kernel/viewer.ts';
import { excessOf, type JsonBounds, jsonBounds } from '../../lib/json-bounds.ts';
import { inSpan } from '../../lib/span.ts';
import { utf8 } from '../../lib/text/utf8.ts';
import type { CostLimits } from '../operations/cost.ts';
import { beginSubscription } from '../operations/subscribe.ts';
import { schema } from '../schema/schema.ts';
import { cachedOperation, type TextOf } from './cached-operation.ts';
import { delivered } from './delivered.ts';
import { DocumentCache } from './document-cache.ts';
import { errorResponse } from './error-response.ts';
import { toGraphQLError } from './errors.ts';
import { explained } from './explained.ts';
import { httpContext, type RequestServices } from './http-context.ts';
import { withMeasured } from './measured-charge.ts';
import { jsonTypeOf } from './media-type.ts';
import type { Operation } from './operation.ts';
import { OperationTexts, type PersistedOperations } from './persisted.ts';
import { charge, noteUse } from './price.ts';
import { published } from './published.ts';
import { bodyOf } from './response-body.ts';
import { type RunOptions, run } from './run.ts';
import { type SubscriptionLimits, type SubscriptionStream, Subscriptions } from './subscriptions.ts';
import { newYoga, type YogaContext } from './yoga.ts';

/** What GraphQL over HTTP uses of the server. */
export interface GraphServices extends RequestServices, Omit<RunOptions, 'introspection'> {
  config: {
    limits: CostLimits & SubscriptionLimits & { batchMax: number };
    /** Whether callers may read the schema. */
    introspection: boolean;
  };
  /** Registered operations; without them, requests send their whole text. */
  persisted?: PersistedOperations;
  metrics: {
    /** Called with the duration and outcome (`ok` or an error code) of each operation. */
    operation: (labels: { kind: string; outcome: string }, seconds: number) => void;
  };
  /** Aborts when the server stops, which ends subscriptions. */
  stopping?: AbortSignal;
}

/** The services, and what the endpoint keeps between requests. */
interface Endpoint extends RequestServices, RunOptions {
  limits: CostLimits;
  metrics: GraphServices['metrics'];
  bounds: JsonBounds;
  documents: DocumentCache;
  textOf: TextOf;
  subscriptions: Subscriptions;
  yoga: { fetch: (request: Request, context: YogaContext) => Response | Promise<Response> };
}

/**
 * `/graphql`, for requests whose credential, media type and size were checked (router.ts). An operation takes the same
 * steps either way:
 * - its document was run before: `respond` takes it from the cache, performs the operation and sends JSON. This skips Yoga,
 *   which would parse and validate the document again and negotiate a media type.
 * - Yoga handles every other request, and calls `perform` or `subscribe` for a valid document.
 */
export function newEndpoint(services: GraphServices): (call: Call, ctx: Context) => Promise<Response> {
  const { limits, introspection } = services.config;
  const texts = new OperationTexts(services.persisted);
  const shared = {
    ...services,
    limits,
    introspection,
    bounds: jsonBounds(limits.batchMax),
    documents: new DocumentCache(),
    subscriptions: new Subscriptions(limits, services.stopping),
    textOf: ((params, { viewer }) => texts.textOf(params, tenantOf(viewer))) satisfies TextOf,
  };
  const steps = {
    textOf: shared.textOf,
    onDocument: (document: Operation['document']) => shared.documents.add(document),
    perform: (operation: Operation) => perform(shared, operation),
    subscribe: (operation: Operation) => subscribe(shared, operation),
  };
  const endpoint = { ...shared, yoga: newYoga(steps, shared) };
  return (call, ctx) => respond(endpoint, call, httpContext(services, call, ctx));
}

/** Limits → document → price, scope and run (`perform`) → answer. */
async function respond(endpoint: Endpoint, call: Call, context: YogaContext): Promise<Response> {
  const { documents, textOf, yoga } = endpoint;
  const request = call.req.raw;
  if (request.method !== 'POST') return finish(call, context, await yoga.fetch(request, context));
  const type = jsonTypeOf(request.headers);
  // A long-lived response ends when its client disconnects. Reading the signal makes the server build a whole Request.
  const signal = type ? undefined : request.signal;
  const body = await readBody(endpoint, request);
  const operation = type ? cachedOperation(body, documents, textOf, context) : undefined;
  const result = operation && (await perform(endpoint, operation));
  if (type && result && 'data' in result)
    return finish(call, context, jsonResponse(type, published(result, context, endpoint)));
  const { method, headers, url } = request;
  const again = new Request(url, { method, headers, body, signal });
  return finish(call, context, await yoga.fetch(again, { ...context, rejection: result }));
}

/** Limits: throws BAD_USER_INPUT for a text that is not UTF-8, and COST_LIMIT_EXCEEDED for one that is expensive to parse. */
async function readBody({ bounds }: Endpoint, request: Request): Promise<string> {
  const body = utf8(await request.arrayBuffer());
  if (body === undefined) throw notUtf8();
  const excess = excessOf(body, bounds);
  if (excess) throw new DomainError('COST_LIMIT_EXCEEDED', `A request may have at most ${excess}.`);
  return body;
}

type Steps = Pick<Endpoint, 'limits' | 'metrics' | 'subscriptions' | keyof RunOptions>;

/** Price and scope → run, for a valid document; measured, and explained to a caller that wants it. */
async function perform(steps: Steps, operation: Operation): Promise<ExecutionResult> {
  const begin = performance.now();
  const result = await inSpan('operation', {}, () =>
    explained(operation, (each) => chargeAndRun(steps, each)),
  );
  const cause = result.errors?.[0]?.originalError;
  const failure = cause instanceof DomainError ? cause.code : cause ? 'INTERNAL' : 'BAD_USER_INPUT';
  const kind = getOperationAST(operation.document, operation.operationName)?.operation ?? 'none';
  const outcome = result.errors ? failure : 'ok';
  steps.metrics.operation({ kind, outcome }, (performance.now() - begin) / 1_000);
  return result;
}

async function chargeAndRun(steps: Steps, operation: Operation): Promise<ExecutionResult> {
  const { contextValue } = operation;
  noteUse(operation);
  const { answer, charged } = await charge(operation, steps.limits);
  if (!charged) return answer;
  const response = new ResponseSize(contextValue.limits.responseBytes);
  const paid = { ...operation, contextValue: { ...contextValue, charged, response } };
  try {
    const result = await run(paid, steps);
    const extensions = await withMeasured(contextValue, answer.extensions, response);
    return { ...delivered(paid, result, response), ...answer, extensions };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { errors: [toGraphQLError(error)], ...answer };
  }
}

/** Price and scope → run, for a subscription: what happens once it is answered belongs to it. */
async function subscribe(
  { limits, subscriptions }: Steps,
  operation: Operation,
): Promise<ExecutionResult | SubscriptionStream> {
  const { contextValue } = operation;
  noteUse(operation);
  const { answer, charged } = await charge(operation, limits);
  if (!charged) return answer;
  try {
    return await subscriptions.open(contextValue.viewer, (signal) =>
      beginSubscription({ schema, ...operation, contextValue: { ...contextValue, signal } }),
    );
  } catch (error) {
    return { errors: [toGraphQLError(error)] };
  }
}

const jsonResponse = (type: string, result: ExecutionResult): Response =>
  new Response(bodyOf(result), { headers: { 'content-type': `${type}; charset=utf-8` } });

const NOT_ACCEPTABLE =
  'Nothing that Accept names can be sent. Queries and mutations are answered as application/json or application/graphql-response+json, subscriptions as text/event-stream (GraphQL over SSE).';

/** Answer: what Yoga and the cached document have in common. */
function finish(call: Call, { idempotency }: YogaContext, response: Response): Response {
  if (response.status === 406) return errorResponse(call, 406, 'BAD_USER_INPUT', NOT_ACCEPTABLE);
  if (idempotency?.replayed) response.headers.set('Idempotency-Replayed', 'true');
  return response;
}
