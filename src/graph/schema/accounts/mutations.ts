import { findOwnAccount, type OwnAccount, updateAccount } from '../../../domain/own-account/account.ts';
import { requestAddress } from '../../../domain/own-account/email.ts';
import { changePassword } from '../../../domain/own-account/password.ts';
import { endOwnSignIns, unlinkIdentities } from '../../../domain/own-account/ways-in.ts';
import { ONLY_SESSIONS } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Account } from './type.ts';

/** The payload of changes that answer with the account. */
export const accountPayload = mutationPayload<{ account: OwnAccount }>({
  description: 'Your account after the change.',
  fields: (t) => ({ account: t.expose('account', { type: Account, description: 'Your account.' }) }),
});

mutation('changePassword', {
  scope: 'write',
  description: `Changes your password. All other sign-ins of yours end. With a second factor it needs a proof within ten minutes. ${ONLY_SESSIONS}`,
  argument: 'The passwords. Send them as variables, which are not logged.',
  input: mutationInput({
    description: 'A change of your password.',
    fields: (t) => ({
      currentPassword: t.string({
        required: true,
        description: 'The password you have. After ten wrong ones in an hour, RATE_LIMITED.',
      }),
      newPassword: t.string({
        required: true,
        description: 'The new one: 8 to 1,000 characters, not easy to guess.',
      }),
    }),
  }),
  payload: accountPayload,
  resolve: async (input, ctx) => {
    await changePassword(ctx, input);
    return { account: await findOwnAccount(ctx) };
  },
});

mutation('requestEmailChange', {
  scope: 'write',
  description: `Mails a link to the address that you want to have; it counts once you open the link. The answer does not say whether it has an account. With a second factor, or without a password, it needs a proof within ten minutes. ${ONLY_SESSIONS}`,
  argument: 'The address.',
  input: mutationInput({
    description: 'A new e-mail address.',
    fields: (t) => ({
      email: t.string({ required: true, description: 'The address.' }),
      password: t.string({
        description: 'Your password, if you have one. After ten wrong ones in an hour, RATE_LIMITED.',
      }),
    }),
  }),
  payload: accountPayload,
  resolve: async (input, ctx) => {
    await requestAddress(ctx, input);
    return { account: await findOwnAccount(ctx) };
  },
});

mutation('updateAccount', {
  scope: 'write',
  description: `Changes settings of your account. ${ONLY_SESSIONS}`,
  argument: 'The settings.',
  input: mutationInput({
    description: 'Settings of your account; others stay as they are.',
    fields: (t) => ({
      newSignInMails: t.boolean({
        description: 'Whether you get a mail when a device signs in for the first time.',
      }),
    }),
  }),
  payload: accountPayload,
  resolve: async (input, ctx) => {
    await updateAccount(ctx, input);
    return { account: await findOwnAccount(ctx) };
  },
});

mutation('endSignIns', {
  scope: 'write',
  description: `Signs browsers out: all are, or none. ${ONLY_SESSIONS}`,
  argument: 'Which sign-ins.',
  input: mutationInput({
    description: 'Sign-ins to end.',
    fields: (t) => ({
      signInIds: t.idList({ description: 'Which ones; left out for all but that of this request.' }),
    }),
  }),
  payload: mutationPayload<{ account: OwnAccount; ended: number }>({
    description: 'Your account after the change.',
    fields: (t) => ({
      account: t.expose('account', { type: Account, description: 'Your account.' }),
      ended: t.exposeInt('ended', { description: 'How many sign-ins have ended.' }),
    }),
  }),
  resolve: async (input, ctx) => {
    const ended = await endOwnSignIns(ctx, input);
    return { ended, account: await findOwnAccount(ctx) };
  },
});

mutation('unlinkIdentities', {
  scope: 'write',
  description: `Disconnects sign-ins with an identity provider: all are, or none. CONFLICT for your only way to sign in. Needs a proof within ten minutes. ${ONLY_SESSIONS}`,
  argument: 'Which identities.',
  input: mutationInput({
    description: 'Sign-ins with an identity provider to disconnect.',
    fields: (t) => ({ identityIds: t.idList({ required: true, description: 'Which ones.' }) }),
  }),
  payload: accountPayload,
  resolve: async (input, ctx) => {
    await unlinkIdentities(ctx, input);
    return { account: await findOwnAccount(ctx) };
  },
});
