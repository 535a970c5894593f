import {
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  locatedError,
} from 'graphql';
import { rightsKey } from '../../domain/access/shared-read.ts';
import type { Context } from '../../domain/kernel/context.ts';
import { DomainError } from '../../domain/kernel/errors.ts';
import { memoize } from '../../lib/memoize.ts';
import { graphContext } from '../engine/context.ts';
import { planOf } from '../engine/plan.ts';
import { type Request, runOperation, VARIABLE_OPTIONS } from '../engine/run.ts';
import { requireScope, scopeOf } from './scope.ts';

/** One item of a subscription's source: the root value of its result, and the context to run it in. */
export interface SourceEvent {
  ctx: Context;
  value: unknown;
  /** Sent as the event id, from which a reader can resume; absent for an initial state. */
  id?: string;
}

/** One result of a subscription, and the id of its event. */
export interface SubscriptionResult {
  result: ExecutionResult;
  id?: string;
}

type Source = (root: unknown, args: object, context: unknown) => AsyncIterable<SourceEvent>;

/** The results of a subscription (GraphQL specification §6.2.3). An error that ends it is its last result. */
export async function* runSubscription(request: Request): AsyncGenerator<SubscriptionResult> {
  const { schema, document, contextValue, operationName } = request;
  const coerced = variablesOf(request);
  if ('errors' in coerced) return yield { result: { errors: coerced.errors } };
  const operation = getOperationAST(document, operationName) as NonNullable<
    ReturnType<typeof getOperationAST>
  >;
  const [field] = planOf(schema, document, operation, coerced.values).fields;
  if (!field) return;
  const [node] = field.nodes as [FieldNode];
  try {
    const args = getArgumentValues(field.definition, node, coerced.values);
    const source = (field.definition as GraphQLField<unknown, unknown>).subscribe as unknown as Source;
    for await (const { ctx, value, id } of source(undefined, args, contextValue)) {
      requireScope(ctx.viewer, scopeOf(document, operationName));
      yield { id, result: await resultOf(request, ctx, value) };
    }
    const reason: unknown = contextValue.signal?.reason;
    if (reason instanceof DomainError) throw reason;
  } catch (error) {
    yield { result: { errors: [locatedError(error, node, [field.key])] } };
  }
}

const results = new WeakMap<object, Map<string, Promise<ExecutionResult>>>();

/** Subscriptions that read the same value with the same rights, and select the same of it, share the result. */
function resultOf(request: Request, ctx: Context, value: unknown): Promise<ExecutionResult> {
  const { document, operationName, variableValues } = request;
  const text = document.loc?.source.body;
  const run = () => runOperation({ ...request, contextValue: graphContext(ctx), rootValue: value });
  if (!text || typeof value !== 'object' || !value) return run();
  const key = JSON.stringify([text, operationName, variableValues, rightsKey(ctx.viewer)]);
  const shared = memoize(results, value, () => new Map());
  return memoize(shared, key, run);
}

function variablesOf({ schema, document, operationName, variableValues }: Request) {
  const operation = getOperationAST(document, operationName);
  const root = operation && (schema.getRootType(operation.operation) as GraphQLObjectType | undefined);
  if (!operation || !root) return { errors: [new GraphQLError('The document has no such operation.')] };
  const { errors, coerced } = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    variableValues ?? {},
    VARIABLE_OPTIONS,
  );
  return errors ? { errors } : { values: coerced };
}
