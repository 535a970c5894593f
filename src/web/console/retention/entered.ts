import { badValue } from '../../../domain/kernel/errors.ts';
import type { RetentionAction, RetentionStart } from '../../../generated/operations/graphql.ts';

/** What is in the fields of a form about a policy. */
export interface EnteredPolicy {
  name: string;
  /** A number of units. */
  keep: string;
  /** `Y`, `M` or `D` of ISO 8601, or FOREVER. */
  keepUnit: string;
  startsFrom: string;
  action: string;
  reviewGroupId: string;
  reviewNeed: string;
}

export const FOREVER = 'FOREVER';

export const NEW_POLICY: EnteredPolicy = {
  ...{ name: '', keep: '10', keepUnit: 'Y', startsFrom: 'CREATED' },
  ...{ action: 'NOTHING', reviewGroupId: '', reviewNeed: '1' },
};

/** What was entered in a form, or is in the query of a page. */
export const enteredPolicy = (form: Pick<URLSearchParams, 'get'>): EnteredPolicy => {
  const textOf = (name: keyof EnteredPolicy) => form.get(name) ?? '';
  return {
    ...{ name: textOf('name'), keep: textOf('keep').trim(), keepUnit: textOf('keepUnit') },
    ...{ startsFrom: textOf('startsFrom'), action: textOf('action') },
    ...{ reviewGroupId: textOf('reviewGroupId'), reviewNeed: textOf('reviewNeed') },
  };
};

/** The fields for a duration of ISO 8601; null is for ever. */
export function enteredKeep(keep: string | null | undefined): Pick<EnteredPolicy, 'keep' | 'keepUnit'> {
  const [, count = '', unit] = /^P(\d+)(\w)$/.exec(keep ?? '') ?? [];
  return { keep: count, keepUnit: unit ?? FOREVER };
}

/** Throws BAD_USER_INPUT where the number is none. */
function keepOf({ keep, keepUnit }: Pick<EnteredPolicy, 'keep' | 'keepUnit'>): string | null {
  if (keepUnit === FOREVER) return null;
  if (!/^[1-9]\d{0,5}$/.test(keep)) throw badValue('keep', 'must be a whole number from 1');
  return `P${keep}${keepUnit}`;
}

/** The same for the graph: reviewers go with the action REVIEW alone. Throws BAD_USER_INPUT. */
export const policyInput = ({ action, reviewGroupId, reviewNeed, ...given }: EnteredPolicy) => ({
  ...{ name: given.name, action: action as RetentionAction },
  keep: keepOf(given),
  startsFrom: given.startsFrom as RetentionStart,
  ...(action === 'REVIEW' && { reviewGroupId, reviewNeed: Number(reviewNeed) || 1 }),
});

/** The change of a policy that a form says. */
export const changeInput = ({ startsFrom: _, ...input }: ReturnType<typeof policyInput>) => ({
  ...input,
  forever: input.keep === null,
});
