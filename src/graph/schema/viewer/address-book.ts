import { findContacts, hideContacts, showContacts } from '../../../domain/users/contact.ts';
import type { User as UserRow } from '../../../domain/users/user.ts';
import { builder } from '../kernel/builder.ts';
import { NO_APPLICATION } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { User } from '../users/type.ts';
import { Viewer } from './type.ts';

builder.objectFields(Viewer, (t) => ({
  addressBook: t.field({
    scope: 'organizations:read',
    type: [User],
    description:
      'The people you share an organization with and see there, except those you have hidden: at most 100, by e-mail address.',
    args: {
      search: t.arg.string({ description: 'What the name or the e-mail address starts with.' }),
      hidden: t.arg.boolean({ description: 'True for those you have hidden.' }),
    },
    resolve: (_, filter, ctx) => findContacts(ctx, filter),
  }),
}));

const emailsField = { description: 'Their e-mail addresses; left out for all people.' };

const addressBookPayload = (description: string) =>
  mutationPayload<{ addressBook: UserRow[] }>({
    description,
    fields: (t) => ({
      addressBook: t.expose('addressBook', {
        type: [User],
        description: 'The people it shows, at most 100.',
      }),
    }),
  });

mutation('hideContacts', {
  scope: 'write',
  description: `Hides people from your address book. They notice nothing, and people who join later are shown. ${NO_APPLICATION}`,
  argument: 'Whom to hide.',
  input: mutationInput({
    description: 'People to hide from your address book.',
    fields: (t) => ({ emails: t.stringList(emailsField) }),
  }),
  payload: addressBookPayload('Your address book without the people that you have hidden.'),
  resolve: async (input, ctx) => {
    await hideContacts(ctx, input);
    return { addressBook: await findContacts(ctx, {}) };
  },
});

mutation('showContacts', {
  scope: 'write',
  description: `Shows people in your address book again that you have hidden. ${NO_APPLICATION}`,
  argument: 'Whom to show.',
  input: mutationInput({
    description: 'People to show in your address book.',
    fields: (t) => ({ emails: t.stringList(emailsField) }),
  }),
  payload: addressBookPayload('Your address book with the people that you show again.'),
  resolve: async (input, ctx) => {
    await showContacts(ctx, input);
    return { addressBook: await findContacts(ctx, {}) };
  },
});
