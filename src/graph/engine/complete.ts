import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isObjectType,
} from 'graphql';
import type { GraphContext } from './context.ts';
import { Loading } from './loading.ts';
import type { FieldPlan, Shape } from './plan.ts';
import {
  type Container,
  fail,
  Info,
  isTooLarge,
  type Position,
  put,
  ResponseObject,
  type Run,
  type Values,
} from './response.ts';

/** A value whose selection is resolved in another context than that of its field: another state of the database. */
export class InContext {
  readonly value: unknown;
  readonly context: GraphContext;

  constructor(value: unknown, context: GraphContext) {
    this.value = value;
    this.context = context;
  }
}

/** Objects of one type and context at one level, whose fields are resolved together. */
export interface ObjectBatch {
  type: GraphQLObjectType;
  context: GraphContext;
  sources: unknown[];
  objects: Values[];
  positions: Position[];
}

export const batchOf = (type: GraphQLObjectType, context: GraphContext): ObjectBatch => ({
  type,
  context,
  sources: [],
  objects: [],
  positions: [],
});

export function add({ sources, objects, positions }: ObjectBatch, source: unknown, position: Position): void {
  const object = new ResponseObject();
  put(position.container, position.key, object);
  sources.push(source);
  objects.push(object);
  positions.push(position);
}

/** A field while it is resolved: its objects so far, and the values that are pending. */
export interface FieldRun {
  run: Run;
  field: FieldPlan;
  /** The context of its objects. */
  context: GraphContext;
  children: ObjectBatch[];
  pending: Promise<void>[];
  /** Values of loaders, to be completed when they have settled. */
  loading: PendingValue[];
}

/** A value of a loader, and its position in the response. */
interface PendingValue {
  value: Loading<unknown>;
  shape: Shape;
  container: Container;
  key: string | number;
  parent: Position;
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && typeof (value as { then?: unknown } | null)?.then === 'function';

export function completeLoaded(
  fieldRun: FieldRun,
  { value, shape, container, key, parent }: PendingValue,
): void {
  if (fieldRun.run.excess) return;
  try {
    complete(fieldRun, shape, value.value, container, key, parent);
  } catch (error) {
    fail(fieldRun.run, fieldRun.field, shape, error, container, key, parent);
  }
}

/** Puts a value into the response, now or when it has settled (GraphQL specification §6.4.3, CompleteValue). */
export function complete(
  fieldRun: FieldRun,
  shape: Shape,
  value: unknown,
  container: Container,
  key: string | number,
  parent: Position,
  context = fieldRun.context,
): void {
  if (value instanceof Loading) {
    if (value.settled) fieldRun.loading.push({ value, shape, container, key, parent });
    else complete(fieldRun, shape, value.value, container, key, parent);
  } else if (isPromise(value))
    fieldRun.pending.push(completeLater(fieldRun, shape, value, container, key, parent));
  else if (value instanceof InContext)
    complete(fieldRun, shape, value.value, container, key, parent, value.context);
  else if (value instanceof Error) throw value;
  else if (value === null || value === undefined) put(container, key, nullValue(fieldRun.field, shape));
  else if (shape.kind === 'leaf') completeLeaf(fieldRun, shape.type, value, container, key, parent);
  else {
    const position = { container, key, nullable: shape.nullable, parent, isNulled: false };
    if (shape.kind === 'list') completeList(fieldRun, shape.item, value, position);
    else {
      const type = typeOf(fieldRun, shape, value, position);
      add(batchFor(fieldRun, type, context), value, position);
    }
  }
}

async function completeLater(
  fieldRun: FieldRun,
  shape: Shape,
  promise: PromiseLike<unknown>,
  container: Container,
  key: string | number,
  parent: Position,
): Promise<void> {
  try {
    complete(fieldRun, shape, await promise, container, key, parent);
  } catch (error) {
    fail(fieldRun.run, fieldRun.field, shape, error, container, key, parent);
  }
}

function nullValue({ parent, name }: FieldPlan, { nullable }: Shape): null {
  if (!nullable) throw new Error(`Cannot return null for non-nullable field ${parent.name}.${name}.`);
  return null;
}

function completeLeaf(
  { run, field }: FieldRun,
  type: GraphQLLeafType,
  value: unknown,
  container: Container,
  key: string | number,
  parent: Position,
): void {
  const serialized = type.serialize(value);
  if (serialized === null || serialized === undefined) throw new Error(`${type.name} cannot be serialized.`);
  run.size.addValue(serialized);
  if (!isTooLarge(run, field, parent)) put(container, key, serialized);
}

function completeList(fieldRun: FieldRun, item: Shape, value: unknown, position: Position): void {
  const { run, field } = fieldRun;
  if (typeof value !== 'object' || !(Symbol.iterator in (value as object)))
    throw new GraphQLError(
      `Expected Iterable, but did not find one for field "${field.parent.name}.${field.name}".`,
    );
  const container: unknown[] = [];
  put(position.container, position.key, container);
  let index = 0;
  for (const each of value as Iterable<unknown>) {
    if (isTooLarge(run, field, position)) return;
    const key = index++;
    container.push(undefined);
    try {
      complete(fieldRun, item, each, container, key, position);
    } catch (error) {
      fail(run, field, item, error, container, key, position);
    }
  }
}

function typeOf(
  { run, field, context }: FieldRun,
  shape: Shape & { kind: 'object' | 'abstract' },
  value: unknown,
  position: Position,
): GraphQLObjectType {
  if (shape.kind === 'object') return shape.type;
  const resolve = shape.type.resolveType ?? defaultTypeResolver;
  const info = new Info(run, field, position) as GraphQLResolveInfo;
  const name = resolve(value, context, info, shape.type as GraphQLAbstractType);
  const type = typeof name === 'string' ? run.plan.schema.getType(name) : undefined;
  if (!isObjectType(type) || !run.plan.schema.isSubType(shape.type, type))
    throw new GraphQLError(`${shape.type.name} was resolved to a type that it does not include.`);
  return type;
}

function batchFor({ children }: FieldRun, type: GraphQLObjectType, context: GraphContext): ObjectBatch {
  let batch = children.find((each) => each.type === type && each.context === context);
  if (!batch) {
    batch = batchOf(type, context);
    children.push(batch);
  }
  return batch;
}
