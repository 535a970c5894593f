import type { DocumentNode } from 'graphql';
import { memoize } from '../../lib/memoize.ts';
import { type Cost, costOf } from './cost.ts';

const known = new WeakMap<DocumentNode, Map<string, Cost>>();

/** Prices kept of one document, and how long what they depend on may be. */
const MOST = 32;
const LONGEST = 500;

/** What `costOf` says, worked out once for what comes again. */
export function memoizedCost(...asked: Parameters<typeof costOf>): Cost {
  const [, document, operationName, variables, { pageSize, pageSizeMax }] = asked;
  const costs = memoize(known, document, () => new Map());
  const key = JSON.stringify([operationName, pageSize, pageSizeMax, variables]);
  const cost = costs.get(key) ?? costOf(...asked);
  if (costs.size < MOST && key.length <= LONGEST) costs.set(key, cost);
  return cost;
}
