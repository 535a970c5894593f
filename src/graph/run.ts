import {
  type DocumentNode,
  defaultTypeResolver,
  type ExecutionResult,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  isObjectType,
} from 'graphql';
import { type Container, fail, Info, type Place, put, type Run, type Values } from './answer.ts';
import type { GraphContext } from './context.ts';
import { type FieldPlan, planOf, type Shape } from './plan.ts';

/** Objects of an answer: no member of theirs is inherited, whatever a client calls its fields. */
const Answer = function Answer() {} as unknown as new () => Values;
Answer.prototype = Object.create(null);

/** Objects of one type that are read together. */
interface Batch {
  type: GraphQLObjectType;
  sources: unknown[];
  answers: Values[];
  places: Place[];
}

/** Faults in the variables that are told of at most, as in the reference implementation. */
const BRIEF = { maxErrors: 50 };

export interface Request {
  schema: GraphQLSchema;
  /** Valid for the schema. */
  document: DocumentNode;
  operationName?: string | null;
  variableValues?: Values | null;
  contextValue: GraphContext;
  /** What the root fields are read from: the event of a subscription. */
  rootValue?: unknown;
}

/**
 * Runs an operation as GraphQL's specification §6 has it, but level by level: a field is resolved for all objects of its
 * level, and what it answers with is read on once all of them are there. So arguments are read once a level, and a
 * loader is asked for everything in one go. Of a subscription it runs what is selected of one event; deferred fragments are
 * not known here.
 */
export async function runOperation(request: Request): Promise<ExecutionResult> {
  const { schema, document, operationName, variableValues, contextValue: context } = request;
  const operation = getOperationAST(document, operationName);
  if (!operation)
    return { errors: [new GraphQLError('The document holds no such operation; name the one to run.')] };
  const given = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {}, BRIEF);
  if (given.errors) return { errors: given.errors };
  const plan = planOf(schema, document, operation, given.coerced);
  const run: Run = { plan, context, variables: given.coerced, errors: [] };
  const holder: Values = {};
  const root = batchOf(schema.getRootType(operation.operation) as GraphQLObjectType);
  add(root, request.rootValue, { into: holder, key: 'data', nullable: true, up: undefined, gone: false });
  if (operation.operation === 'mutation') for (const field of plan.fields) await readField(run, field, root);
  else await readFields(run, plan.fields, root);
  const { data } = holder as ExecutionResult;
  return run.errors.length > 0 ? { errors: run.errors, data } : { data };
}

const batchOf = (type: GraphQLObjectType): Batch => ({ type, sources: [], answers: [], places: [] });

function add({ sources, answers, places }: Batch, source: unknown, place: Place): void {
  const answer = new Answer();
  put(place.into, place.key, answer);
  sources.push(source);
  answers.push(answer);
  places.push(place);
}

/** A promise only where something has to be waited for. */
function readFields(run: Run, fields: readonly FieldPlan[], batch: Batch): Promise<unknown> | undefined {
  return allOf(fields.flatMap((field) => readField(run, field, batch) ?? []));
}

const allOf = (pending: Promise<unknown>[]): Promise<unknown> | undefined =>
  pending.length > 0 ? Promise.all(pending) : undefined;

/** A field while it is read: the objects it answers with so far, and what is still to come. */
interface Reading {
  run: Run;
  field: FieldPlan;
  below: Batch[];
  pending: Promise<void>[];
}

/** One field of all objects of a batch, and all that is selected of it. */
function readField(
  run: Run,
  field: FieldPlan,
  { sources, answers, places }: Batch,
): Promise<unknown> | undefined {
  const reading: Reading = { run, field, below: [], pending: [] };
  const args = argumentsOf(run, field);
  for (let index = 0; index < sources.length; index++) {
    const into = answers[index] as Values;
    const up = places[index] as Place;
    // The members keep the order of the query, also where others come first.
    into[field.key] = undefined;
    try {
      if (args instanceof Error) throw args;
      complete(reading, field.shape, resolved(reading, sources[index], args, up), into, field.key, up);
    } catch (error) {
      fail(run, field, field.shape, error, into, field.key, up);
    }
  }
  return readBelow(reading);
}

