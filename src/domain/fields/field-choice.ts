import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { label, parse, requireBatchSize } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import { appendChoices, type RankedChoice } from './choice-append.ts';
import type { Field } from './field.ts';
import { requireField } from './field-change.ts';

const MAX_CHOICES = 10_000;

/** Choices on each side of an event, whose size is that of a list that a person still looks through. */
const MAX_RECORDED = 2_000;

const choice = z.strictObject({
  value: label(1_000).refine((value) => value.trim() !== '', 'must not be empty'),
  parentValue: label(1_000).nullish(),
});

const addition = z.strictObject({
  ...projectPath,
  fieldId: z.string(),
  choices: z.array(choice),
  replace: z.boolean().nullish(),
});

/**
 * Appends choices to a field, or with `replace` replaces all of them. A choice that exists already keeps its rank.
 * Requires the role ADMIN in the project.
 */
export function addFieldChoices(ctx: Context, input: z.input<typeof addition>): Promise<Field> {
  const { fieldId, choices, replace, ...path } = parse(addition, input);
  if (!replace || choices.length > 0) requireBatchSize(choices, MAX_CHOICES, 'choices');
  return inTransaction(ctx.db, async (tx) => {
    const field = await requireField(ctx, tx, fieldId, path);
    const removed = replace ? await deleteChoices(tx, field) : [];
    const added = await appendChoices(tx, field, choices);
    await recordEvents(ctx, tx, [
      subjectEvent(field, 'field.choices_changed', choiceChanges(removed, added)),
    ]);
    return field;
  });
}

/** Deletes all choices of a field, and returns them. */
const deleteChoices = (tx: Transaction, { organizationId, id: fieldId }: Field): Promise<RankedChoice[]> =>
  tx.query<RankedChoice>(sql`DELETE FROM field_list_items
    WHERE organization_id = ${organizationId} AND field_id = ${fieldId} RETURNING value, parent_value, rank`);

/** The choices that were removed, added or moved to another rank. Where a list is cut, choiceCount says how many there were. */
function choiceChanges(removed: readonly RankedChoice[], added: readonly RankedChoice[]) {
  const key = ({ value, parentValue, rank }: RankedChoice) => JSON.stringify([value, parentValue, rank]);
  const without = (choices: readonly RankedChoice[], others: readonly RankedChoice[]) => {
    const kept = new Set(others.map(key));
    return choices.filter((each) => !kept.has(key(each))).sort((a, b) => a.rank - b.rank);
  };
  const before = without(removed, added);
  const after = without(added, removed);
  const isCut = Math.max(before.length, after.length) > MAX_RECORDED;
  const side = (choices: readonly RankedChoice[]) => ({
    choices: choices.slice(0, MAX_RECORDED).map(shown),
    ...(isCut && { choiceCount: choices.length }),
  });
  return { before: side(before), after: side(after) };
}

const shown = ({ value, parentValue, rank }: RankedChoice) => ({
  value,
  ...(parentValue && { parentValue }),
  rank,
});
