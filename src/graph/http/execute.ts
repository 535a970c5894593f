import {
  type DocumentNode,
  GraphQLError,
  getNamedType,
  getOperationAST,
  isInputObjectType,
  type NamedTypeNode,
  parse,
  typeFromAST,
} from 'graphql';
import type { Context } from '../../domain/kernel/context.ts';
import { DomainError } from '../../domain/kernel/errors.ts';
import { inSpan } from '../../lib/span.ts';
import { graphContext } from '../engine/context.ts';
import { runOperation } from '../engine/run.ts';
import { eventSelector } from '../operations/event-selection.ts';
import { requireScope, scopeOf } from '../operations/scope.ts';
import { schema } from '../schema/schema.ts';
import { publicMessage, toDomainError } from './errors.ts';

/** Runs a webhook's selection on an event. */
export const selectOfEvent = eventSelector(schema);

/** An operation of this code base, with its types. */
export interface StoredOperation<Data, Variables> {
  readonly document: DocumentNode;
  /** The scope that it requires. */
  readonly scope: 'read' | 'write';
  /** Whether its variable `input` may hold an expectedVersion. */
  readonly takesVersion: boolean;
  readonly types?: (variables: Variables) => Data;
}

/** The text of an operation as graphql-codegen types it. */
interface TypedText<Data, Variables> {
  toString(): string;
  __apiType?: (variables: Variables) => Data;
}

/** Not validated here: graphql-codegen has validated the text, and doing so again takes a tenth of the start-up time. */
export function storedOperation<Data, Variables>(
  text: TypedText<Data, Variables>,
): StoredOperation<Data, Variables> {
  const document = parse(text.toString());
  return { document, scope: scopeOf(document), takesVersion: takesVersion(document) };
}

function takesVersion(document: DocumentNode): boolean {
  const { variableDefinitions } = getOperationAST(document) ?? {};
  const input = variableDefinitions?.find(({ variable }) => variable.name.value === 'input');
  const type = input && getNamedType(typeFromAST(schema, input.type as NamedTypeNode));
  return isInputObjectType(type) && 'expectedVersion' in type.getFields();
}

/** Throws INSUFFICIENT_SCOPE; to be called before anything is loaded. */
export const admit = ({ viewer }: Context, scope: 'read' | 'write'): void => requireScope(viewer, scope);

/**
 * Runs a stored operation and returns its data. Throws INSUFFICIENT_SCOPE, or the first error as the resolver threw it.
 * The cost limit does not apply to stored operations.
 */
export async function runStored<Data, Variables extends Record<string, unknown>>(
  { document, scope }: StoredOperation<Data, Variables>,
  variableValues: Variables,
  ctx: Context,
): Promise<Data> {
  requireScope(ctx.viewer, scope);
  const contextValue = graphContext(ctx);
  const { data, errors } = await inSpan('operation', {}, () =>
    runOperation({ schema, document, variableValues, contextValue }),
  );
  const [error] = errors ?? [];
  if (error) throw failure(error);
  return data as Data;
}

/** A GraphQL error without an original error is about the variables: BAD_USER_INPUT. */
function failure(error: GraphQLError): unknown {
  const { originalError } = error;
  if (originalError && !(originalError instanceof GraphQLError))
    return toDomainError(originalError) ?? originalError;
  return new DomainError('BAD_USER_INPUT', publicMessage(error.message));
}
