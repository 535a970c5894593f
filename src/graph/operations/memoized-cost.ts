import type { DocumentNode } from 'graphql';
import { memoize } from '../../lib/memoize.ts';
import { type Cost, costOf } from './cost.ts';

const cache = new WeakMap<DocumentNode, Map<string, Cost>>();

/** Costs cached for one document. */
const MAX_COSTS = 32;
/** Characters of a cache key; longer variables are priced each time. */
const MAX_KEY_LENGTH = 500;

/** Memoized `costOf`. */
export function memoizedCost(...args: Parameters<typeof costOf>): Cost {
  const [, document, operationName, variables, { pageSize, pageSizeMax }] = args;
  const costs = memoize(cache, document, () => new Map());
  const key = JSON.stringify([operationName, pageSize, pageSizeMax, variables]);
  const cost = costs.get(key) ?? costOf(...args);
  if (costs.size < MAX_COSTS && key.length <= MAX_KEY_LENGTH) costs.set(key, cost);
  return cost;
}
