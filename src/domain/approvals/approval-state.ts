import type { ApprovalRule, ApprovalState } from '../../generated/prisma/client.ts';

/** An approval as the state machine sees it: its approvers and their states. */
export interface ApprovalProgress {
  rule: ApprovalRule;
  state: ApprovalState;
  approvers: readonly { userId: string; state: ApprovalState }[];
}

export type ApprovalVerb = 'APPROVE' | 'DECLINE' | 'DENY';

export type ApprovalAction =
  | { verb: ApprovalVerb; by: string }
  | { verb: 'DELEGATE'; by: string; to: string };

/** The state of an approver after each verb. */
export const APPROVER_STATE_AFTER = {
  APPROVE: 'APPROVED',
  DECLINE: 'DECLINED',
  DENY: 'DENIED',
} as const satisfies Record<ApprovalVerb, ApprovalState>;

/** Returns the approval after an action, undefined if its state does not allow the action. Pure. */
export function transition(
  { rule, state, approvers }: ApprovalProgress,
  action: ApprovalAction,
): ApprovalProgress | undefined {
  const isPending = approvers.some((each) => each.userId === action.by && each.state === 'PENDING');
  if (state !== 'PENDING' || !isPending) return undefined;
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

/** One denial denies; approvers who declined do not count; without any other approver the approval is declined. */
function outcome(rule: ApprovalRule, answers: readonly ApprovalState[]): ApprovalState {
  if (answers.includes('DENIED')) return 'DENIED';
  if (answers.every((each) => each === 'DECLINED')) return 'DECLINED';
  const enough = rule === 'ONE' ? answers.includes('APPROVED') : !answers.includes('PENDING');
  return enough ? 'APPROVED' : 'PENDING';
}

/** A run is pending while its steps are approved, and ends with the state of the first other step, or of the last. */
export const runState = (approval: ApprovalState, hasNextStep: boolean): ApprovalState =>
  approval === 'APPROVED' && hasNextStep ? 'PENDING' : approval;
