import { findApprovalItems, type ApprovalItem as ItemRow } from '../../../domain/approvals/approval-item.ts';
import { findProcessRuns, runsOfDocument, runsOfProcess } from '../../../domain/approvals/process-run.ts';
import { findDocuments } from '../../../domain/documents/document.ts';
import { findTasks } from '../../../domain/tasks/task.ts';
import type { GraphContext } from '../../engine/context.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { ageDirection, connect, fixedOrder } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Task } from '../tasks/type.ts';
import { author, User } from '../users/type.ts';
import { Process } from './process.ts';

export const ApprovalState = builder.enumType('ApprovalState', {
  description: 'The state of an approval, of a run, or of the decision of one approver.',
  values: {
    PENDING: { description: 'Not decided yet.' },
    APPROVED: { description: 'Approved.' },
    DECLINED: { description: 'The approvers withdrew without a decision.' },
    DENIED: { description: 'Denied.' },
    WITHDRAWN: {
      description: 'Of an approval: its run ended before it was decided. Of a run: it was withdrawn.',
    },
  } as const,
});

const ApprovalItemKind = builder.enumType('ApprovalItemKind', {
  description: 'The type of the item under approval.',
  values: { DOCUMENT: { description: 'A document.' }, TASK: { description: 'A task.' } } as const,
});

const ApprovalItem = builder.objectRef<ItemRow>('ApprovalItem').implement({
  description: 'The item under approval: what documents and tasks have in common.',
  fields: (t) => ({
    itemId: t.exposeID('id', { description: 'The id of the document or task.' }),
    kind: t.expose('kind', { type: ApprovalItemKind, description: 'Whether it is a document or a task.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    description: t.exposeString('description', { description: 'The text of a task; empty for a document.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    createdBy: t.field({
      type: User,
      description: 'Who created it.',
      resolve: (row, _, ctx) => author(ctx, row.createdById),
    }),
    dueAt: t.expose('dueAt', { type: 'DateTime', nullable: true, description: 'When a task is due.' }),
    document: t.field({
      type: Document,
      nullable: true,
      description: 'The document; null for a task.',
      resolve: ({ kind, id }, _, { load }) => (kind === 'DOCUMENT' ? load.one(findDocuments, id) : null),
    }),
    task: t.field({
      type: Task,
      nullable: true,
      description: 'The task; null for a document.',
      resolve: ({ kind, id }, _, { load }) => (kind === 'TASK' ? load.one(findTasks, id) : null),
    }),
  }),
});

/** Options of the field `item` of a run or an approval; the item is visible with either. */
export const ITEM = { type: ApprovalItem, description: 'The document or task under approval.' };

export const itemOf = ({ load }: GraphContext, id: string): Promise<ItemRow> =>
  load.seen(findApprovalItems, id, 'Item');

/** Further fields: lists.ts. */
export const ProcessRun = builder.prismaObject('ProcessRun', {
  scope: 'approvals:read',
  description: 'A process applied to one document or task.',
  interfaces: [Node],
  fields: (t) => ({
    process: t.relation('process', { type: Process, description: 'The process it follows.' }),
    item: t.field({
      ...ITEM,
      resolve: ({ documentId, taskId }, _, ctx) => itemOf(ctx, (documentId ?? taskId) as string),
    }),
    state: t.expose('state', {
      type: ApprovalState,
      description:
        'APPROVED once all steps are approved; DECLINED or DENIED as soon as one step is; WITHDRAWN if it was taken back.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was started.' }),
    createdBy: t.field({
      type: User,
      description: 'Who started it.',
      resolve: (row, _, ctx) => author(ctx, row.createdById),
    }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended.',
    }),
    completedBy: t.field({
      type: User,
      nullable: true,
      description: 'Who made the decision that ended it.',
      resolve: ({ completedById }, _, ctx) => (completedById ? author(ctx, completedById) : null),
    }),
  }),
});

nodeType('ProcessRun', ({ load }, id) => load.one(findProcessRuns, id));

const newestFirst = fixedOrder('CREATED_AT', 'DESC');

builder.objectField(Process, 'runs', (t) =>
  t.connection(
    {
      type: ProcessRun,
      description: 'Its runs on items that are visible to you, newest first by default.',
      args: { direction: t.arg(ageDirection('DESC')) },
      resolve: (process, args, ctx) => connect(ctx, runsOfProcess, process, args, newestFirst),
    },
    connectionOf(ProcessRun),
  ),
);

builder.objectField(Document, 'processRuns', (t) =>
  t.connection(
    {
      type: ProcessRun,
      description: 'The runs of processes on it, newest first by default.',
      args: { direction: t.arg(ageDirection('DESC')) },
      resolve: (document, args, ctx) => connect(ctx, runsOfDocument, document, args, newestFirst),
    },
    connectionOf(ProcessRun),
  ),
);
