import {
  findNotificationPreferences,
  findTimeZone,
  type NotificationPreference as PreferenceRow,
  updateNotificationPreferences,
} from '../../../domain/notifications/notification-preference.ts';
import { builder } from '../kernel/builder.ts';
import { NO_APPLICATION } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Viewer } from '../viewer/type.ts';
import { NotificationKind } from './type.ts';

const NotificationDelivery = builder.enumType('NotificationDelivery', {
  description: 'How you are notified.',
  values: {
    NOTHING: { description: 'Not at all.' },
    INBOX: { description: 'In `viewer.notifications`.' },
    DIGEST: {
      description:
        'There, and in one mail a day at eight o’clock (`timeZone`) with all that you have not read.',
    },
    MAIL: { description: 'There, and by mail if you have not read it two minutes later.' },
  } as const,
});

const NotificationPreference = builder.objectRef<PreferenceRow>('NotificationPreference').implement({
  scope: 'read',
  description: 'How you are notified of a kind of event.',
  fields: (t) => ({
    kind: t.expose('kind', { type: NotificationKind, description: 'The kind.' }),
    delivery: t.expose('delivery', { type: NotificationDelivery, description: 'How.' }),
  }),
});

builder.objectFields(Viewer, (t) => ({
  notificationPreferences: t.field({
    type: [NotificationPreference],
    description: 'How you are notified of each kind of event.',
    resolve: (_, __, ctx) => findNotificationPreferences(ctx),
  }),
  timeZone: t.string({
    description: 'The time zone of your daily mails: a name of the IANA database, UTC by default.',
    resolve: (_, __, ctx) => findTimeZone(ctx),
  }),
}));

const NewNotificationPreference = builder.inputType('NewNotificationPreference', {
  description: 'How you want to be notified of a kind of event.',
  fields: (t) => ({
    kind: t.field({ type: NotificationKind, required: true, description: 'The kind.' }),
    delivery: t.field({ type: NotificationDelivery, required: true, description: 'How.' }),
  }),
});

const updateNotificationPreferencesInput = mutationInput({
  description: 'How you want to be notified; other kinds stay as they are.',
  fields: (t) => ({
    preferences: t.field({ type: [NewNotificationPreference], description: 'By kind.' }),
    timeZone: t.string({
      description: 'The time zone of your daily mails: a name of the IANA database such as Europe/Berlin.',
    }),
  }),
});

const updateNotificationPreferencesPayload = mutationPayload<{
  preferences: PreferenceRow[];
  timeZone: string;
}>({
  description: 'Your preferences after the change.',
  fields: (t) => ({
    preferences: t.expose('preferences', { type: [NotificationPreference], description: 'For all kinds.' }),
    timeZone: t.exposeString('timeZone', { description: 'The time zone of your daily mails.' }),
  }),
});

mutation('updateNotificationPreferences', {
  scope: 'write',
  description: `Changes how you are notified of kinds of events. ${NO_APPLICATION}`,
  argument: 'The preferences.',
  input: updateNotificationPreferencesInput,
  payload: updateNotificationPreferencesPayload,
  resolve: async (input, ctx) => {
    await updateNotificationPreferences(ctx, input);
    return { preferences: await findNotificationPreferences(ctx), timeZone: await findTimeZone(ctx) };
  },
});
