import {
  findNotificationPreferences,
  type NotificationPreference as PreferenceRow,
  updateNotificationPreferences,
} from '../../../domain/notifications/notification-preference.ts';
import { builder } from '../kernel/builder.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Viewer } from '../viewer/type.ts';
import { NotificationKind } from './type.ts';

const NotificationDelivery = builder.enumType('NotificationDelivery', {
  description: 'How you are told.',
  values: {
    NOTHING: { description: 'Not at all.' },
    INBOX: { description: 'In `viewer.notifications`.' },
    MAIL: { description: 'There, and by mail if you have not read it two minutes later.' },
  } as const,
});

const NotificationPreference = builder.objectRef<PreferenceRow>('NotificationPreference').implement({
  description: 'How you are told of a kind of thing.',
  fields: (t) => ({
    kind: t.expose('kind', { type: NotificationKind, description: 'The kind.' }),
    delivery: t.expose('delivery', { type: NotificationDelivery, description: 'How.' }),
  }),
});

builder.objectField(Viewer, 'notificationPreferences', (t) =>
  t.field({
    type: [NotificationPreference],
    description: 'How you are told of each kind of thing.',
    resolve: (_, __, ctx) => findNotificationPreferences(ctx),
  }),
);

const NewNotificationPreference = builder.inputType('NewNotificationPreference', {
  description: 'How you want to be told of a kind of thing.',
  fields: (t) => ({
    kind: t.field({ type: NotificationKind, required: true, description: 'The kind.' }),
    delivery: t.field({ type: NotificationDelivery, required: true, description: 'How.' }),
  }),
});

const updateNotificationPreferencesInput = mutationInput({
  description: 'How you want to be told; other kinds stay as they are.',
  fields: (t) => ({
    preferences: t.field({ type: [NewNotificationPreference], required: true, description: 'By kind.' }),
  }),
});

const updateNotificationPreferencesPayload = mutationPayload<{ preferences: PreferenceRow[] }>({
  description: 'Your preferences after the change.',
  fields: (t) => ({
    preferences: t.expose('preferences', { type: [NotificationPreference], description: 'For all kinds.' }),
  }),
});

mutation('updateNotificationPreferences', {
  description: 'Changes how you are told of kinds of things.',
  argument: 'The preferences.',
  input: updateNotificationPreferencesInput,
  payload: updateNotificationPreferencesPayload,
  resolve: async (input, ctx) => {
    await updateNotificationPreferences(ctx, input);
    return { preferences: await findNotificationPreferences(ctx) };
  },
});
