import type { Transaction } from '../../db/database.ts';
import type { Field } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';

/** Appends choices to those of the field; a choice that exists already keeps its rank. */
export async function appendChoices(
  tx: Transaction,
  { organizationId, id: fieldId }: Field,
  choices: readonly { value: string; parentValue?: string | null }[],
): Promise<void> {
  const { _max } = await tx.prisma.fieldListItem.aggregate({
    where: { organizationId, fieldId },
    _max: { rank: true },
  });
  await tx.prisma.fieldListItem.createMany({
    data: choices.map(({ value, parentValue }, index) => ({
      organizationId,
      id: newId('FieldListItem'),
      fieldId,
      value,
      parentValue: parentValue ?? '',
      rank: (_max.rank ?? -1) + 1 + index,
    })),
    skipDuplicates: true,
  });
}
