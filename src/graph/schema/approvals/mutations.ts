import type { Approval as ApprovalRow } from '../../../domain/approvals/approval.ts';
import {
  approveApprovals,
  declineApprovals,
  delegateApprovals,
  denyApprovals,
} from '../../../domain/approvals/approval-change.ts';
import { WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Approval } from './type.ts';

const IDS = 'Ids of approvals, or of documents and tasks: an item stands for all of its pending approvals.';

const decideApprovalsInput = mutationInput({
  description: 'Approvals to decide: all are decided, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    ids: t.idList({ required: true, description: IDS }),
    comment: t.string({ description: 'Your comment on the decision, up to 2,000 characters.' }),
  }),
});

const delegateApprovalsInput = mutationInput({
  description: 'Approvals to delegate: all are delegated, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    ids: t.idList({ required: true, description: IDS }),
    toUserId: t.id({ required: true, description: 'The new approver: an editor of the project.' }),
    reason: t.string({ description: 'Why, up to 2,000 characters; the event has it.' }),
    fromUserId: t.id({
      description: 'Whose decision is delegated; yours by default. Requires the role ADMIN for others.',
    }),
  }),
});

const approvalsPayload = mutationPayload<{ approvals: ApprovalRow[] }>({
  description: 'The approvals after the change.',
  fields: (t) => ({
    approvals: t.expose('approvals', { type: [Approval], description: 'In the order of the input.' }),
  }),
});

mutation('approveApprovals', {
  scope: 'approvals:write',
  description:
    'Approves. CONFLICT if an approval is already decided, or you have already decided or declined. Requires the role EDITOR in the project.',
  argument: 'The approvals.',
  input: decideApprovalsInput,
  payload: approvalsPayload,
  batch: { items: 'ids', empty: { approvals: [] } },
  resolve: async (input, ctx) => ({ approvals: await approveApprovals(ctx, input) }),
});

mutation('declineApprovals', {
  scope: 'approvals:write',
  description:
    'Withdraws you as an approver, without a decision; the others can still decide. An approval that all of its approvers decline is declined, which ends its run. CONFLICT if an approval is already decided, or you have already decided or declined. Requires the role EDITOR in the project.',
  argument: 'The approvals.',
  input: decideApprovalsInput,
  payload: approvalsPayload,
  batch: { items: 'ids', empty: { approvals: [] } },
  resolve: async (input, ctx) => ({ approvals: await declineApprovals(ctx, input) }),
});

mutation('denyApprovals', {
  scope: 'approvals:write',
  description:
    'Denies. That ends the run and denies the task under approval, unless the step has no veto and enough approvers are left. CONFLICT if an approval is already decided, or you have already decided or declined. Requires the role EDITOR in the project.',
  argument: 'The approvals.',
  input: decideApprovalsInput,
  payload: approvalsPayload,
  batch: { items: 'ids', empty: { approvals: [] } },
  resolve: async (input, ctx) => ({ approvals: await denyApprovals(ctx, input) }),
});

mutation('delegateApprovals', {
  scope: 'approvals:write',
  description:
    'Delegates a decision to someone who is not an approver yet. Requires the role EDITOR in the project.',
  argument: 'The approvals and the new approver.',
  input: delegateApprovalsInput,
  payload: approvalsPayload,
  batch: { items: 'ids', empty: { approvals: [] } },
  resolve: async (input, ctx) => ({ approvals: await delegateApprovals(ctx, input) }),
});
