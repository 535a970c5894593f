import { cancelBulkOperation } from '../../../domain/bulk/bulk-end.ts';
import { type BulkOperation as BulkOperationRow, MAX_LINES } from '../../../domain/bulk/bulk-operation.ts';
import { startBulkOperation } from '../../../domain/bulk/bulk-start.ts';
import { requireBulkDocument } from '../../operations/bulk/bulk-document.ts';
import { requireBulkLines } from '../../operations/bulk/bulk-lines.ts';
import { memoizedScopes, requireScopes } from '../../operations/scope.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { BulkOperation } from './type.ts';

const bulkOperationPayload = mutationPayload<{ bulkOperation: BulkOperationRow }>({
  description: 'The bulk operation.',
  fields: (t) => ({
    bulkOperation: t.expose('bulkOperation', { type: BulkOperation, description: 'The operation.' }),
  }),
});

mutation('startBulkOperation', {
  scope: [],
  description: `Runs one mutation with up to ${MAX_LINES} inputs, one after the other in the background, as the credential of this request and in this organization alone. It takes the scopes of that mutation. Each line is a call of its own: one that fails does not stop the others. Everything is checked before anything is stored. RATE_LIMITED while 2 of yours or 5 of the organization have not ended; FORBIDDEN for mutations of accounts, and for those that show secrets.`,
  argument: 'What to run.',
  input: mutationInput({
    description: 'A mutation, and its inputs.',
    fields: (t) => ({
      organizationId: t.id({ required: true, description: 'The organization in which it acts.' }),
      mutation: t.string({
        required: true,
        description: 'The text of one mutation with exactly one field, and its fragments.',
      }),
      variables: t.string({
        required: true,
        description: 'The variables as JSON Lines: one object a line, for one call each.',
      }),
    }),
  }),
  payload: bulkOperationPayload,
  resolve: async ({ organizationId, mutation: text, variables }, ctx, { schema }) => {
    const bulk = requireBulkDocument(schema, text);
    requireScopes(ctx.viewer, memoizedScopes(schema, bulk.document));
    const lines = await requireBulkLines(schema, variables, bulk, ctx.limits);
    const operation = { organizationId, mutation: text, field: bulk.field, lines };
    return { bulkOperation: await startBulkOperation(ctx, operation) };
  },
});

mutation('cancelBulkOperation', {
  scope: [],
  description:
    'Cancels a bulk operation: your own, and as an owner or admin that of anybody. The lines that were done stay done. It takes the scopes of its mutation. CONFLICT if it has ended.',
  argument: 'Which.',
  input: mutationInput({
    description: 'The operation to cancel.',
    fields: (t) => ({
      bulkOperationId: t.id({ required: true, description: 'Which bulk operation.' }),
    }),
  }),
  payload: bulkOperationPayload,
  resolve: async ({ bulkOperationId }, ctx, { schema }) => ({
    bulkOperation: await cancelBulkOperation(ctx, bulkOperationId, (text) =>
      requireScopes(ctx.viewer, memoizedScopes(schema, requireBulkDocument(schema, text).document)),
    ),
  }),
});
