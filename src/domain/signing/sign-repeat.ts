import type { SignatureField } from '../../generated/prisma/client.ts';
import type { Context } from '../kernel/context.ts';
import { isSameValue, type Values, withDrawableValues } from './sign-values.ts';
import type { Signing } from './signing.ts';

/**
 * Whether a signer who signed already sends the values that were stored, as after a lost answer, and not others from a second
 * device. A value left out is the same if the server filled it in. Throws as withDrawableValues.
 */
export async function hasSameValues(
  ctx: Context,
  signing: Signing,
  fields: readonly SignatureField[],
  values: Values,
): Promise<boolean> {
  const submitted = await withDrawableValues(ctx, signing, values);
  const byField = new Map(submitted.map(({ fieldId, value }) => [fieldId, value]));
  return fields.every((field) => isSameValue(field, byField.get(field.id) ?? ''));
}
