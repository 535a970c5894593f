import type { Client as ClientRow } from '../../../domain/oauth/client.ts';
import type { Member as MemberRow } from '../../../domain/organizations/member.ts';
import {
  createServiceAccount,
  deleteServiceAccount,
  findMemberClients,
  findServiceMembers,
} from '../../../domain/service-accounts/service-account.ts';
import { builder } from '../kernel/builder.ts';
import { NO_APPLICATION } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { OrganizationMember } from '../membership/member.ts';
import { OrganizationRole } from '../organizations/type.ts';
import { Client } from './client.ts';

builder.objectField(Client, 'serviceAccount', (t) =>
  t.field({
    type: OrganizationMember,
    nullable: true,
    scope: 'organizations:read',
    description:
      'Its service account, with which it acts by itself by the grant client_credentials; null without one.',
    resolve: ({ id }, _, { load }) => load.one(findServiceMembers, id, ({ clientId }) => clientId ?? ''),
  }),
);

builder.objectField(OrganizationMember, 'clientId', (t) =>
  t.id({
    nullable: true,
    description: 'The application whose service account this is; null for a person.',
    resolve: ({ id }, _, { load }) => load.one(findMemberClients, id).map((row) => row?.clientId),
  }),
);

const createServiceAccountInput = mutationInput({
  description: 'A service account for an application.',
  fields: (t) => ({
    clientId: t.id({ required: true, description: 'Which application: a CONFIDENTIAL one.' }),
    role: t.field({
      type: OrganizationRole,
      required: true,
      description: 'What it may do in the organization of the application: all but OWNER.',
    }),
  }),
});

const createServiceAccountPayload = mutationPayload<{ member: MemberRow }>({
  description: 'The new service account.',
  fields: (t) => ({
    member: t.expose('member', { type: OrganizationMember, description: 'The service account, a member.' }),
  }),
});

const deleteServiceAccountInput = mutationInput({
  description: 'Whose service account to delete.',
  fields: (t) => ({ clientId: t.id({ required: true, description: 'Which application.' }) }),
});

const deleteServiceAccountPayload = mutationPayload<{ client: ClientRow }>({
  description: 'The application without a service account.',
  fields: (t) => ({ client: t.expose('client', { type: Client, description: 'The application.' }) }),
});

mutation('createServiceAccount', {
  scope: 'write',
  description: `Lets an application act by itself, as a member of its organization with a role of its own, by the grant client_credentials (RFC 6749 §4.4). The account has no password and gets no mails. Its role is changed by updateMember, and its removal deletes it. CONFLICT if there is one. Requires the role OWNER or ADMIN, and in a browser a fresh proof of who you are. ${NO_APPLICATION}`,
  argument: 'The service account.',
  input: createServiceAccountInput,
  payload: createServiceAccountPayload,
  resolve: async (input, ctx) => ({ member: await createServiceAccount(ctx, input) }),
});

mutation('deleteServiceAccount', {
  scope: 'write',
  description: `Deletes the service account of an application: its tokens are refused at once, and it leaves its projects. What it created stays. Requires the role OWNER or ADMIN in the organization. ${NO_APPLICATION}`,
  argument: 'Whose.',
  input: deleteServiceAccountInput,
  payload: deleteServiceAccountPayload,
  resolve: async (input, ctx) => ({ client: await deleteServiceAccount(ctx, input) }),
});
