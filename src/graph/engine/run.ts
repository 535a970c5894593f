import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
} from 'graphql';
import { notInPast } from '../../domain/kernel/errors.ts';
import { includedRow } from '../../domain/kernel/relation.ts';
import { ResponseSize } from '../../domain/kernel/response-size.ts';
import { add, batchOf, complete, completeLoaded, type FieldRun, type ObjectBatch } from './complete.ts';
import type { GraphContext } from './context.ts';
import { Loading } from './loading.ts';
import { type FieldPlan, planOf } from './plan.ts';
import { relationsOf } from './relations.ts';
import { fail, Info, isTooLarge, keysOf, type Position, type Run, type Values } from './response.ts';
import { coerceVariables } from './variables.ts';

/** Bytes of a member of an object beside its name and its value. */
const MEMBER = 4;

export interface Request {
  schema: GraphQLSchema;
  /** Validated against the schema. */
  document: DocumentNode;
  operationName?: string | null;
  variableValues?: Values | null;
  contextValue: GraphContext;
  /** The source of the root fields: the event of a subscription. */
  rootValue?: unknown;
}

/**
 * Executes an operation (GraphQL specification §6) level by level: a field is resolved for all objects of its level, and
 * its selection when all of its values have settled. So arguments are coerced once a level, and a loader gets all keys of a
 * level in one batch. A subscription is run for one event; `@defer` and `@stream` are not supported. A response above the
 * limit in bytes ends the run: all of it becomes null, with one error.
 */
export async function runOperation(request: Request): Promise<ExecutionResult> {
  const { schema, document, operationName, variableValues, contextValue: context } = request;
  const operation = getOperationAST(document, operationName);
  if (!operation)
    return { errors: [new GraphQLError('The document has no such operation; name the one to run.')] };
  const variables = coerceVariables(schema, operation, variableValues ?? {});
  if (variables.errors) return { errors: variables.errors };
  const plan = planOf(schema, document, operation, variables.coerced);
  const run: Run = {
    plan,
    context,
    variables: variables.coerced,
    errors: [],
    size: context.response ?? new ResponseSize(context.limits.responseBytes),
    excess: undefined,
    prefetchedArguments: new Map(),
  };
  const { data } = await runRoot(run, request.rootValue);
  if (run.excess) return { errors: [run.excess], data: null };
  return run.errors.length > 0 ? { errors: run.errors, data } : { data };
}

/**
 * Root fields of a mutation run one after the other (GraphQL specification §6.2.2), until one fails that cannot be null: its
 * error makes the whole response null, so what would follow could not be returned.
 */
async function runRoot(run: Run, rootValue: unknown): Promise<{ data?: Values | null }> {
  const { schema, operation, fields } = run.plan;
  const response: { data?: Values | null } = {};
  const root = batchOf(schema.getRootType(operation.operation) as GraphQLObjectType, run.context);
  add(root, rootValue, {
    container: response,
    key: 'data',
    nullable: true,
    parent: undefined,
    isNulled: false,
  });
  if (operation.operation !== 'mutation') await runFields(run, fields, root);
  else
    for (const field of fields) {
      await runField(run, field, root);
      if (response.data === null) break;
    }
  return response;
}

/** Returns a promise only if something is pending. */
function runFields(run: Run, fields: readonly FieldPlan[], batch: ObjectBatch): Promise<unknown> | undefined {
  return allOf(fields.flatMap((field) => runField(run, field, batch) ?? []));
}

const allOf = (pending: Promise<unknown>[]): Promise<unknown> | undefined =>
  pending.length > 0 ? Promise.all(pending) : undefined;

/** Resolves one field of all objects of a batch, with its selection. */
function runField(
  run: Run,
  field: FieldPlan,
  { context, sources, objects, positions }: ObjectBatch,
): Promise<unknown> | undefined {
  if (run.excess) return undefined;
  const fieldRun: FieldRun = { run, field, context, children: [], pending: [], loading: [] };
  const args = argumentsOf(run, field);
  const { onField, past } = context;
  for (let index = 0; index < sources.length; index++) {
    const container = objects[index] as Values;
    const parent = positions[index] as Position;
    run.size.add(field.key.length + MEMBER);
    if (isTooLarge(run, field, parent)) return undefined;
    // Reserves the member, so that members are in the order of the query whichever value settles first.
    container[field.key] = undefined;
    onField?.(field, sources[index], [...keysOf(parent), field.key]);
    try {
      if (args instanceof Error) throw args;
      if (past && !field.inPast) throw notInPast(`${field.parent.name}.${field.name}`);
      complete(
        fieldRun,
        field.shape,
        resolve(fieldRun, sources[index], args, parent),
        container,
        field.key,
        parent,
      );
    } catch (error) {
      fail(run, field, field.shape, error, container, field.key, parent);
    }
  }
  return runChildren(fieldRun);
}

/** Runs the selection of a field when nothing is pending any more; a settled value may hold promises itself. */
function runChildren(fieldRun: FieldRun): Promise<unknown> | undefined {
  const { run, field, children, pending, loading } = fieldRun;
  if (pending.length > 0 || loading.length > 0) {
    prefetch(fieldRun);
    fieldRun.pending = [];
    fieldRun.loading = [];
    const settled = new Set(loading.map(({ value }) => value.settled));
    return Promise.all([...pending, ...settled]).then(() => {
      for (const pendingValue of loading) completeLoaded(fieldRun, pendingValue);
      return runChildren(fieldRun);
    });
  }
  return allOf(children.flatMap((batch) => runFields(run, field.fieldsOf(batch.type), batch) ?? []));
}

/**
 * Starts lists below an object that is still loading, by the object's id, so that both take one round trip. If the object
 * turns out not to exist or to be invisible, nothing reads them.
 */
function prefetch({ run, field, context, loading }: FieldRun): void {
  const relations = relationsOf(field);
  for (const { value, shape, parent } of loading) {
    value.include(relations);
    if (value.id === undefined || shape.kind !== 'object') continue;
    for (const child of field.fieldsOf(shape.type)) {
      const args = child.prefetch && (child.inPast || !context.past) && argumentsOf(run, child);
      if (!args || args instanceof Error) continue;
      run.prefetchedArguments.set(child, args);
      const source = { organizationId: '', id: value.id };
      const list = child.resolve?.(source, args, context, new Info(run, child, parent));
      if (list instanceof Loading) list.include(relationsOf(child));
    }
  }
}

/** The arguments, one object for all parents; an Error fails the field of each of them. */
function argumentsOf({ variables, prefetchedArguments }: Run, field: FieldPlan): Values | Error {
  const { definition, nodes } = field;
  try {
    return (
      prefetchedArguments.get(field) ??
      getArgumentValues(definition, nodes[0] as FieldPlan['nodes'][0], variables)
    );
  } catch (error) {
    return error as Error;
  }
}

function resolve(
  { run, field, context }: FieldRun,
  source: unknown,
  args: Values,
  parent: Position,
): unknown {
  const included = field.relation && includedRow(source, field.relation);
  if (included || (included === null && field.shape.nullable)) return included;
  if (field.resolve) return field.resolve(source, args, context, new Info(run, field, parent));
  const value = (source as Values)[field.name];
  return typeof value === 'function'
    ? value.call(source, args, context, new Info(run, field, parent))
    : value;
}
