import {
  type BulkOperation as BulkOperationRow,
  bulkOperationsOfOrganization,
  findBulkOperations,
  resultsUrlOf,
} from '../../../domain/bulk/bulk-operation.ts';
import { builder } from '../kernel/builder.ts';
import { ageDirection, connect, fixedOrder } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Organization } from '../organizations/type.ts';
import { author, toAuthor, User } from '../users/type.ts';

const BulkOperationState = builder.enumType('BulkOperationState', {
  description: 'How far a bulk operation is.',
  values: {
    QUEUED: { description: 'No line was run yet.' },
    RUNNING: { description: 'Lines are run one after the other.' },
    COMPLETED: { description: 'All lines were run; `failedCount` of them failed.' },
    CANCELLED: { description: 'Somebody cancelled it. The lines that were done stay done.' },
    FAILED: { description: 'It was stopped, see `failure`. The lines that were done stay done.' },
  } as const,
});

export const BulkOperation = builder.objectRef<BulkOperationRow>('BulkOperation').implement({
  scope: [],
  description: 'One mutation that is run with many inputs in the background, in one organization.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'In which organization.' }),
    mutation: t.exposeString('field', { description: 'The name of the mutation, such as `createTasks`.' }),
    state: t.expose('state', { type: BulkOperationState, description: 'How far it is.' }),
    lineCount: t.exposeInt('lineCount', { description: 'How many lines it has.' }),
    doneCount: t.exposeInt('doneCount', {
      description: 'How many lines were run, those that failed included.',
    }),
    failedCount: t.exposeInt('failedCount', { description: 'How many lines were answered with errors.' }),
    failure: t.exposeString('failure', {
      nullable: true,
      description: 'Why it was stopped; null unless it FAILED.',
    }),
    createdBy: t.field({
      type: User,
      description: 'Who started it.',
      extensions: toAuthor('created_by_id'),
      resolve: ({ createdById }, _, ctx) => author(ctx, createdById),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was started.' }),
    completedAt: t.expose('completedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null until then. It is deleted 7 days later.',
    }),
    resultsUrl: t.string({
      nullable: true,
      description:
        'A URL that returns the answers so far as JSON Lines, in the order of the lines, without a credential. It is valid for some minutes, for anyone who has it. Null unless you started it, with the same credential or in a browser session.',
      resolve: (operation, _, ctx) => resultsUrlOf(ctx, operation),
    }),
  }),
});

nodeType('BulkOperation', ({ load }, id) => load.one(findBulkOperations, id));

builder.objectField(Organization, 'bulkOperations', (t) =>
  t.connection(
    {
      scope: 'events:read',
      type: BulkOperation,
      description:
        'Bulk operations of the last days: your own; all of them to its owners and admins. Newest first by default.',
      args: { direction: t.arg(ageDirection('DESC')) },
      resolve: ({ id }, args, ctx) =>
        connect(
          ctx,
          bulkOperationsOfOrganization,
          { organizationId: id, id },
          args,
          fixedOrder('CREATED_AT', 'DESC'),
        ),
    },
    connectionOf(BulkOperation),
  ),
);
