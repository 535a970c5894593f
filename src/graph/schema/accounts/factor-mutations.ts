import { findOwnAccount, type OwnAccount } from '../../../domain/own-account/account.ts';
import {
  removeSecondFactors,
  renameOwnPasskey,
  renewOwnRecoveryCodes,
} from '../../../domain/own-account/second-factors.ts';
import { ONLY_SESSIONS } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { accountPayload } from './mutations.ts';
import { Account } from './type.ts';

mutation('renamePasskey', {
  scope: 'write',
  description: `Renames a passkey of yours. ${ONLY_SESSIONS}`,
  argument: 'The passkey, and its name.',
  input: mutationInput({
    description: 'A new name for a passkey.',
    fields: (t) => ({
      passkeyId: t.id({ required: true, description: 'Which passkey.' }),
      name: t.string({ required: true, description: 'Its name, 1 to 60 characters.' }),
    }),
  }),
  payload: accountPayload,
  resolve: async (input, ctx) => {
    await renameOwnPasskey(ctx, { ...input, passkeyId: String(input.passkeyId) });
    return { account: await findOwnAccount(ctx) };
  },
});

mutation('removeSecondFactors', {
  scope: 'write',
  description: `Removes second factors: all that are named, or none. Recovery codes end with the last other factor; other sign-ins have to give a proof again. CONFLICT for the last passkey of an account without a password. Needs a proof within ten minutes. They are added at /account/second-factors. ${ONLY_SESSIONS}`,
  argument: 'Which ones.',
  input: mutationInput({
    description: 'Second factors to remove.',
    fields: (t) => ({
      passkeyIds: t.idList({ description: 'Which passkeys.' }),
      authenticatorApp: t.boolean({ description: 'True for the authenticator app.' }),
    }),
  }),
  payload: accountPayload,
  resolve: async (input, ctx) => {
    await removeSecondFactors(ctx, input);
    return { account: await findOwnAccount(ctx) };
  },
});

mutation('renewRecoveryCodes', {
  scope: 'write',
  description: `Replaces your recovery codes by ten new ones. Needs a proof within ten minutes, and a second factor (CONFLICT). ${ONLY_SESSIONS}`,
  argument: 'What you have seen.',
  input: mutationInput({
    description: 'A replacement of your recovery codes.',
    fields: (t) => ({
      recoveryCodesLeft: t.int({
        description: 'How many are left as far as you know. If it is another number, CONFLICT.',
      }),
    }),
  }),
  payload: mutationPayload<{ account: OwnAccount; recoveryCodes: string[] }>({
    description: 'Your new recovery codes.',
    fields: (t) => ({
      account: t.expose('account', { type: Account, description: 'Your account.' }),
      recoveryCodes: t.exposeStringList('recoveryCodes', {
        description: 'The codes, shown only here. Each works once.',
      }),
    }),
  }),
  resolve: async (input, ctx) => {
    const recoveryCodes = await renewOwnRecoveryCodes(ctx, input);
    return { recoveryCodes, account: await findOwnAccount(ctx) };
  },
});
