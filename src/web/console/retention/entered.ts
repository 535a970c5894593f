import type { RetentionAction, RetentionStart } from '../../../generated/operations/graphql.ts';

/** What is in the fields of a form about a policy. */
export interface EnteredPolicy {
  name: string;
  keep: string;
  startsFrom: string;
  action: string;
  reviewGroupId: string;
  reviewNeed: string;
}

export const NEW_POLICY: EnteredPolicy = {
  ...{ name: '', keep: 'P10Y', startsFrom: 'CREATED', action: 'NOTHING' },
  ...{ reviewGroupId: '', reviewNeed: '1' },
};

/** What was entered in a form, or is in the query of a page. */
export const enteredPolicy = (form: Pick<URLSearchParams, 'get'>): EnteredPolicy => {
  const textOf = (name: keyof EnteredPolicy) => form.get(name) ?? '';
  return {
    ...{ name: textOf('name'), keep: textOf('keep').trim().toUpperCase(), startsFrom: textOf('startsFrom') },
    ...{ action: textOf('action'), reviewGroupId: textOf('reviewGroupId'), reviewNeed: textOf('reviewNeed') },
  };
};

/** The same for the graph: an empty time is for ever, and reviewers go with the action REVIEW alone. */
export const policyInput = ({ keep, action, reviewGroupId, reviewNeed, ...given }: EnteredPolicy) => ({
  ...{ name: given.name, keep: keep || null, action: action as RetentionAction },
  startsFrom: given.startsFrom as RetentionStart,
  ...(action === 'REVIEW' && { reviewGroupId, reviewNeed: Number(reviewNeed) || 1 }),
});

/** The change of a policy that a form says. */
export const changeInput = ({ startsFrom: _, ...input }: ReturnType<typeof policyInput>) => ({
  ...input,
  forever: input.keep === null,
});
