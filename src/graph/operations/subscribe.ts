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
import { FAULTS, type Request, runOperation } from '../engine/run.ts';
import { requireScope, scopeOf } from './scope.ts';

/** What a source of a subscription gives: what its fields are read from, with the rights of that moment. */
export interface Occasion {
  ctx: Context;
  value: unknown;
  /** Where a reader that comes back goes on; not where it begins with how things stand. */
  id?: string;
}

/** One answer of a subscription, and the id of what it tells of. */
export interface SubscriptionResult {
  result: ExecutionResult;
  id?: string;
}

type Source = (root: unknown, args: object, context: unknown) => AsyncIterable<Occasion>;

/** The answers of a subscription (GraphQL specification §6.2.3). What ends it early is its last answer. */
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
  if (!operation || !root) return { errors: [new GraphQLError('The document holds no such operation.')] };
  const { errors, coerced } = getVariableValues(
    schema,
    operation.variableDefinitions ?? [],
    variableValues ?? {},
    FAULTS,
  );
  return errors ? { errors } : { values: coerced };
}
