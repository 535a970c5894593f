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

/** What a webhook sends of an event. */
export const selectOfEvent = eventSelector(schema);

/** An operation of ours, and its types. */
export interface StoredOperation<Data, Variables> {
  readonly document: DocumentNode;
  /** What a credential has to be good for. */
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

/** graphql-codegen held the text against the schema when it made its types: to do so again would take a tenth of a start. */
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

/** Throws INSUFFICIENT_SCOPE before anything is looked up for who may not have it. */
export const admit = ({ viewer }: Context, scope: 'read' | 'write'): void => requireScope(viewer, scope);

/**
 * Runs a stored operation with the rules of the graph; its first failure is thrown as the rule threw it. Its price is
 * ours to know, so the limit on foreign queries does not apply.
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

/** A GraphQL error without an inner one is about the variables: the caller's input. */
function failure(error: GraphQLError): unknown {
  const { originalError } = error;
  if (originalError && !(originalError instanceof GraphQLError))
    return toDomainError(originalError) ?? originalError;
  return new DomainError('BAD_USER_INPUT', publicMessage(error.message));
}
