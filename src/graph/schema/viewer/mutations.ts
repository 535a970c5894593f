import { updateViewer } from '../../../domain/users/viewer-change.ts';
import { builder } from '../kernel/builder.ts';
import { Viewer } from './type.ts';

const UpdateViewerInput = builder.inputType('UpdateViewerInput', {
  description: 'A change of your profile.',
  fields: (t) => ({
    name: t.string({ required: true, description: 'Your full name, 1 to 255 characters.' }),
  }),
});

const UpdateViewerPayload = builder
  .objectRef<{ viewer: { id: string; name: string; email: string } }>('UpdateViewerPayload')
  .implement({
    description: 'You, as you now are.',
    fields: (t) => ({ viewer: t.expose('viewer', { type: Viewer, description: 'You.' }) }),
  });

builder.mutationField('updateViewer', (t) =>
  t.field({
    type: UpdateViewerPayload,
    description: 'Changes your profile.',
    args: { input: t.arg({ type: UpdateViewerInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ viewer: await updateViewer(ctx, input) }),
  }),
);
