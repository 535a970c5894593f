import { removeMembers, updateMember } from '../../../domain/membership/member-change.ts';
import type { Member as MemberRow } from '../../../domain/organizations/member.ts';
import { builder } from '../kernel/builder.ts';
import { WITHIN } from '../kernel/descriptions.ts';
import { OrganizationRole } from '../organizations/type.ts';
import { OrganizationMember } from './member.ts';

const UpdateMemberInput = builder.inputType('UpdateMemberInput', {
  description: 'A change of a member.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    memberId: t.id({ required: true, description: 'Which OrganizationMember.' }),
    role: t.field({ type: OrganizationRole, required: true, description: 'The new role.' }),
  }),
});

const RemoveMembersInput = builder.inputType('RemoveMembersInput', {
  description: 'Members of one organization: all are removed, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'From which organization.' }),
    memberIds: t.idList({ required: true, description: 'Which OrganizationMembers.' }),
  }),
});

export const MemberPayload = builder.objectRef<{ member: MemberRow }>('MemberPayload').implement({
  description: 'The member as they now are.',
  fields: (t) => ({ member: t.expose('member', { type: OrganizationMember, description: 'The member.' }) }),
});

const RemoveMembersPayload = builder.objectRef<{ ids: string[] }>('RemoveMembersPayload').implement({
  description: 'Who was removed.',
  fields: (t) => ({
    memberIds: t.exposeIDList('ids', { description: 'The ids of those who were removed.' }),
  }),
});

builder.mutationFields((t) => ({
  updateMember: t.field({
    type: MemberPayload,
    description:
      'Gives a member another role. Takes the role OWNER or ADMIN in the organization, and OWNER to make or unmake an owner. CONFLICT for the last owner. Applications cannot.',
    args: { input: t.arg({ type: UpdateMemberInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ member: await updateMember(ctx, input) }),
  }),
  removeMembers: t.field({
    type: RemoveMembersPayload,
    description:
      'Removes members, with their places in projects, what is assigned to them, and their say in approvals, which then counts as declined. Takes the role OWNER or ADMIN in the organization, and OWNER to remove an owner; anyone may remove themselves. CONFLICT for the last owner. Applications cannot.',
    args: { input: t.arg({ type: RemoveMembersInput, required: true, description: 'The members.' }) },
    resolve: async (_, { input }, ctx) => ({ ids: await removeMembers(ctx, input) }),
  }),
}));
