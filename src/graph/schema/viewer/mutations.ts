import { updateViewer } from '../../../domain/users/viewer-change.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Viewer } from './type.ts';

const updateViewerInput = mutationInput({
  description: 'A change of your profile.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Your full name, 1 to 255 characters.' }),
  }),
});

const updateViewerPayload = mutationPayload<{ viewer: { id: string; name: string; email: string } }>({
  description: 'You, after the change.',
  fields: (t) => ({ viewer: t.expose('viewer', { type: Viewer, description: 'You.' }) }),
});

mutation('updateViewer', {
  scope: 'write',
  description: 'Changes your profile.',
  argument: 'The change.',
  input: updateViewerInput,
  payload: updateViewerPayload,
  resolve: async (input, ctx) => ({ viewer: await updateViewer(ctx, input) }),
});
