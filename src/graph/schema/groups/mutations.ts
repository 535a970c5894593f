import type { Group as GroupRow } from '../../../domain/groups/group.ts';
import { createGroups, deleteGroups, updateGroup } from '../../../domain/membership/group-change.ts';
import { addGroupMembers, removeGroupMembers } from '../../../domain/membership/group-member-change.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION, WITHIN } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Group } from './type.ts';

const REQUIRES = 'Requires the role OWNER or ADMIN in the organization. Not available to applications.';

const NewGroup = builder.inputType('NewGroup', {
  description: 'A group to create.',
  fields: (t) => ({
    name: t.string({
      required: true,
      description: 'Display name; CONFLICT if another group of the organization has it, ignoring case.',
    }),
  }),
});

const createGroupsInput = mutationInput({
  description: 'Groups to create: all are created, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'In which organization.' }),
    groups: t.field({ type: [NewGroup], required: true, description: 'The groups, in order.' }),
  }),
});

const updateGroupInput = mutationInput({
  description: 'A change of a group. Members left out, or null, keep their value.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    groupId: t.id({ required: true, description: 'Which group.' }),
    name: t.string({ description: 'The new name.' }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const deleteGroupsInput = mutationInput({
  description: 'Groups to delete: all are deleted, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'In which organization.' }),
    groupIds: t.idList({ required: true, description: 'Which groups.' }),
  }),
});

const groupMembersInput = mutationInput({
  description: 'Members of the organization of a group: all change, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    groupId: t.id({ required: true, description: 'Which group.' }),
    memberIds: t.idList({ required: true, description: 'Which OrganizationMembers.' }),
  }),
});

const createGroupsPayload = mutationPayload<{ groups: GroupRow[] }>({
  description: 'The new groups.',
  fields: (t) => ({
    groups: t.expose('groups', { type: [Group], description: 'In the order of the input.' }),
  }),
});

const groupPayload = mutationPayload<{ group: GroupRow }>({
  description: 'The group after the change.',
  fields: (t) => ({ group: t.expose('group', { type: Group, description: 'The group.' }) }),
});

const deleteGroupsPayload = mutationPayload<{ ids: string[] }>({
  description: 'What was deleted.',
  fields: (t) => ({
    groupIds: t.exposeIDList('ids', { description: 'The ids of those that were deleted.' }),
  }),
});

mutation('createGroups', {
  scope: 'write',
  description: `Creates empty groups of people. ${REQUIRES}`,
  argument: 'The groups.',
  input: createGroupsInput,
  payload: createGroupsPayload,
  batch: { items: 'groups', empty: { groups: [] } },
  resolve: async (input, ctx) => ({ groups: await createGroups(ctx, input) }),
});

mutation('updateGroup', {
  scope: 'write',
  description: `Renames a group. ${REQUIRES}`,
  argument: 'The change.',
  input: updateGroupInput,
  payload: groupPayload,
  resolve: async (input, ctx) => ({ group: await updateGroup(ctx, input) }),
});

mutation('deleteGroups', {
  scope: 'write',
  description: `Deletes groups. Their members stay in the organization; who is in a project by them alone leaves it. ${REQUIRES}`,
  argument: 'The groups.',
  input: deleteGroupsInput,
  payload: deleteGroupsPayload,
  batch: { items: 'groupIds', empty: { ids: [] } },
  resolve: async (input, ctx) => ({ ids: await deleteGroups(ctx, input) }),
});

mutation('addGroupMembers', {
  scope: 'write',
  description: `Adds members of the organization to a group; those who are in it stay. They become members of its projects at once. CONFLICT above 1,000, and above 20,000 members times projects. ${REQUIRES}`,
  argument: 'The members.',
  input: groupMembersInput,
  payload: groupPayload,
  resolve: async (input, ctx) => ({ group: await addGroupMembers(ctx, input) }),
});

mutation('removeGroupMembers', {
  scope: 'write',
  description: `Removes members from a group. Who is in a project by it alone leaves that at once. Who leaves the organization leaves its groups. ${REQUIRES}`,
  argument: 'The members.',
  input: groupMembersInput,
  payload: groupPayload,
  resolve: async (input, ctx) => ({ group: await removeGroupMembers(ctx, input) }),
});
