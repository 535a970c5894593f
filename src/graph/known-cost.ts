import type { DocumentNode, GraphQLSchema } from 'graphql';
import { type Cost, type CostLimits, costOf } from './cost.ts';

const known = new WeakMap<DocumentNode, Map<string, Cost>>();

/** Prices kept of one document, and how long what they depend on may be. */
const MOST = 32;
const LONGEST = 500;

/** What `costOf` says, worked out once for what comes again. */
export function knownCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Record<string, unknown>,
  limits: CostLimits,
): Cost {
  const costs = known.get(document) ?? new Map<string, Cost>();
  known.set(document, costs);
  const key = JSON.stringify([operationName, limits.pageSize, limits.pageSizeMax, variables]);
  const cost = costs.get(key) ?? costOf(schema, document, operationName, variables, limits);
  if (costs.size < MOST && key.length <= LONGEST) costs.set(key, cost);
  return cost;
}
