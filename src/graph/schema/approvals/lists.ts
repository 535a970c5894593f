import {
  approvalsOfProject,
  approvalsOfRun,
  approvalsOfViewer,
  findPendingApprovals,
} from '../../../domain/approvals/approval.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, orderInput } from '../kernel/connection.ts';
import { Project } from '../projects/type.ts';
import { Viewer } from '../viewer/type.ts';
import { ApprovalState, ProcessRun } from './process-run.ts';
import { Approval } from './type.ts';

const ApprovalFilter = builder.inputType('ApprovalFilter', {
  description: 'Which approvals of a project a list holds; all conditions have to be met.',
  fields: (t) => ({
    state: t.field({ type: ApprovalState, description: 'What became of them.' }),
    waitsForViewer: t.boolean({ description: 'With true: only those that you may decide now.' }),
    processId: t.id({ description: 'From this process.' }),
    itemId: t.id({ description: 'On this document or task.' }),
  }),
});

const PendingApprovalFilter = builder.inputType('PendingApprovalFilter', {
  description: 'Which of the approvals that wait for you a list holds; all conditions have to be met.',
  fields: (t) => ({
    organizationId: t.id({ description: 'In this organization.' }),
    projectId: t.id({ description: 'In this project.' }),
    processId: t.id({ description: 'From this process.' }),
    itemId: t.id({ description: 'On this document or task.' }),
  }),
});

const ApprovalOrder = orderInput('Approval', {
  CREATED_AT: { description: 'When the approval was requested.' },
  ITEM_NAME: { description: 'The name of the document or task, whatever the case.' },
});

const OLDEST_FIRST = { field: 'CREATED_AT', direction: 'ASC' } as const;

builder.objectField(Project, 'approvals', (t) =>
  t.connection({
    type: Approval,
    description: 'The approvals of the documents and tasks of the project that you may see.',
    args: {
      filter: t.arg({ type: ApprovalFilter, description: 'Which of them.' }),
      orderBy: t.arg({
        type: ApprovalOrder,
        description: 'In which order; oldest first unless you say otherwise.',
      }),
    },
    resolve: (project, args, ctx) =>
      connect(ctx, approvalsOfProject, project, args, ({ filter, orderBy, ...page }) => ({
        ...page,
        filter: filter ?? {},
        orderBy: orderBy ?? OLDEST_FIRST,
      })),
  }),
);

builder.objectField(ProcessRun, 'approvals', (t) =>
  t.connection({
    type: Approval,
    description: 'Its approvals so far, oldest first.',
    resolve: (run, args, ctx) =>
      connect(ctx, approvalsOfRun, run, args, (page) => ({ ...page, filter: {}, orderBy: OLDEST_FIRST })),
  }),
);

builder.objectField(Document, 'pendingApproval', (t) =>
  t.field({
    type: Approval,
    nullable: true,
    description: 'Its oldest pending approval, whoever the approvers are; null when there is none.',
    resolve: ({ id }, _, { load }) => load.one(findPendingApprovals, id, ({ itemId }) => itemId),
  }),
);

builder.objectField(Viewer, 'approvals', (t) =>
  t.connection({
    type: Approval,
    description: 'What waits for your decision, in whatever project.',
    args: {
      filter: t.arg({ type: PendingApprovalFilter, description: 'Which of them.' }),
      orderBy: t.arg({
        type: ApprovalOrder,
        description: 'In which order; oldest first unless you say otherwise.',
      }),
    },
    resolve: ({ id }, args, ctx) =>
      connect(ctx, approvalsOfViewer, { organizationId: '', id }, args, ({ filter, orderBy, ...page }) => ({
        ...page,
        filter: filter ?? {},
        orderBy: orderBy ?? OLDEST_FIRST,
      })),
  }),
);
