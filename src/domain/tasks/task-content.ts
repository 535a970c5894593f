import { z } from 'zod';
import { DAY } from '../../lib/time.ts';
import { tagTexts } from '../fields/tag-change.ts';
import { email, text } from '../kernel/input.ts';
import type { Task } from './task.ts';

/** The last due time is before NO_DUE_TIME, which sorts tasks without one. */
const dueAt = z
  .date()
  .min(new Date('1970-01-01T00:00:00Z'), 'must not be before 1970')
  .max(new Date('9999-12-30T00:00:00Z'), 'must not be after 9999-12-30');

const duration = z.strictObject({
  amount: z.int().min(1).max(10_000),
  unit: z.enum(['MINUTE', 'HOUR', 'DAY', 'WEEK']),
});

export type Duration = z.output<typeof duration>;

/** People named as stakeholders of one task. */
const MAX_STAKEHOLDERS = 50;

/** Input members shared by creation and update of a task. */
export const taskContent = {
  description: text(20_000).nullish(),
  descriptionHtml: text(100_000).nullish(),
  descriptionRichText: text(100_000).nullish(),
  priority: z.int().min(0).max(9).nullish(),
  assigneeEmail: email.nullish(),
  dueAt: dueAt.nullish(),
  duration: duration.nullish(),
  parentId: z.string().nullish(),
  tags: tagTexts.nullish(),
  stakeholderIds: z.array(z.string()).max(MAX_STAKEHOLDERS, `at most ${MAX_STAKEHOLDERS}`).nullish(),
};

/** The estimated duration of a task; null without one. */
export const durationOf = ({
  durationAmount: amount,
  durationUnit: unit,
}: Pick<Task, 'durationAmount' | 'durationUnit'>): Duration | null =>
  amount && unit ? { amount, unit } : null;

/** The columns of a duration. */
export const durationColumns = (value: Duration | null | undefined) => ({
  durationAmount: value?.amount ?? null,
  durationUnit: value?.unit ?? null,
});

/** Returns the reminder times: seven, three and one day before the due time; null without one. */
export const reminderTimes = (due: Date | null) => ({
  remind7At: due && new Date(due.getTime() - 7 * DAY),
  remind3At: due && new Date(due.getTime() - 3 * DAY),
  remind1At: due && new Date(due.getTime() - DAY),
});
