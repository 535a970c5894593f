import {
  type DocumentNode,
  type ExecutionResult,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { ExecuteOnce } from '../../domain/idempotency/idempotency.ts';
import { DomainError, isRejection } from '../../domain/kernel/errors.ts';
import { ResponseSize } from '../../domain/kernel/response-size.ts';
import { tenantOf } from '../../domain/kernel/viewer.ts';
import { jsonBounds } from '../../lib/json-bounds.ts';
import { inSpan } from '../../lib/span.ts';
import type { GraphContext, IdempotencyUse } from '../engine/context.ts';
import { runOperation } from '../engine/run.ts';
import { type CostLimits, mostExpensive, requireAffordable } from '../operations/cost.ts';
import { deprecatedUse } from '../operations/deprecated-use.ts';
import { memoizedCost } from '../operations/memoized-cost.ts';
import { memoizedScopes, requireScopes } from '../operations/scope.ts';
import { beginSubscription } from '../operations/subscribe.ts';
import { unsupportedDirectives } from '../operations/unsupported-directives.ts';
import { schema } from '../schema/schema.ts';
import { delivered } from './delivered.ts';
import { type Direct, type DirectRequest, DocumentCache, respondDirectly } from './direct-request.ts';
import { toGraphQLError } from './errors.ts';
import { explained } from './explained.ts';
import { withMeasured } from './measured-charge.ts';
import { type OperationParams, OperationTexts, type PersistedOperations } from './persisted.ts';
import { markPublic, published, withPublicErrors } from './published.ts';
import { requestLimits } from './request-limits.ts';
import { largeResponse } from './response-body.ts';
import { SubscriptionStream, type Subscriptions } from './subscriptions.ts';

export interface GraphRouterOptions {
  limits: CostLimits & { batchMax: number };
  /** Registered operations; without them, requests send their whole text. */
  persisted?: PersistedOperations;
  /** Whether clients may introspect the schema. */
  introspection: boolean;
  report: (error: unknown, requestId: string) => void;
  once: ExecuteOnce;
  /** Called with the duration and outcome (`ok` or an error code) of each operation. */
  measure?: (labels: { kind: string; outcome: string }, seconds: number) => void;
  subscriptions: Subscriptions;
}

/** GraphQL over HTTP, for the context that the server passes with each request. */
export function graphRouter(options: GraphRouterOptions) {
  const documents = new DocumentCache();
  const texts = new OperationTexts(options.persisted);
  const textOf = (params: OperationParams, { viewer }: GraphContext) =>
    texts.textOf(params, tenantOf(viewer));
  const yoga = createYoga<GraphContext>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    logging: false,
    batching: false,
    cors: false,
    maskedErrors: false,
    multipart: false,
    parserAndValidationCache: false,
    graphiql: false,
    extraParamNames: ['documentId'],
    plugins: [docgraphPlugin(options, documents, textOf)],
  });
  const direct: Direct = {
    documents,
    bounds: jsonBounds(options.limits.batchMax),
    textOf,
    perform: async (request) => published(await measured(options, request), request.contextValue, options),
    fallback: (request, context) => yoga.fetch(request, context),
  };
  return {
    fetch: (request: Request, ctx?: GraphContext): Response | Promise<Response> =>
      ctx ? respondDirectly(direct, request, ctx) : yoga.fetch(request),
  };
}

async function measured(options: GraphRouterOptions, request: DirectRequest): Promise<ExecutionResult> {
  const begin = performance.now();
  const result = await inSpan('operation', {}, () => explained(request, (each) => perform(each, options)));
  const cause = result.errors?.[0]?.originalError;
  const failure = cause instanceof DomainError ? cause.code : cause ? 'INTERNAL' : 'BAD_USER_INPUT';
  const kind = getOperationAST(request.document, request.operationName)?.operation ?? 'none';
  options.measure?.({ kind, outcome: result.errors ? failure : 'ok' }, (performance.now() - begin) / 1_000);
  return result;
}

/**
 * Checks scope and cost before the first statement is sent, and charges the points against the rate limit. Returns the errors,
 * the cost as an extension, and the charge.
 */
async function admit(
  { document, operationName, variableValues, contextValue }: DirectRequest,
  limits: CostLimits,
) {
  const name = getOperationAST(document, operationName)?.name?.value;
  if (name) contextValue.onOperation?.(name);
  const deprecated = deprecatedUse(schema, document, operationName, variableValues ?? {});
  if (deprecated.length > 0) contextValue.onDeprecated?.(deprecated);
  const cost = memoizedCost(schema, document, operationName, variableValues ?? {}, limits);
  const { points } = cost;
  const excess = points > limits.queryCost && { mostExpensive: mostExpensive(cost, limits.queryCost) };
  const extensions = { cost: { requested: points, limit: limits.queryCost, ...excess } };
  try {
    requireScopes(contextValue.viewer, memoizedScopes(schema, document, operationName));
    requireAffordable(cost, limits);
    const state = await contextValue.charge?.(points);
    return { answer: { extensions }, charged: { points, state } };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { answer: { errors: [toGraphQLError(error)], extensions } };
  }
}

