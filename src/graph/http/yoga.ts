import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Once } from '../../domain/idempotency/idempotency.ts';
import { DomainError, isRejection } from '../../domain/kernel/errors.ts';
import { jsonBounds } from '../../lib/json-bounds.ts';
import { inSpan } from '../../lib/span.ts';
import type { GraphContext, IdempotencyUse } from '../engine/context.ts';
import { runOperation } from '../engine/run.ts';
import { type CostLimits, dearest, requireAffordable } from '../operations/cost.ts';
import { memoizedCost } from '../operations/memoized-cost.ts';
import { requireScope, scopeOf } from '../operations/scope.ts';
import { runSubscription } from '../operations/subscribe.ts';
import { requireBounded, requireReadable } from '../operations/text-limits.ts';
import { schema } from '../schema/schema.ts';
import { answerDirectly, type Direct, type DirectRequest, DocumentCache } from './direct-request.ts';
import { publicError } from './errors.ts';
import { type PersistedOperations, textOf } from './persisted.ts';
import { Served, type Subscriptions } from './subscriptions.ts';

export interface GraphRouterOptions {
  limits: CostLimits & { batchMax: number };
  /** Left out where requests send their whole text. */
  persisted?: PersistedOperations;
  /** Whether callers may ask for the schema itself. */
  introspection: boolean;
  report: (error: unknown, requestId: string) => void;
  once: Once;
  /** Told how long each operation took, and what came of it. */
  measure?: (labels: { kind: string; outcome: string }, seconds: number) => void;
  subscriptions: Subscriptions;
}

/** The GraphQL door: GraphQL over HTTP for the context that the server hands in with each request. */
export function graphRouter(door: GraphRouterOptions) {
  const known = new DocumentCache();
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
    plugins: [ours(door, known)],
  });
  const direct: Direct = {
    known,
    bounds: jsonBounds(door.limits.batchMax),
    perform: async (asked) => told(await measured(door, asked), asked.contextValue.requestId, door.report),
    otherwise: (request, context) => yoga.fetch(request, context),
  };
  return {
    fetch: (request: Request, ctx?: GraphContext): Response | Promise<Response> =>
      ctx ? answerDirectly(direct, request, ctx) : yoga.fetch(request),
  };
}

const thrown = (error: unknown): GraphQLError =>
  new GraphQLError((error as Error).message, { originalError: error as Error });

async function measured(door: GraphRouterOptions, asked: DirectRequest): Promise<ExecutionResult> {
  const begin = performance.now();
  const result = await inSpan('operation', {}, () => perform(asked, door));
  const cause = result.errors?.[0]?.originalError;
  const failure = cause instanceof DomainError ? cause.code : cause ? 'INTERNAL' : 'BAD_USER_INPUT';
  const kind = getOperationAST(asked.document, asked.operationName)?.operation ?? 'none';
  door.measure?.({ kind, outcome: result.errors ? failure : 'ok' }, (performance.now() - begin) / 1_000);
  return result;
}

/** Scope and price are settled before the first statement is sent. */
function admit({ document, operationName, variableValues, contextValue }: DirectRequest, limits: CostLimits) {
  const cost = memoizedCost(schema, document, operationName, variableValues ?? {}, limits);
  const priced = { requested: cost.points, limit: limits.queryCost };
  const dear = cost.points > limits.queryCost && { dearest: dearest(cost, limits.queryCost) };
  const extensions = { cost: { ...priced, ...dear } };
  try {
    requireScope(contextValue.viewer, scopeOf(document, operationName));
    requireAffordable(cost, limits);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { errors: [thrown(error)], extensions };
  }
  return { extensions };
}

