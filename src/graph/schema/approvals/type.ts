import {
  type Approver as ApproverRow,
  approversOfApproval,
  findApprovals,
} from '../../../domain/approvals/approval.ts';
import {
  findPendingApprovers,
  findReceivedFrom,
  type ReceivedFrom as ReceivedFromRow,
} from '../../../domain/approvals/approval-people.ts';
import { votesNeeded } from '../../../domain/approvals/approval-state.ts';
import { builder } from '../kernel/builder.ts';
import { connect, fixedOrder } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { foundRow } from '../kernel/found-row.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Project, projectOf } from '../projects/type.ts';
import { author, User } from '../users/type.ts';
import { ApprovalRule, Process, ProcessStep } from './process.ts';
import { ApprovalState, ITEM, itemOf, ProcessRun } from './process-run.ts';

const Approver = builder.objectRef<ApproverRow>('Approver').implement({
  description: 'An approver of an approval.',
  fields: (t) => ({
    user: t.field({
      type: User,
      description: 'The approver.',
      resolve: (row, _, ctx) => author(ctx, row.userId),
    }),
    memberId: t.exposeID('id', {
      description:
        'Their id as a member of the project or, if they take part without being one, as a member of the organization.',
    }),
    state: t.expose('state', { type: ApprovalState, description: 'Their decision.' }),
    comment: t.exposeString('comment', { nullable: true, description: 'Their comment on the decision.' }),
    decidedAt: t.expose('decidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When they decided.',
    }),
    delegatedFrom: t.field({
      type: User,
      nullable: true,
      description: 'Who delegated the decision to them.',
      resolve: (row, _, ctx) => (row.delegatedFromId ? author(ctx, row.delegatedFromId) : null),
    }),
  }),
});

const foundApproval = foundRow(findApprovals, 'waitsForViewer', 'Approval');

export const Approval = builder.prismaObject('Approval', {
  scope: { scope: 'approvals:read', open: ['createdAt'] },
  description: 'One step of a run, which its approvers decide.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    project: t.field({
      type: Project,
      description: 'The project it belongs to.',
      resolve: ({ projectId }, _, ctx) => projectOf(ctx, projectId),
    }),
    item: t.field({
      ...ITEM,
      resolve: (row, _, ctx) => foundApproval(ctx, row, (found) => itemOf(ctx, found.itemId)),
    }),
    rule: t.expose('rule', {
      type: ApprovalRule,
      description: 'How many of its approvers have to approve, as the step required when it began.',
    }),
    need: t.int({
      nullable: true,
      description:
        'How many of its approvers have to approve, as the step required when it began; null: all of them, except those who declined.',
      resolve: votesNeeded,
    }),
    veto: t.exposeBoolean('veto', { description: 'Whether one denial denies it.' }),
    excludeRequester: t.exposeBoolean('excludeRequester', {
      description: 'Whether who started the process may not decide it.',
    }),
    distinctFromEarlier: t.exposeBoolean('distinctFromEarlier', {
      description: 'Whether who voted on a step of an earlier rank may not decide it.',
    }),
    state: t.expose('state', { type: ApprovalState, description: 'Its state.' }),
    waitsForViewer: t.boolean({
      description: 'Whether you can decide it now.',
      resolve: (row, _, ctx) => foundApproval(ctx, row, (found) => found.waitsForViewer),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the approval was requested.' }),
    version: t.exposeInt('version', { description: 'Counts the changes.' }),
    dueAt: t.expose('dueAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is to be decided, as its step requires; null if it is never overdue.',
    }),
    overdue: t.boolean({
      description: 'Whether it is pending and its due time has passed.',
      resolve: (approval, _, ctx) => foundApproval(ctx, approval, ({ isOverdue }) => isOverdue),
    }),
    approvers: t.connection(
      {
        isPart: true,
        type: Approver,
        description: 'Its approvers, by their id.',
        resolve: (approval, args, ctx) => connect(ctx, approversOfApproval, approval, args, byId),
      },
      connectionOf(Approver),
    ),
    decidedAt: t.expose('decidedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was decided.',
    }),
    decidedBy: t.field({
      type: User,
      nullable: true,
      description: 'Who decided it.',
      resolve: ({ decidedById }, _, ctx) => (decidedById ? author(ctx, decidedById) : null),
    }),
    receivedFrom: t.field({
      type: ReceivedFrom,
      description: 'Who passed the item on to this step.',
      resolve: ({ id }, _, { load }) => load.seen(findReceivedFrom, id, 'Approval'),
    }),
    pendingApprover: t.field({
      type: User,
      nullable: true,
      description:
        'An approver who has not answered: you if you are one, else the first by id. Null once it is decided.',
      resolve: async ({ id }, _, { load }) => (await load.one(findPendingApprovers, id))?.user ?? null,
    }),
  }),
});

const byId = fixedOrder('ID');

builder.prismaObjectFields(Approval, (t) => ({
  process: t.field({
    type: Process,
    description: 'The process it comes from.',
    select: (_args, _ctx, nested) => ({ run: { select: { process: nested() } } }),
    resolve: ({ run }) => run.process,
  }),
  step: t.relation('step', {
    type: ProcessStep,
    description: 'The step of the process that it belongs to.',
  }),
  run: t.relation('run', { type: ProcessRun, description: 'The run it is part of.' }),
}));

const ReceivedFrom = builder.objectRef<ReceivedFromRow>('ApprovalReceivedFrom').implement({
  description: 'Who passed the item on to a step of a run.',
  fields: (t) => ({
    user: t.expose('user', {
      type: User,
      description: 'Who decided the step before; for the first step, who started the run.',
    }),
    result: t.expose('result', {
      type: ApprovalState,
      nullable: true,
      description: 'The state of the step before; null for the first step.',
    }),
  }),
});

nodeType('Approval', ({ load }, id) => load.one(findApprovals, id));

builder.queryField('approval', (t) =>
  t.field({
    type: Approval,
    nullable: true,
    description: 'An approval by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findApprovals, id, 'Approval'),
  }),
);
