import { z } from 'zod';
import type { Transaction } from '../../db/database.ts';
import type { RetentionAction, RetentionStart } from '../../generated/prisma/client.ts';
import { findFields } from '../fields/field.ts';
import { findGroupsOf } from '../groups/group.ts';
import type { Context } from '../kernel/context.ts';
import { badValue, conflict, notFound } from '../kernel/errors.ts';
import { lockRow } from '../kernel/version.ts';
import { isAsLong, type Keep, parseKeep } from '../retention/keep.ts';
import type { RetentionPolicy } from './policy.ts';

/** What a policy may say, and what a locked one may become. */

/** A duration of ISO 8601 in one unit. */
export const keepInput = z.string().transform((text, { addIssue }): Keep => {
  const keep = parseKeep(text);
  if (keep) return keep;
  addIssue('must be a time such as P10Y, P6M or P90D, of at most 1,000 years');
  return z.NEVER;
});

export const FOR_EVER: Keep = { keepMonths: null, keepDays: null };

/** How much an action destroys without anybody who decides it. */
const SEVERITY = { NOTHING: 0, REVIEW: 1, PURGE: 2 } as const satisfies Record<RetentionAction, number>;

/** Throws CONFLICT for a change that a locked policy does not allow. */
export function requireStricter(
  before: RetentionPolicy,
  after: Keep & Pick<RetentionPolicy, 'action' | 'reviewNeed' | 'reviewAgainMonths'>,
) {
  const refusal = (text: string, at: string) => conflict(`The policy is locked: ${text}.`, at);
  if (!isAsLong(before, after)) throw refusal('its time can only become longer', 'keep');
  if (SEVERITY[after.action] > SEVERITY[before.action])
    throw refusal('what follows cannot destroy more than before', 'action');
  if (after.action !== 'REVIEW') return;
  if (after.reviewNeed < before.reviewNeed)
    throw refusal('its reviews cannot need fewer people', 'reviewNeed');
  if (after.reviewAgainMonths < before.reviewAgainMonths)
    throw refusal('what a review keeps cannot be kept for less time', 'reviewAgainMonths');
}

/** The project of the field from which the time is counted; null for other starts. Throws BAD_USER_INPUT, NOT_FOUND. */
export async function projectOfStart(
  ctx: Context,
  tx: Transaction,
  {
    organizationId,
    startsFrom,
    fieldId,
  }: { organizationId: string; startsFrom: RetentionStart; fieldId?: string | null },
): Promise<string | null> {
  if (startsFrom !== 'FIELD') {
    if (fieldId) throw badValue('fieldId', 'goes with the start FIELD alone');
    return null;
  }
  if (!fieldId) throw badValue('fieldId', 'is required for the start FIELD');
  await lockRow(tx, 'fields', fieldId);
  const [field] = await findFields(ctx, [fieldId], tx);
  if (field?.organizationId !== organizationId) throw notFound('Field', 'fieldId');
  if (field.type !== 'DATE') throw badValue('fieldId', 'must be a field of dates');
  return field.projectId;
}

/** Who reviews. Throws BAD_USER_INPUT unless there is a group for the action REVIEW, and for no other; NOT_FOUND. */
export async function reviewOf(
  ctx: Context,
  tx: Transaction,
  organizationId: string,
  given: {
    reviewGroupId?: string | null;
    reviewNeed?: number | null;
    reviewAgainMonths?: number | null;
    action?: RetentionAction | null;
  },
  action = given.action,
) {
  const defaults = { reviewNeed: given.reviewNeed ?? 1, reviewAgainMonths: given.reviewAgainMonths ?? 12 };
  if (action !== 'REVIEW') {
    if (given.reviewGroupId) throw badValue('reviewGroupId', 'goes with the action REVIEW alone');
    return { reviewGroupId: null, ...defaults };
  }
  const reviewGroupId = given.reviewGroupId;
  if (!reviewGroupId) throw badValue('reviewGroupId', 'is required for the action REVIEW');
  await lockRow(tx, 'groups', reviewGroupId);
  const groups = await findGroupsOf(ctx, tx, organizationId, [reviewGroupId]);
  if (groups.length === 0) throw notFound('Group', 'reviewGroupId');
  return { reviewGroupId, ...defaults };
}
