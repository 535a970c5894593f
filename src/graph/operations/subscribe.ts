import {
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  getArgumentValues,
  getOperationAST,
  locatedError,
} from 'graphql';
import { rightsKey } from '../../domain/access/shared-read.ts';
import type { Context } from '../../domain/kernel/context.ts';
import { DomainError, unavailable } from '../../domain/kernel/errors.ts';
import { memoize } from '../../lib/memoize.ts';
import { graphContext } from '../engine/context.ts';
import { planOf } from '../engine/plan.ts';
import { type Request, runOperation } from '../engine/run.ts';
import { coerceVariables } from '../engine/variables.ts';
import { memoizedScopes, requireScopes } from './scope.ts';

/** One item of a subscription's source: the root value of its result, and the context to run it in. */
export interface SourceEvent {
  ctx: Context;
  value: unknown;
  /** Sent as the event id, from which a reader can resume; absent for an initial state. */
  id?: string;
}

/** Where the source of a subscription stands before its first event: sent as an event id without a result. */
export interface SourcePosition {
  position: string;
}

/** One result of a subscription, and the id of its event; an id alone is the position from which a reader can resume. */
export interface SubscriptionResult {
  result?: ExecutionResult;
  id?: string;
}

type Source = (root: unknown, args: object, context: unknown) => SourceEvents | Promise<SourceEvents>;

type SourceEvents = AsyncIterable<SourceEvent | SourcePosition>;

/**
 * The results of a subscription (GraphQL specification §6.2.3). An error that ends it is its last result, but for UNAVAILABLE,
 * which is thrown: the connection breaks then, so that its reader connects again. Resolves when its source has begun: what
 * happens once the answer has begun belongs to it.
 */
export async function beginSubscription(request: Request): Promise<AsyncGenerator<SubscriptionResult>> {
  const { schema, document, contextValue, operationName } = request;
  const coerced = variablesOf(request);
  if ('errors' in coerced) return only({ errors: coerced.errors });
  const operation = getOperationAST(document, operationName) as NonNullable<
    ReturnType<typeof getOperationAST>
  >;
  const [field] = planOf(schema, document, operation, coerced.values).fields;
  if (!field) return only();
  const [node] = field.nodes as [FieldNode];
  const failure = (error: unknown) => ({ errors: [locatedError(error, node, [field.key])] });
  try {
    const args = getArgumentValues(field.definition, node, coerced.values);
    const source = (field.definition as GraphQLField<unknown, unknown>).subscribe as unknown as Source;
    return resultsOf(request, await source(undefined, args, contextValue), failure);
  } catch (error) {
    return only(failure(error));
  }
}

async function* only(...results: ExecutionResult[]): AsyncGenerator<SubscriptionResult> {
  for (const result of results) yield { result };
}

async function* resultsOf(
  request: Request,
  source: SourceEvents,
  failure: (error: unknown) => ExecutionResult,
): AsyncGenerator<SubscriptionResult> {
  const { schema, document, contextValue, operationName } = request;
  try {
    for await (const each of source) {
      if ('position' in each) {
        yield { id: each.position };
        continue;
      }
      const { ctx, value, id } = each;
      requireScopes(ctx.viewer, memoizedScopes(schema, document, operationName));
      yield { id, result: await resultOf(request, ctx, value) };
    }
    const reason: unknown = contextValue.signal?.reason;
    if (reason instanceof DomainError) throw reason;
  } catch (error) {
    const temporary = error instanceof DomainError ? error : unavailable(error);
    if (temporary?.code === 'UNAVAILABLE') throw temporary;
    yield { result: failure(error) };
  }
}

const results = new WeakMap<object, Map<string, Promise<ExecutionResult>>>();

/** Subscriptions that read the same value with the same rights, and select the same of it, share the result. */
function resultOf(request: Request, ctx: Context, value: unknown): Promise<ExecutionResult> {
  const { document, operationName, variableValues } = request;
  const text = document.loc?.source.body;
  const run = () =>
    runOperation({ ...request, contextValue: graphContext(ctx), rootValue: value }).finally(ctx.releaseRows);
  if (!text || typeof value !== 'object' || !value) return run();
  const key = JSON.stringify([text, operationName, variableValues, rightsKey(ctx.viewer)]);
  const shared = memoize(results, value, () => new Map());
  return memoize(shared, key, run);
}

function variablesOf({ schema, document, operationName, variableValues }: Request) {
  const operation = getOperationAST(document, operationName);
  const root = operation && (schema.getRootType(operation.operation) as GraphQLObjectType | undefined);
  if (!operation || !root) return { errors: [new GraphQLError('The document has no such operation.')] };
  const { errors, coerced } = coerceVariables(schema, operation, variableValues ?? {});
  return errors ? { errors } : { values: coerced };
}
