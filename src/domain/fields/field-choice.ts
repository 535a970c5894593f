import { z } from 'zod';
import { inTransaction } from '../../db/transaction.ts';
import { recordEvents, subjectEvent } from '../kernel/audit.ts';
import type { Context } from '../kernel/context.ts';
import { label, parse, requireBatchSize } from '../kernel/input.ts';
import { projectPath } from '../kernel/project-path.ts';
import { appendChoices } from './choice-append.ts';
import type { Field } from './field.ts';
import { requireField } from './field-change.ts';

const MAX_CHOICES = 10_000;

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
    const { organizationId } = field;
    if (replace) await tx.prisma.fieldListItem.deleteMany({ where: { organizationId, fieldId } });
    await appendChoices(tx, field, choices);
    await recordEvents(ctx, tx, [
      subjectEvent(field, 'field.choices_changed', {
        after: { choices: choices.length, replaced: replace ?? false },
      }),
    ]);
    return field;
  });
}
