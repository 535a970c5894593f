import { markNotificationsRead } from '../../../domain/notifications/mark-read.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Viewer } from '../viewer/type.ts';

const markNotificationsReadInput = mutationInput({
  description: 'Which notifications you have read: either `ids` or `until`.',
  fields: (t) => ({
    ids: t.idList({ description: 'These: all of them, or none.' }),
    until: t.field({ type: 'DateTime', description: 'All that happened until then.' }),
  }),
});

const markNotificationsReadPayload = mutationPayload<{ viewer: { id: string; name: string; email: string } }>(
  {
    description: 'You, after the change.',
    fields: (t) => ({ viewer: t.expose('viewer', { type: Viewer, description: 'You.' }) }),
  },
);

mutation('markNotificationsRead', {
  scope: 'write',
  description: 'Marks notifications of yours as read.',
  argument: 'Which ones.',
  input: markNotificationsReadInput,
  payload: markNotificationsReadPayload,
  resolve: async (input, ctx) => {
    await markNotificationsRead(ctx, input);
    const { userId: id, name, email } = ctx.viewer;
    return { viewer: { id, name, email } };
  },
});
