import {
  approvalsOfOrganization,
  approvalsOfProject,
  approvalsOfRun,
  approvalsOfViewer,
  findPendingOfDocuments,
  findPendingOfTasks,
} from '../../../domain/approvals/approval.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { ageDirection, connect, defaultOrder, fixedOrder, orderInput } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Organization } from '../organizations/type.ts';
import { Project } from '../projects/type.ts';
import { Task } from '../tasks/type.ts';
import { Viewer } from '../viewer/type.ts';
import { ApprovalState, ProcessRun } from './process-run.ts';
import { Approval } from './type.ts';

const ApprovalFilter = builder.inputType('ApprovalFilter', {
  description: 'Conditions for the approvals of a list; all have to be met.',
  fields: (t) => ({
    state: t.field({ type: ApprovalState, description: 'In this state.' }),
    waitsForViewer: t.boolean({ description: 'With true: only those that you can decide now.' }),
    processId: t.id({ description: 'From this process.' }),
    itemId: t.id({ description: 'On this document or task.' }),
    requestedById: t.id({ description: 'Of runs that this person started.' }),
  }),
});

const PendingApprovalFilter = builder.inputType('PendingApprovalFilter', {
  description: 'Conditions for the approvals that wait for you; all have to be met.',
  fields: (t) => ({
    organizationId: t.id({ description: 'In this organization.' }),
    projectId: t.id({ description: 'In this project.' }),
    processId: t.id({ description: 'From this process.' }),
    itemId: t.id({ description: 'On this document or task.' }),
  }),
});

const ApprovalOrder = orderInput('Approval', {
  CREATED_AT: { description: 'When the approval was requested.' },
  ITEM_NAME: { description: 'The name of the document or task, ignoring case.' },
});

const ORDER = {
  type: ApprovalOrder,
  description: 'The order; oldest first by default.',
};

const oldestFirst = defaultOrder({ field: 'CREATED_AT', direction: 'ASC' });
const byAge = fixedOrder('CREATED_AT');

builder.objectField(Project, 'approvals', (t) =>
  t.connection(
    {
      scope: 'approvals:read',
      type: Approval,
      description: 'The approvals of the documents and tasks of the project that are visible to you.',
      args: {
        filter: t.arg({ type: ApprovalFilter, description: 'Which approvals; all if omitted.' }),
        orderBy: t.arg(ORDER),
      },
      resolve: (project, args, ctx) => connect(ctx, approvalsOfProject, project, args, oldestFirst),
    },
    connectionOf(Approval),
  ),
);

builder.objectField(Organization, 'approvals', (t) =>
  t.connection(
    {
      scope: 'approvals:read',
      type: Approval,
      description:
        'The approvals of the documents and tasks of the organization that are visible to you, newest first by default.',
      args: {
        filter: t.arg({ type: ApprovalFilter, description: 'Which approvals; all if omitted.' }),
        direction: t.arg(ageDirection('DESC')),
      },
      resolve: ({ id }, args, ctx) =>
        connect(
          ctx,
          approvalsOfOrganization,
          { organizationId: id, id },
          args,
          ({ filter, direction, ...page }) => ({
            ...page,
            filter: filter ?? {},
            orderBy: { field: 'CREATED_AT', direction: direction ?? 'DESC' },
          }),
        ),
    },
    connectionOf(Approval),
  ),
);

builder.objectField(ProcessRun, 'approvals', (t) =>
  t.connection(
    {
      scope: 'approvals:read',
      type: Approval,
      description: 'Its approvals so far, oldest first.',
      resolve: (run, args, ctx) => connect(ctx, approvalsOfRun, run, args, byAge),
    },
    connectionOf(Approval),
  ),
);

for (const [item, find] of [
  [Document, findPendingOfDocuments],
  [Task, findPendingOfTasks],
] as const)
  builder.objectField(item, 'pendingApproval', (t) =>
    t.field({
      type: Approval,
      nullable: true,
      description: 'Its oldest pending approval, of any approvers; null if there is none.',
      resolve: ({ id }: { id: string }, _, { load }) => load.one(find, id, ({ itemId }) => itemId),
    }),
  );

builder.objectField(Viewer, 'approvals', (t) =>
  t.connection(
    {
      scope: 'approvals:read',
      type: Approval,
      description: 'The approvals that wait for your decision, in all projects.',
      args: {
        filter: t.arg({ type: PendingApprovalFilter, description: 'Which approvals; all if omitted.' }),
        orderBy: t.arg(ORDER),
      },
      resolve: ({ id }, args, ctx) =>
        connect(ctx, approvalsOfViewer, { organizationId: '', id }, args, oldestFirst),
    },
    connectionOf(Approval),
  ),
);
