import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  isObjectType,
} from 'graphql';
import type { JsonBytes } from '../../lib/json-bytes.ts';
import { Answer, type Container, fail, Info, type Place, put, type Run, type Values } from './answer.ts';
import { type Leaves, type Written, wholeOf } from './leaves.ts';
import { Loading } from './loading.ts';
import type { FieldPlan, Shape } from './plan.ts';

/** Objects of one type that are read together. */
export interface Batch {
  type: GraphQLObjectType;
  sources: unknown[];
  answers: Values[];
  places: Place[];
  /** All that is selected of them, where it can be written in one go. */
  leaves: Leaves | undefined;
  /** Those that were: the same thing may be in many places. */
  written: Map<unknown, Written>;
}

export const batchOf = (type: GraphQLObjectType, leaves?: Leaves): Batch => ({
  type,
  sources: [],
  answers: [],
  places: [],
  leaves,
  written: new Map(),
});

export function add({ sources, answers, places }: Batch, source: unknown, place: Place): void {
  const answer = new Answer();
  put(place.into, place.key, answer);
  sources.push(source);
  answers.push(answer);
  places.push(place);
}

/** A field while it is read: the objects it answers with so far, and what is still to come. */
export interface Reading {
  run: Run;
  field: FieldPlan;
  below: Batch[];
  pending: Promise<void>[];
  /** Values that come with others; there may be many of them, and one answer for all. */
  loading: Slot[];
}

/** Where a value goes in the answer. */
interface Slot {
  value: Loading<unknown>;
  shape: Shape;
  into: Container;
  key: string | number;
  up: Place;
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && typeof (value as { then?: unknown } | null)?.then === 'function';

export function fill(reading: Reading, { value, shape, into, key, up }: Slot): void {
  try {
    complete(reading, shape, value.value, into, key, up);
  } catch (error) {
    fail(reading.run, reading.field, shape, error, into, key, up);
  }
}

/** Puts a value into the answer, or has it put there once it has come (GraphQL specification §6.4.3). */
export function complete(
  reading: Reading,
  shape: Shape,
  value: unknown,
  into: Container,
  key: string | number,
  up: Place,
): void {
  if (value instanceof Loading) {
    if (value.settled) reading.loading.push({ value, shape, into, key, up });
    else complete(reading, shape, value.value, into, key, up);
  } else if (isPromise(value)) reading.pending.push(later(reading, shape, value, into, key, up));
  else if (value instanceof Error) throw value;
  else if (value === null || value === undefined) put(into, key, nothing(reading.field, shape));
  else if (shape.kind === 'leaf') put(into, key, leaf(shape.type, value));
  else {
    const place = { into, key, nullable: shape.nullable, up, gone: false };
    if (shape.kind === 'list') list(reading, shape.item, value, place);
    else object(reading, typeOf(reading, shape, value, place), value, place);
  }
}

function object(reading: Reading, type: GraphQLObjectType, value: unknown, place: Place): void {
  const batch = batchFor(reading, type);
  const written = batch.leaves && writtenOf(batch, value, reading.run.json as JsonBytes);
  if (written) put(place.into, place.key, written);
  else add(batch, value, place);
}

function writtenOf({ leaves, written }: Batch, value: unknown, json: JsonBytes): Written | undefined {
  const before = written.get(value);
  if (before) return before;
  const made = leaves?.writeWhole(value, json);
  if (made) written.set(value, made);
  return made;
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

function batchFor({ run, field, below }: Reading, type: GraphQLObjectType): Batch {
  let batch = below.find((each) => each.type === type);
  if (!batch) {
    batch = batchOf(type, run.json && wholeOf(field.fieldsOf(type)));
    below.push(batch);
  }
  return batch;
}
