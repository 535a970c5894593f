import {
  acceptInvitation,
  declineInvitation,
  inviteMembers,
  withdrawInvitations,
} from '../../../domain/membership/invitation-change.ts';
import type { Invitation as InvitationRow } from '../../../domain/organizations/invitation.ts';
import { builder } from '../kernel/builder.ts';
import { OrganizationRole } from '../organizations/type.ts';
import { Invitation } from './invitation.ts';
import { MemberPayload } from './member-mutations.ts';

const NewMember = builder.inputType('NewMember', {
  description: 'One person to invite.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Their e-mail address, whatever the case.' }),
    role: t.field({ type: OrganizationRole, required: true, description: 'What they may do.' }),
  }),
});

const InviteMembersInput = builder.inputType('InviteMembersInput', {
  description: 'People to invite to an organization: all are invited, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'To which organization.' }),
    members: t.field({ type: [NewMember], required: true, description: 'The people, in order.' }),
  }),
});

const WithdrawInvitationsInput = builder.inputType('WithdrawInvitationsInput', {
  description: 'Invitations of one organization: all are taken back, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'Of which organization.' }),
    invitationIds: t.idList({ required: true, description: 'Which invitations.' }),
  }),
});

const InvitationInput = builder.inputType('InvitationInput', {
  description: 'An invitation to answer.',
  fields: (t) => ({ invitationId: t.id({ required: true, description: 'Which invitation.' }) }),
});

const InviteMembersPayload = builder
  .objectRef<{ invitations: InvitationRow[] }>('InviteMembersPayload')
  .implement({
    description: 'The new invitations.',
    fields: (t) => ({
      invitations: t.expose('invitations', { type: [Invitation], description: 'In the order of the input.' }),
    }),
  });

const WithdrawInvitationsPayload = builder
  .objectRef<{ ids: string[] }>('WithdrawInvitationsPayload')
  .implement({
    description: 'What is offered no more.',
    fields: (t) => ({
      invitationIds: t.exposeIDList('ids', { description: 'The ids of the invitations.' }),
    }),
  });

const DeclineInvitationPayload = builder.objectRef<{ id: string }>('DeclineInvitationPayload').implement({
  description: 'What you turned down.',
  fields: (t) => ({ invitationId: t.exposeID('id', { description: 'The id of the invitation.' }) }),
});

builder.mutationFields((t) => ({
  inviteMembers: t.field({
    type: InviteMembersPayload,
    description:
      'Invites people to an organization; they are members once they accept. The answer is the same whether an address has an account or not. Takes the role OWNER or ADMIN, and OWNER to offer that. CONFLICT for those who are members or invited already. Applications cannot.',
    args: { input: t.arg({ type: InviteMembersInput, required: true, description: 'The people.' }) },
    resolve: async (_, { input }, ctx) => ({ invitations: await inviteMembers(ctx, input) }),
  }),
  withdrawInvitations: t.field({
    type: WithdrawInvitationsPayload,
    description:
      'Takes invitations back. Takes the role OWNER or ADMIN in the organization, and OWNER for an invitation to be an owner. Applications cannot.',
    args: {
      input: t.arg({ type: WithdrawInvitationsInput, required: true, description: 'The invitations.' }),
    },
    resolve: async (_, { input }, ctx) => ({ ids: await withdrawInvitations(ctx, input) }),
  }),
  acceptInvitation: t.field({
    type: MemberPayload,
    description: 'Accepts an invitation: you are a member from your next request on. Applications cannot.',
    args: { input: t.arg({ type: InvitationInput, required: true, description: 'The invitation.' }) },
    resolve: async (_, { input }, ctx) => ({ member: await acceptInvitation(ctx, input) }),
  }),
  declineInvitation: t.field({
    type: DeclineInvitationPayload,
    description: 'Declines an invitation. Applications cannot.',
    args: { input: t.arg({ type: InvitationInput, required: true, description: 'The invitation.' }) },
    resolve: async (_, { input }, ctx) => ({ id: await declineInvitation(ctx, input) }),
  }),
}));
