import { type ExecutionResult, getOperationAST } from 'graphql';
import { DomainError } from '../../domain/kernel/errors.ts';
import type { Charge } from '../engine/context.ts';
import { type CostLimits, mostExpensive, requireAffordable } from '../operations/cost.ts';
import { deprecatedUse } from '../operations/deprecated-use.ts';
import { memoizedCost } from '../operations/memoized-cost.ts';
import { memoizedScopes, requireScopes } from '../operations/scope.ts';
import { schema } from '../schema/schema.ts';
import { toGraphQLError } from './errors.ts';
import type { Operation } from './operation.ts';

interface Price {
  /** The cost as an extension, and the errors of an operation that may not run. */
  answer: Pick<ExecutionResult, 'errors'> & { extensions: { cost: { requested: number; limit: number } } };
  /** Undefined for an operation that may not run. */
  charged?: Charge;
}

/** Checks scope and cost before the first statement is sent, and charges the points against the rate limit. */
export async function charge(operation: Operation, limits: CostLimits): Promise<Price> {
  const { document, operationName, variableValues, contextValue } = operation;
  const cost = memoizedCost(schema, document, operationName, variableValues ?? {}, limits);
  const { points } = cost;
  const excess = points > limits.queryCost && { mostExpensive: mostExpensive(cost, limits.queryCost) };
  const extensions = { cost: { requested: points, limit: limits.queryCost, ...excess } };
  try {
    requireScopes(contextValue.viewer, memoizedScopes(schema, document, operationName));
    requireAffordable(cost, limits);
    const state = await contextValue.charge?.(points);
    return { answer: { extensions }, charged: { points, state } };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { answer: { errors: [toGraphQLError(error)], extensions } };
  }
}

/** Reports the operation's name, and what it uses that is deprecated. */
export function noteUse({ document, operationName, variableValues, contextValue }: Operation): void {
  const name = getOperationAST(document, operationName)?.name?.value;
  if (name) contextValue.onOperation?.(name);
  const deprecated = deprecatedUse(schema, document, operationName, variableValues ?? {});
  if (deprecated.length > 0) contextValue.onDeprecated?.(deprecated);
}
