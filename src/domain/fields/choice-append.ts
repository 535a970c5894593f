import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import type { Field } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';

/** A choice of a field as events show it. */
export interface RankedChoice {
  value: string;
  /** Empty for none. */
  parentValue: string;
  rank: number;
}

/** Appends choices to those of the field, and returns the new ones; a choice that exists already keeps its rank. */
export async function appendChoices(
  tx: Transaction,
  { organizationId, id: fieldId }: Field,
  choices: readonly { value: string; parentValue?: string | null }[],
): Promise<RankedChoice[]> {
  const { _max } = await tx.prisma.fieldListItem.aggregate({
    where: { organizationId, fieldId },
    _max: { rank: true },
  });
  const rows = choices.map(({ value, parentValue }, index) => ({
    id: newId('FieldListItem'),
    value,
    parentValue: parentValue ?? '',
    rank: (_max.rank ?? -1) + 1 + index,
  }));
  return tx.query<RankedChoice>(sql`
    INSERT INTO field_list_items (organization_id, id, field_id, value, parent_value, rank)
    SELECT ${organizationId}, id, ${fieldId}, value, "parentValue", rank
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row(id text, value text, "parentValue" text, rank int)
    ON CONFLICT DO NOTHING RETURNING value, parent_value, rank`);
}
