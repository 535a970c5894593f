import type { InputFieldMap, InputShapeFromFields, ObjectFieldsShape } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { GraphContext } from '../../engine/context.ts';
import type { Callers, FieldScope } from '../../operations/scope-step.ts';
import { BatchErrorPolicy, BatchResult, batchResult } from './batch-types.ts';
import { builder } from './builder.ts';
import { NO_APPLICATION, ONLY_SESSIONS } from './descriptions.ts';
import { type Failures, skipFailed } from './skip-failed.ts';

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Extended> ? Extended : never;

interface MutationInput<Fields extends InputFieldMap> {
  description: string;
  fields: (t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) => Fields;
}

interface MutationPayload<Result extends object> {
  description: string;
  fields: ObjectFieldsShape<Types, Result>;
}

/** Of a mutation that applies to each item of a list in its input. */
interface Batch<Fields extends InputFieldMap, Result extends object> {
  /** The member of the input that lists them. */
  items: keyof Fields & string;
  /** The payload without any item. */
  empty: Result;
}

interface Arguments<Fields extends InputFieldMap> {
  input: InputShapeFromFields<Fields>;
}

interface Mutation<Fields extends InputFieldMap, Result extends object> {
  /** What it requires. */
  scope: FieldScope;
  description: string;
  /** The description of the argument `input`. */
  argument: string;
  input: MutationInput<Fields>;
  payload: MutationPayload<Result>;
  extensions?: Record<string, unknown>;
  /** Adds `onError` to its input and `results` to its payload. */
  batch?: Batch<Fields, Result>;
  resolve: Resolve<Fields, Result>;
}

type Resolve<Fields extends InputFieldMap, Result> = (
  input: InputShapeFromFields<Fields>,
  ctx: GraphContext,
  info: GraphQLResolveInfo,
) => Result | Promise<Result>;

/** The members of an input, for one mutation or several; each gets an input type of its own name. */
export const mutationInput = <Fields extends InputFieldMap>(input: MutationInput<Fields>) => input;

/** The fields of a payload, for one mutation or several; each gets a payload type of its own name. */
export const mutationPayload = <Result extends object>(payload: MutationPayload<Result>) => payload;

const ON_ERROR = {
  type: BatchErrorPolicy,
  defaultValue: 'REJECT_ALL',
  description: 'What becomes of the others if an item fails.',
} as const;

const NONE: Failures = new Map();

/** The description says who may run a mutation; it is declared to programs too. */
const callersOf = (description: string): Callers =>
  description.includes(ONLY_SESSIONS) ? 'SESSION' : description.includes(NO_APPLICATION) ? 'PERSON' : 'ANY';

/** The same with `onError` in the input, and a result for each item in the payload. */
function asBatch<Fields extends InputFieldMap, Result extends object>(
  { items: member, empty }: Batch<Fields, Result>,
  { input, payload, resolve, ...options }: Omit<Mutation<Fields, Result>, 'argument' | 'batch'>,
): Omit<Mutation<Fields, Result>, 'argument' | 'batch'> {
  return {
    ...options,
    input: { ...input, fields: (t) => ({ ...input.fields(t), onError: t.field(ON_ERROR) }) },
    payload: {
      ...payload,
      fields: (t) => ({
        ...payload.fields(t),
        results: t.field({
          type: [BatchResult],
          description: 'What became of each item of the input, in its order.',
          resolve: (result) => (result as unknown as { results: ReturnType<typeof batchResult>[] }).results,
        }),
      }),
    },
    resolve: async (given, ctx, info) => {
      const { onError, ...rest } = given as Record<string, unknown>;
      const items = rest[member] as readonly unknown[];
      const run = (context: GraphContext, some: readonly unknown[]) =>
        resolve({ ...rest, [member]: some } as InputShapeFromFields<Fields>, context, info);
      const { result, failures } =
        onError === 'SKIP_FAILED'
          ? await skipFailed(ctx, member, items, run)
          : { result: await run(ctx, items), failures: NONE };
      const results = items.map((_, index) => batchResult(failures.get(index)));
      return { ...(result ?? empty), results };
    },
  };
}

/**
 * Declares `verbNoun(input: VerbNounInput!): VerbNounPayload`, with its input and payload types. The payload is nullable, so that
 * a failure leaves what other mutations of the request returned (GraphQL specification §6.4.4).
 */
export function mutation<Fields extends InputFieldMap, Result extends object>(
  name: string,
  { argument, batch, ...declared }: Mutation<Fields, Result>,
): void {
  const { input, payload, resolve, ...options } = batch ? asBatch(batch, declared) : declared;
  const typeName = name.charAt(0).toUpperCase() + name.slice(1);
  const Input = builder.inputType(`${typeName}Input`, input);
  const Payload = builder.objectRef<Result>(`${typeName}Payload`).implement(payload);
  builder.mutationField(name, (t) =>
    t.field({
      ...options,
      extensions: { ...options.extensions, callers: callersOf(options.description) },
      type: Payload,
      nullable: true,
      args: { input: t.arg({ type: Input, required: true, description: argument }) },
      resolve: (_, args, ctx, info) =>
        resolve((args as unknown as Arguments<Fields>).input, ctx, info) as never,
    }),
  );
}
