import { removeMembers, updateMember } from '../../../domain/membership/member-change.ts';
import type { Member as MemberRow } from '../../../domain/organizations/member.ts';
import { BY_MEMBERS_SCOPE, WITHIN } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { OrganizationRole } from '../organizations/type.ts';
import { OrganizationMember } from './member.ts';

const updateMemberInput = mutationInput({
  description: 'A change of a member.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    memberId: t.id({ required: true, description: 'Which OrganizationMember.' }),
    role: t.field({ type: OrganizationRole, required: true, description: 'The new role.' }),
  }),
});

const removeMembersInput = mutationInput({
  description: 'Members of one organization: all are removed, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'From which organization.' }),
    memberIds: t.idList({ required: true, description: 'Which OrganizationMembers.' }),
  }),
});

export const memberPayload = mutationPayload<{ member: MemberRow }>({
  description: 'The member after the change.',
  fields: (t) => ({ member: t.expose('member', { type: OrganizationMember, description: 'The member.' }) }),
});

const removeMembersPayload = mutationPayload<{ ids: string[] }>({
  description: 'Who was removed.',
  fields: (t) => ({
    memberIds: t.exposeIDList('ids', { description: 'The ids of those who were removed.' }),
  }),
});

mutation('updateMember', {
  scope: 'members:write',
  description: `Changes the role of a member. Requires the role OWNER or ADMIN in the organization, and OWNER to appoint or demote an owner. CONFLICT for the last owner. ${BY_MEMBERS_SCOPE}`,
  argument: 'The change.',
  input: updateMemberInput,
  payload: memberPayload,
  resolve: async (input, ctx) => ({ member: await updateMember(ctx, input) }),
});

mutation('removeMembers', {
  scope: 'members:write',
  description: `Removes members, with their project memberships and assignments; their pending approvals count as declined. Requires the role OWNER or ADMIN in the organization, and OWNER to remove an owner; anyone may remove themselves. CONFLICT for the last owner. ${BY_MEMBERS_SCOPE}`,
  argument: 'The members.',
  input: removeMembersInput,
  payload: removeMembersPayload,
  batch: { items: 'memberIds', empty: { ids: [] } },
  resolve: async (input, ctx) => ({ ids: await removeMembers(ctx, input) }),
});