/** Runs a valid operation; a mutation with an idempotency key at most once. */
async function perform(request: DirectRequest, options: GraphRouterOptions): Promise<ExecutionResult> {
  const { document, operationName, contextValue } = request;
  const { answer, charged } = await admit(request, options.limits);
  if (!charged) return answer;
  const isIdempotent = contextValue.idempotency && memoizedScopes(schema, document, operationName).isMutation;
  const response = new ResponseSize(contextValue.limits.responseBytes);
  const admitted = { ...request, contextValue: { ...contextValue, charged, response } };
  try {
    const result = await (isIdempotent
      ? performOnce(admitted, options)
      : runOperation({ schema, ...admitted }));
    const extensions = await withMeasured(contextValue, answer.extensions, response);
    return { ...delivered(admitted, result, response), ...answer, extensions };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { errors: [toGraphQLError(error)], ...answer };
  }
}

/** Starts a subscription: what happens once it is answered belongs to it. */
async function follow(
  request: DirectRequest,
  { limits, subscriptions }: GraphRouterOptions,
): Promise<ExecutionResult | SubscriptionStream> {
  const { answer, charged } = await admit(request, limits);
  if (!charged) return answer;
  const { contextValue } = request;
  try {
    return await subscriptions.open(contextValue.viewer, (signal) =>
      beginSubscription({ schema, ...request, contextValue: { ...contextValue, signal } }),
    );
  } catch (error) {
    return { errors: [toGraphQLError(error)] };
  }
}

/** Runs a mutation under its idempotency key, or returns the stored answer of an earlier run. */
async function performOnce(request: DirectRequest, options: GraphRouterOptions): Promise<ExecutionResult> {
  const { document, operationName, variableValues, contextValue } = request;
  const idempotency = contextValue.idempotency as IdempotencyUse;
  const text = JSON.stringify([document.loc?.source.body, operationName ?? null, variableValues ?? {}]);
  const { answer, replayed } = await options.once(
    contextValue,
    { key: idempotency.key, request: text },
    async (claimed) => {
      const run = await runOperation({
        schema,
        ...request,
        contextValue: { ...contextValue, ...claimed },
      });
      const result = withPublicErrors(run, contextValue.requestId, options);
      return { answer: JSON.stringify(result), keep: isLasting(result) };
    },
  );
  idempotency.replayed = replayed;
  const result: ExecutionResult = JSON.parse(answer);
  return markPublic(result);
}

/** False if every mutation was refused. */
const isLasting = ({ data, errors = [] }: ExecutionResult): boolean =>
  Object.values(data ?? {}).some((each) => each !== null) ||
  errors.some(({ extensions }) => !isRejection(String(extensions.code)));

/** By request, since Yoga wraps the iterable that `subscribe` returns. */
const streams = new WeakMap<Request, SubscriptionStream>();

const docgraphPlugin = (
  options: GraphRouterOptions,
  documents: DocumentCache,
  textOf: Direct['textOf'],
): Plugin<GraphContext> => ({
  ...requestLimits(textOf),
  onValidate({ addValidationRule, params: { documentAST }, setResult }) {
    const errors = unsupportedDirectives(documentAST);
    if (errors.length > 0) setResult(errors);
    if (!options.introspection) addValidationRule(NoSchemaIntrospectionCustomRule);
  },
  /** Documents that get here are valid. */
  onExecute({ args, setExecuteFn }) {
    documents.add(args.document as DocumentNode);
    setExecuteFn((request) => measured(options, request as DirectRequest));
  },
  onSubscribe({ setSubscribeFn }) {
    setSubscribeFn(async (request) => {
      const result = await follow(request as DirectRequest, options);
      if (result instanceof SubscriptionStream) streams.set(request.contextValue.request, result);
      return result;
    });
  },
  onResultProcess({ request, result, setResult, resultProcessor, setResultProcessor, serverContext }) {
    const context = serverContext as unknown as GraphContext;
    const { disconnect, delivery } = context;
    const publicly = (each: ExecutionResult) => published(each, context, options);
    const stream = streams.get(request);
    if (stream) {
      const connection = { disconnect, hold: delivery?.holdPart };
      if (resultProcessor)
        setResultProcessor(() => stream.stream(publicly, connection) as never, 'text/event-stream');
      else stream.end();
    } else if (!Array.isArray(result) && !(Symbol.asyncIterator in result)) {
      const published = publicly(result);
      setResult(published);
      const response = largeResponse(published, request.headers.get('accept') ?? '*/*');
      if (response) setResultProcessor(() => response as never, '*/*');
    }
  },
});
