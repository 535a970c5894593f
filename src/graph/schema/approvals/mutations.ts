import type { Approval as ApprovalRow } from '../../../domain/approvals/approval.ts';
import {
  approveApprovals,
  declineApprovals,
  delegateApprovals,
  denyApprovals,
} from '../../../domain/approvals/approval-change.ts';
import { builder } from '../kernel/builder.ts';
import { WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { Approval } from './type.ts';

const IDS =
  'Ids of approvals, or of the documents and tasks they are on: an item stands for every approval of it that waits.';

const DecideApprovalsInput = builder.inputType('DecideApprovalsInput', {
  description: 'Several approvals: all are decided, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    ids: t.idList({ required: true, description: IDS }),
    comment: t.string({ description: 'What you say with it, up to 2,000 characters.' }),
  }),
});

const DelegateApprovalsInput = builder.inputType('DelegateApprovalsInput', {
  description: 'Several approvals: all are handed on, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    ids: t.idList({ required: true, description: IDS }),
    toUserId: t.id({ required: true, description: 'The new approver: an editor of the project.' }),
    fromUserId: t.id({
      description: 'Whose decision is delegated; yours by default. For others it takes the role ADMIN.',
    }),
  }),
});

const ApprovalsPayload = builder.objectRef<{ approvals: ApprovalRow[] }>('ApprovalsPayload').implement({
  description: 'The approvals as they now are.',
  fields: (t) => ({
    approvals: t.expose('approvals', { type: [Approval], description: 'In the order of the input.' }),
  }),
});

builder.mutationFields((t) => ({
  approveApprovals: t.field({
    type: ApprovalsPayload,
    description: 'Says yes. CONFLICT where it was decided, or you had your say. Takes the role EDITOR.',
    args: { input: t.arg({ type: DecideApprovalsInput, required: true, description: 'The approvals.' }) },
    resolve: async (_, { input }, ctx) => ({ approvals: await approveApprovals(ctx, input) }),
  }),
  declineApprovals: t.field({
    type: ApprovalsPayload,
    description:
      'Takes you out, without deciding: others go on. What everyone declined is declined, and ends its run. CONFLICT where it was decided, or you had your say. Takes the role EDITOR.',
    args: { input: t.arg({ type: DecideApprovalsInput, required: true, description: 'The approvals.' }) },
    resolve: async (_, { input }, ctx) => ({ approvals: await declineApprovals(ctx, input) }),
  }),
  denyApprovals: t.field({
    type: ApprovalsPayload,
    description:
      'Says no: ends the run, and denies the task it is on. CONFLICT where it was decided, or you had your say. Takes the role EDITOR.',
    args: { input: t.arg({ type: DecideApprovalsInput, required: true, description: 'The approvals.' }) },
    resolve: async (_, { input }, ctx) => ({ approvals: await denyApprovals(ctx, input) }),
  }),
  delegateApprovals: t.field({
    type: ApprovalsPayload,
    description:
      'Delegates your decision to someone who is not an approver yet. Takes the role EDITOR in the project.',
    args: {
      input: t.arg({ type: DelegateApprovalsInput, required: true, description: 'What, and to whom.' }),
    },
    resolve: async (_, { input }, ctx) => ({ approvals: await delegateApprovals(ctx, input) }),
  }),
}));
