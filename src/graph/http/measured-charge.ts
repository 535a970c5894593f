import type { ResponseSize } from '../../domain/kernel/response-size.ts';
import type { GraphContext } from '../engine/context.ts';
import { BYTES_PER_POINT } from '../operations/weights.ts';

interface CostExtensions {
  cost: { requested: number; charged?: number };
}

/** Charges what the size of a response costs above the points of its operation. Returns the extensions with the sum, then. */
export async function withMeasured<Extensions extends CostExtensions>(
  { chargeMeasured }: GraphContext,
  extensions: Extensions,
  { bytes }: ResponseSize,
): Promise<Extensions> {
  const { cost } = extensions;
  const charged = Math.floor(bytes / BYTES_PER_POINT);
  if (charged <= cost.requested) return extensions;
  await chargeMeasured?.(charged - cost.requested);
  return { ...extensions, cost: { ...cost, charged } };
}
