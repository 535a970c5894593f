import type { ApprovalRule, ApprovalState } from '../../generated/prisma/client.ts';

/** An approval as the state machine sees it: whom it asks, and what they said. */
export interface ApprovalProgress {
  rule: ApprovalRule;
  state: ApprovalState;
  approvers: readonly { userId: string; state: ApprovalState }[];
}

export type ApprovalVerb = 'APPROVE' | 'DECLINE' | 'DENY';

export type ApprovalAction =
  | { verb: ApprovalVerb; by: string }
  | { verb: 'DELEGATE'; by: string; to: string };

/** What an approver who acts so has said from then on. */
export const APPROVER_STATE_AFTER = {
  APPROVE: 'APPROVED',
  DECLINE: 'DECLINED',
  DENY: 'DENIED',
} as const satisfies Record<ApprovalVerb, ApprovalState>;

/** The approval after an action, or undefined where no such transition is drawn; what was passed in stays as it is. */
export function transition(
  { rule, state, approvers }: ApprovalProgress,
  action: ApprovalAction,
): ApprovalProgress | undefined {
  const waits = approvers.some((each) => each.userId === action.by && each.state === 'PENDING');
  if (state !== 'PENDING' || !waits) return undefined;
  if (action.verb === 'DELEGATE' && approvers.some(({ userId }) => userId === action.to)) return undefined;
  const after = approvers.map((each) => {
    if (each.userId !== action.by) return each;
    return action.verb === 'DELEGATE'
      ? { ...each, userId: action.to }
      : { ...each, state: APPROVER_STATE_AFTER[action.verb] };
  });
  return {
    rule,
    state: outcome(
      rule,
      after.map((each) => each.state),
    ),
    approvers: after,
  };
}

/** Deny ends it; who declined no longer counts, and when nobody is left nothing was decided. */
function outcome(rule: ApprovalRule, said: readonly ApprovalState[]): ApprovalState {
  if (said.includes('DENIED')) return 'DENIED';
  if (said.every((each) => each === 'DECLINED')) return 'DECLINED';
  const enough = rule === 'ONE' ? said.includes('APPROVED') : !said.includes('PENDING');
  return enough ? 'APPROVED' : 'PENDING';
}

/** A run goes on while its steps are approved, and ends as the first that is not, or as the last. */
export const runState = (approval: ApprovalState, hasNextStep: boolean): ApprovalState =>
  approval === 'APPROVED' && hasNextStep ? 'PENDING' : approval;
