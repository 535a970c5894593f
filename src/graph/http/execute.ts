import {
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  getOperationAST,
  isInputObjectType,
  isInputType,
  type NamedTypeNode,
  parse,
  typeFromAST,
} from 'graphql';
import type { Context } from '../../domain/kernel/context.ts';
import { badInput, badValue, type DomainError } from '../../domain/kernel/errors.ts';
import { ResponseSize } from '../../domain/kernel/response-size.ts';
import { includes, SCOPES, type Scope } from '../../domain/kernel/scope.ts';
import { inSpan } from '../../lib/span.ts';
import { findUnstorable, STORABLE } from '../../lib/text/storable.ts';
import { graphContext } from '../engine/context.ts';
import { runOperation } from '../engine/run.ts';
import { eventSelector } from '../operations/event-selection.ts';
import type { RequiredScopes } from '../operations/required-scopes.ts';
import { leastScopesOf, memoizedScopes, requireScopes } from '../operations/scope.ts';
import { schema } from '../schema/schema.ts';
import { publicMessage, toDomainError } from './errors.ts';

/** Runs a webhook's selection on an event. */
export const selectOfEvent = eventSelector(schema);

/** An operation of this code base, with its types. */
export interface StoredOperation<Data, Variables> {
  readonly document: DocumentNode;
  /** Its name, in a list as of several operations. */
  readonly names: readonly string[];
  /** Whether it is a mutation. */
  readonly writes: boolean;
  /** What it requires. */
  readonly required: readonly RequiredScopes[];
  /** Whether its variable `input` may hold an expectedVersion. */
  readonly takesVersion: boolean;
  readonly types?: (variables: Variables) => Data;
}

/** The text of an operation as graphql-codegen types it. */
interface TypedText<Data, Variables> {
  toString(): string;
  __apiType?: (variables: Variables) => Data;
}

/** How an operation begins that graphql-codegen writes, and the type of its variable `input`. */
const HEAD = /^\s*(?:(?<mutation>mutation)|query|subscription)\s+(?<name>\w+)/;
const INPUT = /\$input:\s*(?<type>\w+)/;

/**
 * Parsed when it is first needed: at the start, all of them together take a sixth of the time, and most never run. Not
 * validated, as graphql-codegen has validated the text.
 */
export function storedOperation<Data, Variables>(
  text: TypedText<Data, Variables>,
): StoredOperation<Data, Variables> {
  let document: DocumentNode | undefined;
  const parsed = () => {
    document ??= parse(text.toString());
    return document;
  };
  const { mutation, name } = HEAD.exec(text.toString())?.groups ?? {};
  return {
    get document() {
      return parsed();
    },
    names: name ? [name] : [],
    writes: mutation !== undefined,
    required: [scopesWhenNeeded(parsed)],
    takesVersion: takesVersion(INPUT.exec(text.toString())?.groups?.type),
  };
}

/** The required scopes of a document that is not parsed yet. */
function scopesWhenNeeded(document: () => DocumentNode): RequiredScopes {
  const required = () => memoizedScopes(schema, document());
  return {
    get isMutation() {
      return required().isMutation;
    },
    get reads() {
      return required().reads;
    },
    get writes() {
      return required().writes;
    },
    get kinds() {
      return required().kinds;
    },
  };
}

/** The payloads of a mutation without null: a stored one that fails throws its error. */
type Payloads<Data> = { [Field in keyof Data]: NonNullable<Data[Field]> };

/** A stored mutation, which has exactly one root field. */
export const storedMutation = <Data, Variables>(
  text: TypedText<Data, Variables>,
): StoredOperation<Payloads<Data>, Variables> =>
  storedOperation<Payloads<Data>, Variables>(text as TypedText<Payloads<Data>, Variables>);

function takesVersion(inputType = ''): boolean {
  const type = schema.getType(inputType);
  return isInputObjectType(type) && 'expectedVersion' in type.getFields();
}

/**
 * The sets of scopes of which one is required of an application for operations: the smallest one, then that of `read` and `write` alone
 * if these include it.
 */
export function scopeAlternatives(required: readonly RequiredScopes[]): Scope[][] {
  const least = leastScopesOf(required);
  const kinds = new Set(required.map(({ isMutation }): Scope => (isMutation ? 'write' : 'read')));
  const whole = SCOPES.filter((scope) => kinds.has(scope));
  const suffices = least.every((scope) => includes(whole, scope));
  return suffices && least.join() !== whole.join() ? [least, whole] : [least];
}

/** Throws INSUFFICIENT_SCOPE; to be called before anything is loaded. */
export const requireScopesOf = ({ viewer }: Context, required: readonly RequiredScopes[]): void =>
  requireScopes(viewer, ...required);

/** The context of several operations whose results make one response, of limited size. */
export const withResponse = (ctx: Context): Context & { response: ResponseSize } => ({
  ...ctx,
  response: new ResponseSize(ctx.limits.responseBytes),
});

/**
 * Runs a stored operation and returns its data. Throws INSUFFICIENT_SCOPE, or the first error as the resolver threw it.
 * The cost limit does not apply to stored operations.
 */
export async function runStored<Data, Variables extends Record<string, unknown>>(
  { document, required }: StoredOperation<Data, Variables>,
  variableValues: Variables,
  ctx: Context,
): Promise<Data> {
  requireScopes(ctx.viewer, ...required);
  const contextValue = graphContext(ctx);
  const { data, errors } = await inSpan('operation', {}, () =>
    runOperation({ schema, document, variableValues, contextValue }),
  );
  const [error] = errors ?? [];
  if (error) throw failure(error, document, variableValues);
  return data as Data;
}

/** A GraphQL error without an original error is about the variables: BAD_USER_INPUT. */
function failure(error: GraphQLError, document: DocumentNode, variables: Record<string, unknown>): unknown {
  const { originalError } = error;
  if (originalError && !(originalError instanceof GraphQLError))
    return toDomainError(originalError) ?? originalError;
  return invalidVariable(document, variables) ?? badInput(publicMessage(error.message));
}

/** BAD_USER_INPUT for the first variable that does not have its type; `at` as in the domain, without the name `input`. */
function invalidVariable(
  document: DocumentNode,
  variables: Record<string, unknown>,
): DomainError | undefined {
  const errors: DomainError[] = [];
  for (const { variable, type: node } of getOperationAST(document)?.variableDefinitions ?? []) {
    const name = variable.name.value;
    const type = typeFromAST(schema, node as NamedTypeNode);
    if (variables[name] === undefined || !isInputType(type)) continue;
    const report = (path: readonly (string | number)[], requirement: string) => {
      const at = [...(name === 'input' ? [] : [name]), ...path].join('.');
      errors.push(badValue(at, requirement));
    };
    const unstorable = findUnstorable(variables[name]);
    if (unstorable) report(unstorable.path, `must be ${STORABLE}`);
    coerceInputValue(variables[name], type, (path, _, { message }) => report(path, expectation(message)));
  }
  return errors[0];
}

/** The message of a scalar as a requirement; those of graphql-js name its types. */
function expectation(message: string): string {
  if (/^Int cannot represent/.test(message))
    return `must be a whole number from ${-(2 ** 31)} to ${2 ** 31 - 1}`;
  if (/^(String|ID) cannot represent/.test(message)) return 'must be a string';
  const [, expected] = /^Expected ((?!value|non-nullable|type)[^"]*)\.$/.exec(message) ?? [];
  return expected ? `must be ${expected}` : 'is not allowed';
}
