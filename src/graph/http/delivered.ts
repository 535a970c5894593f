import { type ExecutionResult, GraphQLError } from 'graphql';
import type { ResponseSize } from '../../domain/kernel/response-size.ts';
import { memoizedScopes } from '../operations/scope.ts';
import { schema } from '../schema/schema.ts';
import type { Operation } from './operation.ts';
import { noteSize } from './response-body.ts';

/**
 * Counts the response until it is read. While too much of the caller's is unread, a query is answered with UNAVAILABLE before its text
 * is made, and the result of a mutation all the same.
 */
export function delivered(
  { document, operationName, contextValue: { delivery } }: Operation,
  result: ExecutionResult,
  { bytes, isExceeded }: ResponseSize,
): ExecutionResult {
  if (!delivery || !result.data || isExceeded) return result;
  noteSize(result, bytes);
  try {
    if (!memoizedScopes(schema, document, operationName).isMutation) delivery.requireRoom(bytes);
    delivery.hold(bytes);
    return result;
  } catch (error) {
    const path = Object.keys(result.data).slice(0, 1);
    return { data: null, errors: [new GraphQLError('', { originalError: error as Error, path })] };
  }
}
