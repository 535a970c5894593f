import type { Identity } from '../../../domain/accounts/external-identity.ts';
import {
  findOwnAccount,
  type OwnAccount,
  type OwnPasskey,
  type OwnSignIn,
} from '../../../domain/own-account/account.ts';
import type { Callers } from '../../operations/scope-step.ts';
import { builder } from '../kernel/builder.ts';
import { Viewer } from '../viewer/type.ts';

const SignIn = builder.objectRef<OwnSignIn>('SignIn').implement({
  description: 'A browser in which you are signed in.',
  fields: (t) => ({
    signInId: t.exposeID('id', { description: 'Its id, for `endSignIns`.' }),
    isCurrent: t.exposeBoolean('isCurrent', { description: 'Whether it is the one of this request.' }),
    program: t.exposeString('program', {
      description: 'What the browser says it is, such as `Firefox on Linux`. Nothing in it is verified.',
    }),
    ipAddress: t.exposeString('ipAddress', { description: 'Where it began.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it began.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used, to five minutes.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends.' }),
  }),
});

const Passkey = builder.objectRef<OwnPasskey>('Passkey').implement({
  description: 'A passkey of yours: a second factor, and a way to sign in without a password.',
  fields: (t) => ({
    passkeyId: t.exposeID('id', { description: 'Its id, for `renamePasskey` and `removeSecondFactors`.' }),
    name: t.exposeString('name', { description: 'The name that you gave it.' }),
    host: t.exposeString('relyingPartyId', {
      description: 'The host it belongs to. It works at no other one.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used.',
    }),
  }),
});

const LinkedIdentity = builder.objectRef<Identity>('LinkedIdentity').implement({
  description: 'A person at an identity provider, as whom you sign in.',
  fields: (t) => ({
    identityId: t.exposeID('id', { description: 'Its id, for `unlinkIdentities`.' }),
    issuer: t.exposeString('issuer', { description: 'The URL of the provider.' }),
    email: t.exposeString('email', { nullable: true, description: 'The address that the provider names.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was connected.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When you last signed in with it.',
    }),
  }),
});

/** Further fields: erasure.ts. */
export const Account = builder.objectRef<OwnAccount>('Account').implement({
  scope: 'read',
  description: 'How you sign in. Only in a browser session.',
  fields: (t) => ({
    hasPassword: t.exposeBoolean('hasPassword', { description: 'Whether a password is set.' }),
    pendingEmail: t.exposeString('pendingEmail', {
      nullable: true,
      description: 'The address that you get once you open the link that was mailed to it.',
    }),
    newSignInMails: t.exposeBoolean('newSignInMails', {
      description: 'Whether you get a mail when a device signs in for the first time.',
    }),
    hasAuthenticatorApp: t.exposeBoolean('hasAuthenticatorApp', {
      description: 'Whether an authenticator app is a second factor.',
    }),
    recoveryCodesLeft: t.exposeInt('recoveryCodesLeft', { description: 'Unused recovery codes.' }),
    provedUntil: t.expose('provedUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until when sensitive changes need no further proof that it is you; null if you have to give it at /account/confirm first.',
    }),
    closedOrganizations: t.exposeStringList('closedOrganizations', {
      description: 'Names of your organizations that stay closed until you add a second factor; at most 20.',
    }),
    signIns: t.expose('signIns', {
      type: [SignIn],
      description: 'Where you are signed in, newest first; at most 100.',
    }),
    passkeys: t.expose('passkeys', {
      type: [Passkey],
      description: 'Your passkeys, the oldest first; at most 20.',
    }),
    identities: t.expose('identities', {
      type: [LinkedIdentity],
      description: 'Your sign-ins with an identity provider, the oldest first.',
    }),
  }),
});

builder.objectField(Viewer, 'account', (t) =>
  t.field({
    type: Account,
    nullable: true,
    extensions: { callers: 'SESSION' satisfies Callers },
    description: 'How you sign in. FORBIDDEN for API keys and applications: only in a browser session.',
    resolve: (_, __, ctx) => findOwnAccount(ctx),
  }),
);
