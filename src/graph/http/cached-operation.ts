import { type DocumentNode, getOperationAST } from 'graphql';
import { DomainError } from '../../domain/kernel/errors.ts';
import type { GraphContext } from '../engine/context.ts';
import { type DocumentCache, MAX_TEXT_LENGTH } from './document-cache.ts';
import type { Operation } from './operation.ts';
import type { OperationParams } from './persisted.ts';

/** The text of an operation; undefined without any. Throws DomainError. */
export type TextOf = (params: OperationParams, context: GraphContext) => string | undefined;

const MEMBERS = new Set(['query', 'operationName', 'variables', 'documentId', 'extensions']);

/**
 * The operation of a body whose document was parsed and validated before, with members of the right types; undefined for
 * every other body, and for a subscription, which Yoga handles: it answers with the error if there is one.
 */
export function cachedOperation(
  body: string,
  documents: DocumentCache,
  textOf: TextOf,
  contextValue: GraphContext,
): Operation | undefined {
  if (body.length > 2 * MAX_TEXT_LENGTH) return undefined;
  const params = parsedObject(body);
  if (!params || !Object.keys(params).every((name) => MEMBERS.has(name))) return undefined;
  const { operationName, variables, extensions } = params;
  if (!isObjectOrAbsent(variables) || !isObjectOrAbsent(extensions)) return undefined;
  if (typeof (operationName ?? '') !== 'string') return undefined;
  const document = cachedDocument(params, documents, textOf, contextValue);
  const name = operationName as string | null | undefined;
  if (!document || getOperationAST(document, name)?.operation === 'subscription') return undefined;
  if ((extensions as { explain?: unknown } | null | undefined)?.explain === true) contextValue.explain = true;
  const variableValues = variables as Operation['variableValues'];
  return { document, operationName: name, variableValues, contextValue };
}

function parsedObject(body: string): Record<string, unknown> | undefined {
  try {
    const params: unknown = JSON.parse(body);
    return params !== null && typeof params === 'object' ? (params as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const isObjectOrAbsent = (value: unknown): boolean =>
  typeof (value ?? {}) === 'object' && !Array.isArray(value);

/** Undefined for a text that is not found or not permitted as well. */
function cachedDocument(
  params: OperationParams,
  documents: DocumentCache,
  textOf: TextOf,
  context: GraphContext,
): DocumentNode | undefined {
  try {
    return documents.get(textOf(params, context) ?? '');
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
