import { findApprovalItems, type ApprovalItem as ItemRow } from '../../../domain/approvals/approval-item.ts';
import { findProcessRuns, runsOfDocument, runsOfProcess } from '../../../domain/approvals/process-run.ts';
import { findDocuments } from '../../../domain/documents/document.ts';
import type { GraphContext } from '../../engine/context.ts';
import { Document } from '../documents/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, OrderDirection } from '../kernel/connection.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { author, User } from '../users/type.ts';
import { Process } from './process.ts';

export const ApprovalState = builder.enumType('ApprovalState', {
  description: 'The state of an approval, of a run, or of the decision of one approver.',
  values: {
    PENDING: { description: 'Not decided yet.' },
    APPROVED: { description: 'Approved.' },
    DECLINED: { description: 'The approvers withdrew without a decision.' },
    DENIED: { description: 'Denied.' },
  } as const,
});

const ApprovalItemKind = builder.enumType('ApprovalItemKind', {
  description: 'What kind of thing is under approval.',
  values: { DOCUMENT: { description: 'A document.' }, TASK: { description: 'A task.' } } as const,
});

const ApprovalItem = builder.objectRef<ItemRow>('ApprovalItem').implement({
  description: 'What is under approval: a document or a task, as far as both are alike.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the document or task.' }),
    kind: t.expose('kind', { type: ApprovalItemKind, description: 'Which of the two it is.' }),
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
  }),
});

/** Options of the field `item` of a run or an approval, which is visible with it. */
export const ITEM = { type: ApprovalItem, description: 'What is under approval.' };

export const itemOf = ({ load }: GraphContext, id: string): Promise<ItemRow> =>
  load.seen(findApprovalItems, id, 'Item');

export const ProcessRun = builder.prismaObject('ProcessRun', {
  description: 'The way of one document or task through a process.',
  interfaces: [Node],
  fields: (t) => ({
    process: t.relation('process', { type: Process, description: 'The process it follows.' }),
    item: t.field({
      ...ITEM,
      resolve: ({ documentId, taskId }, _, ctx) => itemOf(ctx, (documentId ?? taskId) as string),
    }),
    state: t.expose('state', {
      type: ApprovalState,
      description: 'APPROVED once all steps are; DECLINED or DENIED with the first step that is.',
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
      description: 'Who ended it, with the last decision.',
      resolve: ({ completedById }, _, ctx) => (completedById ? author(ctx, completedById) : null),
    }),
  }),
});

nodeType('ProcessRun', ({ load }, id) => load.one(findProcessRuns, id));

builder.objectField(Process, 'runs', (t) =>
  t.connection({
    type: ProcessRun,
    description: 'Its runs on what you may see, newest first unless you say otherwise.',
    args: { direction: t.arg({ type: OrderDirection, defaultValue: 'DESC', description: 'By their age.' }) },
    resolve: (process, { direction, ...page }, ctx) =>
      connect(ctx, runsOfProcess, process, {
        ...page,
        filter: {},
        orderBy: { field: 'CREATED_AT', direction: direction ?? 'DESC' },
      }),
  }),
);

builder.objectField(Document, 'processRuns', (t) =>
  t.connection({
    type: ProcessRun,
    description:
      'Its ways through processes, and what became of them; newest first unless you say otherwise.',
    args: { direction: t.arg({ type: OrderDirection, defaultValue: 'DESC', description: 'By their age.' }) },
    resolve: (document, { direction, ...page }, ctx) =>
      connect(ctx, runsOfDocument, document, {
        ...page,
        filter: {},
        orderBy: { field: 'CREATED_AT', direction: direction ?? 'DESC' },
      }),
  }),
);
