import {
  acceptInvitation,
  declineInvitation,
  withdrawInvitations,
} from '../../../domain/membership/invitation-change.ts';
import { type Invited, inviteMembers } from '../../../domain/membership/invitation-create.ts';
import { resendInvitations } from '../../../domain/membership/invitation-resend.ts';
import type { Invitation as InvitationRow } from '../../../domain/organizations/invitation.ts';
import { builder } from '../kernel/builder.ts';
import { BY_MEMBERS_SCOPE } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { OrganizationRole } from '../organizations/type.ts';
import { Invitation } from './invitation.ts';
import { OrganizationMember } from './member.ts';
import { memberPayload } from './member-mutations.ts';

const NewMember = builder.inputType('NewMember', {
  description: 'One person to invite.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Their e-mail address, ignoring case.' }),
    role: t.field({ type: OrganizationRole, required: true, description: 'What they may do.' }),
  }),
});

const inviteMembersInput = mutationInput({
  description: 'People to invite to an organization: all are invited, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'To which organization.' }),
    members: t.field({ type: [NewMember], required: true, description: 'The people, in order.' }),
    keepExisting: t.boolean({
      description:
        'With true: people who are members or invited already stay as they are, whatever role is asked for, and are in the answer.',
    }),
  }),
});

const withdrawInvitationsInput = mutationInput({
  description: 'Invitations of one organization: all are withdrawn, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'Of which organization.' }),
    invitationIds: t.idList({ required: true, description: 'Which invitations.' }),
  }),
});

const resendInvitationsInput = mutationInput({
  description: 'Invitations of one organization: all are sent again, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'Of which organization.' }),
    invitationIds: t.idList({ required: true, description: 'Which invitations.' }),
  }),
});

const invitationInput = mutationInput({
  description: 'An invitation to answer.',
  fields: (t) => ({ invitationId: t.id({ required: true, description: 'Which invitation.' }) }),
});

const inviteMembersPayload = mutationPayload<Invited>({
  description: 'Who is invited now.',
  fields: (t) => ({
    invitations: t.expose('invitations', {
      type: [Invitation],
      description: 'The new invitations, and with `keepExisting` earlier ones; in the order of the input.',
    }),
    members: t.expose('members', {
      type: [OrganizationMember],
      description: 'With `keepExisting`, who is a member already; in the order of the input.',
    }),
  }),
});

const resendInvitationsPayload = mutationPayload<{ invitations: InvitationRow[] }>({
  description: 'The invitations that are sent again.',
  fields: (t) => ({
    invitations: t.expose('invitations', { type: [Invitation], description: 'In the order of the input.' }),
  }),
});

const withdrawInvitationsPayload = mutationPayload<{ ids: string[] }>({
  description: 'The withdrawn invitations.',
  fields: (t) => ({
    invitationIds: t.exposeIDList('ids', { description: 'The ids of the invitations.' }),
  }),
});

const declineInvitationPayload = mutationPayload<{ id: string }>({
  description: 'The declined invitation.',
  fields: (t) => ({ invitationId: t.exposeID('id', { description: 'The id of the invitation.' }) }),
});

mutation('inviteMembers', {
  scope: 'members:write',
  description: `Invites people to an organization; they are members once they accept. The answer is the same whether an address has an account or not. Requires the role OWNER or ADMIN, and OWNER to invite an owner. CONFLICT for people who are members or invited already, unless \`keepExisting\` is true; an expired invitation is replaced. ${BY_MEMBERS_SCOPE}`,
  argument: 'The people.',
  input: inviteMembersInput,
  payload: inviteMembersPayload,
  batch: { items: 'members', empty: { invitations: [], members: [] } },
  resolve: (input, ctx) => inviteMembers(ctx, input),
});

mutation('resendInvitations', {
  scope: 'members:write',
  description: `Sends invitations again, expired ones too: each gets a new link and its full lifetime, and links before it end. Requires the role OWNER or ADMIN, and OWNER for an invitation to be an owner. CONFLICT for one that was sent again 5 times, or in the last 10 minutes. ${BY_MEMBERS_SCOPE}`,
  argument: 'The invitations.',
  input: resendInvitationsInput,
  payload: resendInvitationsPayload,
  batch: { items: 'invitationIds', empty: { invitations: [] } },
  resolve: async (input, ctx) => ({ invitations: await resendInvitations(ctx, input) }),
});

mutation('withdrawInvitations', {
  scope: 'members:write',
  description: `Withdraws invitations. Requires the role OWNER or ADMIN in the organization, and OWNER for an invitation to be an owner. ${BY_MEMBERS_SCOPE}`,
  argument: 'The invitations.',
  input: withdrawInvitationsInput,
  payload: withdrawInvitationsPayload,
  batch: { items: 'invitationIds', empty: { ids: [] } },
  resolve: async (input, ctx) => ({ ids: await withdrawInvitations(ctx, input) }),
});

mutation('acceptInvitation', {
  scope: 'write',
  description:
    'Accepts an invitation: you are a member from your next request on. CONFLICT once it has expired. Not available to applications.',
  argument: 'The invitation.',
  input: invitationInput,
  payload: memberPayload,
  resolve: async (input, ctx) => ({ member: await acceptInvitation(ctx, input) }),
});

mutation('declineInvitation', {
  scope: 'write',
  description: 'Declines an invitation. Not available to applications.',
  argument: 'The invitation.',
  input: invitationInput,
  payload: declineInvitationPayload,
  resolve: async (input, ctx) => ({ id: await declineInvitation(ctx, input) }),
});