/** Runs what was found valid: once, where it changes something and its sender gave it a key. */
async function perform(asked: DirectRequest, door: GraphRouterOptions): Promise<ExecutionResult> {
  const { document, operationName, contextValue } = asked;
  const admitted = admit(asked, door.limits);
  if (admitted.errors) return admitted;
  const named = contextValue.idempotency && scopeOf(document, operationName) === 'write';
  try {
    return {
      ...(await (named ? performOnce(asked, door) : runOperation({ schema, ...asked }))),
      ...admitted,
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { errors: [thrown(error)], ...admitted };
  }
}

/** The same for a subscription: it runs when its reader takes the first answer. */
function follow(
  asked: DirectRequest,
  { limits, subscriptions }: GraphRouterOptions,
): ExecutionResult | Served {
  const admitted = admit(asked, limits);
  if (admitted.errors) return admitted;
  try {
    const { signal, end } = subscriptions.begin(asked.contextValue.viewer);
    const contextValue = { ...asked.contextValue, signal };
    return new Served(runSubscription({ schema, ...asked, contextValue }), end);
  } catch (error) {
    return { errors: [thrown(error)] };
  }
}

/** Errors that are told already, as they were kept. */
const settled = new WeakSet<object>();

/** A mutation whose sender gave it a key. */
async function performOnce(
  asked: DirectRequest,
  { once, report }: GraphRouterOptions,
): Promise<ExecutionResult> {
  const { document, operationName, variableValues, contextValue } = asked;
  const naming = contextValue.idempotency as IdempotencyUse;
  const request = JSON.stringify([document.loc?.source.body, operationName ?? null, variableValues ?? {}]);
  const { answer, replayed } = await once(contextValue, { key: naming.key, request }, async (claimed) => {
    const run = await runOperation({
      schema,
      ...asked,
      contextValue: { ...contextValue, ...claimed },
      json: undefined,
    });
    const result = told(run, contextValue.requestId, report);
    return { answer: JSON.stringify(result), keep: isLasting(result) };
  });
  naming.replayed = replayed;
  const result: ExecutionResult = JSON.parse(answer);
  if (result.errors) settled.add(result.errors);
  return result;
}

/** Not where each of its mutations was refused. */
const isLasting = ({ data, errors = [] }: ExecutionResult): boolean =>
  Object.values(data ?? {}).some((each) => each !== null) ||
  errors.some(({ extensions }) => !isRejection(String(extensions.code)));

/** Every error leaves with a code of the closed list, and says nothing that is not meant for the caller. */
function told(
  result: ExecutionResult,
  requestId: string,
  report: GraphRouterOptions['report'],
): ExecutionResult {
  if (!result.errors || settled.has(result.errors)) return result;
  const errors = result.errors.map((error) =>
    publicError(error, requestId, (cause) => report(cause, requestId)),
  );
  return { ...result, errors };
}

/** By their requests: Yoga wraps what it is given. */
const served = new WeakMap<Request, Served>();

const ours = (door: GraphRouterOptions, known: DocumentCache): Plugin<GraphContext> => ({
  onParams({ params, setParams }) {
    try {
      requireBounded(params.variables);
      if (!door.persisted) return;
      const { documentId: _, ...others } = params as typeof params & { documentId?: unknown };
      setParams({ ...others, query: textOf(params, door.persisted) });
    } catch (error) {
      throw error instanceof DomainError ? thrown(error) : error;
    }
  },
  onParse({ params: { source } }) {
    requireReadable(typeof source === 'string' ? source : source.body);
  },
  onValidate({ addValidationRule }) {
    if (!door.introspection) addValidationRule(NoSchemaIntrospectionCustomRule);
  },
  /** What comes this far is valid: from then on it is known. */
  onExecute({ args, setExecuteFn }) {
    known.add(args.document as DocumentNode);
    setExecuteFn((asked) => measured(door, asked as DirectRequest));
  },
  onSubscribe({ setSubscribeFn }) {
    setSubscribeFn((asked) => {
      const result = follow(asked as DirectRequest, door);
      if (result instanceof Served) served.set(asked.contextValue.request, result);
      return result;
    });
  },
  onResultProcess({ request, result, setResult, resultProcessor, setResultProcessor, serverContext }) {
    const { requestId } = serverContext as unknown as GraphContext;
    const publicly = (each: ExecutionResult) => told(each, requestId, door.report);
    const answers = served.get(request);
    if (answers) {
      if (resultProcessor) setResultProcessor(() => answers.stream(publicly) as never, 'text/event-stream');
      else answers.end();
    } else if (!Array.isArray(result) && !(Symbol.asyncIterator in result)) setResult(publicly(result));
  },
});
