import type { ApprovalRule, ApprovalState } from '../../generated/prisma/client.ts';

/** An approval as the state machine sees it: its approvers and their states. */
export interface ApprovalProgress {
  rule: ApprovalRule;
  /** How many have to approve, if the rule does not say it: from 2; null otherwise. */
  need: number | null;
  /** Whether one denial denies it. */
  veto: boolean;
  state: ApprovalState;
  /** Who may not decide it: the requester, and who voted on earlier steps, as its step requires. */
  excludedIds: readonly string[];
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
export function transition(approval: ApprovalProgress, action: ApprovalAction): ApprovalProgress | undefined {
  const { state, approvers } = approval;
  const isPending = approvers.some((each) => each.userId === action.by && each.state === 'PENDING');
  if (state !== 'PENDING' || !isPending || isExcluded(approval, action)) return undefined;
  if (action.verb === 'DELEGATE' && approvers.some(({ userId }) => userId === action.to)) return undefined;
  const after = approvers.map((each) => {
    if (each.userId !== action.by) return each;
    return action.verb === 'DELEGATE'
      ? { ...each, userId: action.to }
      : { ...each, state: APPROVER_STATE_AFTER[action.verb] };
  });
  const answers = after.map((each) => each.state);
  return { ...approval, state: outcome(approval, answers), approvers: after };
}

/** Whether the action would let somebody decide it who may not. Whoever may not can decline and delegate. */
export function isExcluded(
  { excludedIds }: Pick<ApprovalProgress, 'excludedIds'>,
  action: ApprovalAction,
): boolean {
  if (action.verb === 'DECLINE') return false;
  return excludedIds.includes(action.verb === 'DELEGATE' ? action.to : action.by);
}

/** How many approvers have to approve; null: all except those who declined. */
export const votesNeeded = ({ rule, need }: Pick<ApprovalProgress, 'rule' | 'need'>): number | null =>
  rule === 'ONE' ? 1 : need;

/**
 * A denial denies with a veto; enough approvals approve. If those who have not answered cannot bring enough any more, it
 * is denied if somebody denied, else declined. Approvers who declined do not count where all have to approve.
 */
function outcome(approval: ApprovalProgress, answers: readonly ApprovalState[]): ApprovalState {
  const count = (state: ApprovalState) => answers.filter((each) => each === state).length;
  if (approval.veto && count('DENIED') > 0) return 'DENIED';
  const needed = votesNeeded(approval) ?? Math.max(1, answers.length - count('DECLINED'));
  if (count('APPROVED') >= needed) return 'APPROVED';
  if (count('APPROVED') + count('PENDING') >= needed) return 'PENDING';
  return count('DENIED') > 0 ? 'DENIED' : 'DECLINED';
}

/**
 * A run is pending while its steps are approved, and ends with the state of the first other step, or of the last. continues:
 * it has another pending or next step.
 */
export const runState = (approval: ApprovalState, continues: boolean): ApprovalState =>
  approval === 'APPROVED' && continues ? 'PENDING' : approval;
