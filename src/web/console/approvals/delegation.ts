import type { ConsoleApprovalQuery } from '../../../generated/operations/graphql.ts';
import { mayEdit, mayManage } from '../ui/project-tabs.tsx';
import type { Visit } from '../ui/visit.ts';
import type { EnteredDecision } from './approval-view.tsx';
import type { DelegationOptions } from './delegation-form.tsx';
import { offeredEditors } from './editors.ts';
import { ownVoteOf } from './votes.tsx';

type Approval = NonNullable<ConsoleApprovalQuery['approval']>;

/** What was entered in the form that hands over a vote, and what was searched for. */
export interface EnteredDelegation extends EnteredDecision {
  search?: string;
}

/** The votes that the viewer may hand over, and the people to whom; undefined without such a vote. */
export async function delegationOptions(
  visit: Visit,
  approval: Approval,
  { search }: EnteredDelegation,
): Promise<DelegationOptions | undefined> {
  const [first, ...others] = votersOf(approval, visit.viewer.userId);
  if (!first) return undefined;
  const offer = await offeredEditors(visit, approval.project.id, search ?? '');
  const votingIds = new Set(stepOf(approval)?.approvers.nodes.map(({ user }) => user.id));
  const people = offer.people.filter(({ id }) => !votingIds.has(id));
  return { voters: [first, ...others], offer: { ...offer, people }, isOpen: search !== undefined };
}

const stepOf = ({ id, run }: Approval) => run.approvals.nodes.find((each) => each.id === id);

/** Admins of the project hand over every pending vote, others their own; the viewer's own comes first. */
function votersOf(approval: Approval, viewerId: string) {
  if (approval.state !== 'PENDING' || !mayEdit(approval.project)) return [];
  const pending = (stepOf(approval)?.approvers.nodes ?? []).filter(({ state }) => state === 'PENDING');
  const voters = pending.map(({ user }) => user);
  const own = voters.filter(({ id }) => ownVoteOf(approval) && id === viewerId);
  return mayManage(approval.project) ? [...own, ...voters.filter(({ id }) => id !== viewerId)] : own;
}
