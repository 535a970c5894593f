import type { InputFieldMap, InputShapeFromFields, ObjectFieldsShape } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { GraphContext } from '../../engine/context.ts';
import type { Callers, FieldScope } from '../../operations/scope-step.ts';
import { builder } from './builder.ts';
import { NO_APPLICATION, ONLY_SESSIONS } from './descriptions.ts';

type Types = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Extended> ? Extended : never;

interface MutationInput<Fields extends InputFieldMap> {
  description: string;
  fields: (t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>) => Fields;
}

interface MutationPayload<Result extends object> {
  description: string;
  fields: ObjectFieldsShape<Types, Result>;
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
  resolve: (
    input: InputShapeFromFields<Fields>,
    ctx: GraphContext,
    info: GraphQLResolveInfo,
  ) => Result | Promise<Result>;
}

/** The members of an input, for one mutation or several; each gets an input type of its own name. */
export const mutationInput = <Fields extends InputFieldMap>(input: MutationInput<Fields>) => input;

/** The fields of a payload, for one mutation or several; each gets a payload type of its own name. */
export const mutationPayload = <Result extends object>(payload: MutationPayload<Result>) => payload;

/** The description says who may run a mutation; it is declared to programs too. */
const callersOf = (description: string): Callers =>
  description.includes(ONLY_SESSIONS) ? 'SESSION' : description.includes(NO_APPLICATION) ? 'PERSON' : 'ANY';

/**
 * Declares `verbNoun(input: VerbNounInput!): VerbNounPayload`, with its input and payload types. The payload is nullable, so that
 * a failure leaves what other mutations of the request returned (GraphQL specification §6.4.4).
 */
export function mutation<Fields extends InputFieldMap, Result extends object>(
  name: string,
  { argument, input, payload, resolve, ...options }: Mutation<Fields, Result>,
): void {
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
