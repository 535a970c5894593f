import type { Prisma } from '../../generated/prisma/client.ts';
import { type ChangedValues, valueChanges } from '../fields/field-value.ts';
import { changes } from '../kernel/audit.ts';

/** The data of `document.updated`: what differs between the members, and the changed values of fields. */
export function updateData<Members extends object>(
  before: Members,
  after: Partial<Members>,
  changed: readonly ChangedValues[],
): Prisma.InputJsonObject {
  const values = valueChanges(changed.filter(({ isSensitive }) => !isSensitive));
  // Recorded, but not shown by events, since clients mask them.
  const sensitiveValues = valueChanges(changed.filter(({ isSensitive }) => isSensitive));
  return {
    ...changes({ ...before, fieldValues: values.before }, { ...after, fieldValues: values.after } as Partial<
      Members & { fieldValues: typeof values.before }
    >),
    ...(sensitiveValues.after.length > 0 && { sensitiveValues }),
  };
}