/** Once nothing is to come any more: also what has come may hold promises. */
function readBelow(reading: Reading): Promise<unknown> | undefined {
  const { run, field, below, pending } = reading;
  if (pending.length > 0) {
    reading.pending = [];
    return Promise.all(pending).then(() => readBelow(reading));
  }
  return allOf(below.flatMap((batch) => readFields(run, field.fieldsOf(batch.type), batch) ?? []));
}

/** The same for every object; an error in them fails the field of each. */
function argumentsOf({ variables }: Run, { definition, nodes }: FieldPlan): Values | Error {
  try {
    return getArgumentValues(definition, nodes[0] as FieldPlan['nodes'][0], variables);
  } catch (error) {
    return error as Error;
  }
}

function resolved({ run, field }: Reading, source: unknown, args: Values, up: Place): unknown {
  const info = () => new Info(run, field, up) as GraphQLResolveInfo;
  if (field.resolve) return field.resolve(source, args, run.context, info());
  const value = (source as Values)[field.name];
  return typeof value === 'function' ? value.call(source, args, run.context, info()) : value;
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && typeof (value as { then?: unknown } | null)?.then === 'function';

/** Puts a value into the answer, or has it put there once it has come (GraphQL specification §6.4.3). */
function complete(
  reading: Reading,
  shape: Shape,
  value: unknown,
  into: Container,
  key: string | number,
  up: Place,
): void {
  if (isPromise(value)) reading.pending.push(later(reading, shape, value, into, key, up));
  else if (value instanceof Error) throw value;
  else if (value === null || value === undefined) put(into, key, nothing(reading.field, shape));
  else if (shape.kind === 'leaf') put(into, key, leaf(shape.type, value));
  else {
    const place = { into, key, nullable: shape.nullable, up, gone: false };
    if (shape.kind === 'list') list(reading, shape.item, value, place);
    else add(batchFor(reading, typeOf(reading, shape, value, place)), value, place);
  }
}

async function later(
  reading: Reading,
  shape: Shape,
  promise: PromiseLike<unknown>,
  into: Container,
  key: string | number,
  up: Place,
): Promise<void> {
  try {
    complete(reading, shape, await promise, into, key, up);
  } catch (error) {
    fail(reading.run, reading.field, shape, error, into, key, up);
  }
}

function nothing({ parent, name }: FieldPlan, { nullable }: Shape): null {
  if (!nullable) throw new Error(`Cannot return null for non-nullable field ${parent.name}.${name}.`);
  return null;
}

function leaf(type: GraphQLLeafType, value: unknown): unknown {
  const written = type.serialize(value);
  if (written === null || written === undefined) throw new Error(`${type.name} cannot be written.`);
  return written;
}

function list(reading: Reading, item: Shape, value: unknown, place: Place): void {
  const { run, field } = reading;
  if (typeof value !== 'object' || !(Symbol.iterator in (value as object)))
    throw new GraphQLError(
      `Expected Iterable, but did not find one for field "${field.parent.name}.${field.name}".`,
    );
  const into: unknown[] = [];
  put(place.into, place.key, into);
  let index = 0;
  for (const each of value as Iterable<unknown>) {
    const key = index++;
    into.push(undefined);
    try {
      complete(reading, item, each, into, key, place);
    } catch (error) {
      fail(run, field, item, error, into, key, place);
    }
  }
}

function typeOf(
  { run, field }: Reading,
  shape: Shape & { kind: 'object' | 'abstract' },
  value: unknown,
  place: Place,
): GraphQLObjectType {
  if (shape.kind === 'object') return shape.type;
  const resolve = shape.type.resolveType ?? defaultTypeResolver;
  const info = new Info(run, field, place) as GraphQLResolveInfo;
  const name = resolve(value, run.context, info, shape.type as GraphQLAbstractType);
  const type = typeof name === 'string' ? run.plan.schema.getType(name) : undefined;
  if (!isObjectType(type) || !run.plan.schema.isSubType(shape.type, type))
    throw new GraphQLError(`${shape.type.name} was answered with what is none of its types.`);
  return type;
}

function batchFor({ below }: Reading, type: GraphQLObjectType): Batch {
  let batch = below.find((each) => each.type === type);
  if (!batch) {
    batch = batchOf(type);
    below.push(batch);
  }
  return batch;
}
