import type { Context } from '../../domain/kernel/context.ts';
import { type CostLimits, requireAffordable } from '../operations/cost.ts';
import { memoizedCost } from '../operations/memoized-cost.ts';
import { BYTES_PER_POINT } from '../operations/weights.ts';
import { schema } from '../schema/schema.ts';
import { requireScopesOf, runStored, type StoredOperation, withResponse } from './execute.ts';

/** How the points of operations are counted for a request. */
export interface Pricing {
  limits: CostLimits;
  /** Throws RATE_LIMITED. */
  charge: (points: number) => Promise<unknown>;
  /** Counts points that were measured afterwards. */
  chargeMeasured: (points: number) => Promise<void>;
}

/**
 * Runs a stored operation at the price of one that a caller sends: within the limit of cost, charged before it runs, and for what its
 * response is larger than that. Returns its data and the bytes of the response. Throws as `runStored` does, COST_LIMIT_EXCEEDED and
 * RATE_LIMITED.
 */
export async function runPriced<Data, Variables extends Record<string, unknown>>(
  operation: StoredOperation<Data, Variables>,
  variables: Variables,
  ctx: Context,
  { limits, charge, chargeMeasured }: Pricing,
): Promise<{ data: Data; bytes: number }> {
  requireScopesOf(ctx, operation.required);
  const cost = memoizedCost(schema, operation.document, null, variables, limits);
  requireAffordable(cost, limits);
  await charge(cost.points);
  const whole = withResponse(ctx);
  const data = await runStored(operation, variables, whole);
  const { bytes } = whole.response;
  const measured = Math.floor(bytes / BYTES_PER_POINT);
  if (measured > cost.points) await chargeMeasured(measured - cost.points);
  return { data, bytes };
}
