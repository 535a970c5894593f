import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
} from 'graphql';
import { includedRow } from '../../domain/kernel/relation.ts';
import type { JsonBytes } from '../../lib/json-bytes.ts';
import { fail, Info, type Place, type Run, type Values } from './answer.ts';
import { add, type Batch, batchOf, complete, fill, type Reading } from './complete.ts';
import type { GraphContext } from './context.ts';
import { Leaves, piecesOf } from './leaves.ts';
import { Loading } from './loading.ts';
import { type FieldPlan, planOf } from './plan.ts';
import { relationsOf } from './relations.ts';

/** Faults of variables that are reported at most: each of them prints the value that it is about. */
export const FAULTS = { maxErrors: 20 };

export interface Request {
  schema: GraphQLSchema;
  /** Valid for the schema. */
  document: DocumentNode;
  operationName?: string | null;
  variableValues?: Values | null;
  contextValue: GraphContext;
  /** What the root fields are read from: the event of a subscription. */
  rootValue?: unknown;
  /** Where the answer is wanted as JSON only: answerBytes makes it of the result and of what is written here. */
  json?: JsonBytes;
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
  const given = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues ?? {}, FAULTS);
  if (given.errors) return { errors: given.errors };
  const plan = planOf(schema, document, operation, given.coerced);
  const run: Run = {
    plan,
    context,
    variables: given.coerced,
    errors: [],
    known: new Map(),
    json: request.json,
  };
  const holder: Values = {};
  const root = batchOf(schema.getRootType(operation.operation) as GraphQLObjectType);
  add(root, request.rootValue, { into: holder, key: 'data', nullable: true, up: undefined, gone: false });
  if (operation.operation === 'mutation') for (const field of plan.fields) await readField(run, field, root);
  else await readFields(run, plan.fields, root);
  const { data } = holder as ExecutionResult;
  return run.errors.length > 0 ? { errors: run.errors, data } : { data };
}

/** A promise only where something has to be waited for. */
function readFields(run: Run, fields: readonly FieldPlan[], batch: Batch): Promise<unknown> | undefined {
  const pieces = run.json ? piecesOf(fields) : fields;
  return allOf(
    pieces.flatMap((piece) =>
      piece instanceof Leaves ? readLeaves(run, piece, batch) : (readField(run, piece, batch) ?? []),
    ),
  );
}

/** What is written of the objects of a batch, and read of those that cannot be. */
function readLeaves(run: Run, leaves: Leaves, batch: Batch): Promise<unknown>[] {
  const [{ key }] = leaves.fields as [FieldPlan];
  const others = batchOf(batch.type);
  for (const [index, source] of batch.sources.entries()) {
    const answer = batch.answers[index] as Values;
    const written = leaves.write(source, run.json as JsonBytes);
    if (written) answer[key] = written;
    else {
      others.sources.push(source);
      others.answers.push(answer);
      others.places.push(batch.places[index] as Place);
    }
  }
  if (others.sources.length === 0) return [];
  return leaves.fields.flatMap((field) => readField(run, field, others) ?? []);
}

const allOf = (pending: Promise<unknown>[]): Promise<unknown> | undefined =>
  pending.length > 0 ? Promise.all(pending) : undefined;

/** One field of all objects of a batch, and all that is selected of it. */
function readField(
  run: Run,
  field: FieldPlan,
  { sources, answers, places }: Batch,
): Promise<unknown> | undefined {
  const reading: Reading = { run, field, below: [], pending: [], loading: [] };
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
  const { run, field, below, pending, loading } = reading;
  if (pending.length > 0 || loading.length > 0) {
    readAhead(reading);
    reading.pending = [];
    reading.loading = [];
    const answers = new Set(loading.map(({ value }) => value.settled));
    return Promise.all([...pending, ...answers]).then(() => {
      for (const slot of loading) fill(reading, slot);
      return readBelow(reading);
    });
  }
  return allOf(below.flatMap((batch) => readFields(run, field.fieldsOf(batch.type), batch) ?? []));
}

/**
 * Asks for what hangs on a thing that has not come yet, beside it: the loaders have it under way when the thing is there.
 * Where it is not, nobody takes what they bring.
 */
function readAhead({ run, field, loading }: Reading): void {
  const relations = relationsOf(field);
  for (const { value, shape, up } of loading) {
    value.include(relations);
    if (value.id === undefined || shape.kind !== 'object') continue;
    for (const below of field.fieldsOf(shape.type)) {
      const args = below.ahead && argumentsOf(run, below);
      if (!args || args instanceof Error) continue;
      run.known.set(below, args);
      const parent = { organizationId: '', id: value.id };
      const coming = below.resolve?.(parent, args, run.context, new Info(run, below, up));
      if (coming instanceof Loading) coming.include(relationsOf(below));
    }
  }
}

/** The same for every object; an error in them fails the field of each. */
function argumentsOf({ variables, known }: Run, field: FieldPlan): Values | Error {
  const { definition, nodes } = field;
  try {
    return known.get(field) ?? getArgumentValues(definition, nodes[0] as FieldPlan['nodes'][0], variables);
  } catch (error) {
    return error as Error;
  }
}

function resolved({ run, field }: Reading, source: unknown, args: Values, up: Place): unknown {
  const included = field.relation && includedRow(source, field.relation);
  if (included || (included === null && field.shape.nullable)) return included;
  if (field.resolve) return field.resolve(source, args, run.context, new Info(run, field, up));
  const value = (source as Values)[field.name];
  return typeof value === 'function'
    ? value.call(source, args, run.context, new Info(run, field, up))
    : value;
}
