import type { ExecutionResult } from 'graphql';
import type { GraphContext } from '../engine/context.ts';
import { type ErrorPublishing, publicError } from './errors.ts';

/** Errors of a stored answer, which are public already. */
const publicErrors = new WeakSet<object>();

/** A stored answer, whose errors stay as they are. */
export function markPublic(result: ExecutionResult): ExecutionResult {
  if (result.errors) publicErrors.add(result.errors);
  return result;
}

/** Gives every error a code of the closed list, and a public text. */
export function withPublicErrors(
  result: ExecutionResult,
  requestId: string,
  publishing: ErrorPublishing,
): ExecutionResult {
  if (!result.errors || publicErrors.has(result.errors)) return result;
  const errors = result.errors.map((error) => publicError(error, requestId, publishing));
  return { ...result, errors };
}

/** The result of a request with public errors. Tells the server the code of the first. */
export function published(
  result: ExecutionResult,
  { requestId, onFailure }: Pick<GraphContext, 'requestId' | 'onFailure'>,
  publishing: ErrorPublishing,
): ExecutionResult {
  const publicResult = withPublicErrors(result, requestId, publishing);
  const [error] = publicResult.errors ?? [];
  if (error) onFailure?.(String(error.extensions.code));
  return publicResult;
}
