import type { ProjectMember as ProjectMemberRow } from '../../../domain/membership/project-member.ts';
import { type AddedToProject, addProjectMembers } from '../../../domain/membership/project-member-add.ts';
import {
  removeProjectMembers,
  updateProjectMember,
} from '../../../domain/membership/project-member-change.ts';
import { builder } from '../kernel/builder.ts';
import { BY_MEMBERS_SCOPE, WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { ProjectInvitation } from '../membership/project-invitation.ts';
import { ProjectMember } from '../membership/project-member.ts';
import { ProjectRole } from '../projects/type.ts';
import { ProjectGroup } from './project-group.ts';

const ProjectMemberPerson = builder.inputType('ProjectMemberPerson', {
  description: 'Who is added to a project, named by exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    email: t.string({
      description: 'The e-mail address of a member of the organization, or of a person invited to it.',
    }),
    userId: t.id({ description: 'The id of a member of the organization as a User.' }),
    organizationMemberId: t.id({ description: 'The id of a member of the organization.' }),
    invitationId: t.id({ description: 'The id of an invitation to the organization.' }),
  }),
});

const NewProjectMember = builder.inputType('NewProjectMember', {
  description: 'One person to add to a project.',
  fields: (t) => ({
    person: t.field({ type: ProjectMemberPerson, required: true, description: 'Who.' }),
    role: t.field({
      type: ProjectRole,
      required: true,
      description: 'What they may do in the project; a guest can only be a VIEWER.',
    }),
  }),
});

const NewProjectGroup = builder.inputType('NewProjectGroup', {
  description: 'A group to add to a project.',
  fields: (t) => ({
    groupId: t.id({ required: true, description: 'Which group.' }),
    role: t.field({
      type: ProjectRole,
      required: true,
      description:
        'What its members may do in the project at least; guests of the organization no more than VIEWER.',
    }),
  }),
});

const addProjectMembersInput = mutationInput({
  description: 'People and groups to add to a project: all are added, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'To which project.' }),
    members: t.field({ type: [NewProjectMember], description: 'The people, in order.' }),
    groups: t.field({
      type: [NewProjectGroup],
      description:
        'Groups, in order: their members are members of the project as long as they are in the group. CONFLICT above 20,000 members of a group times the projects that it is in.',
    }),
    keepExisting: t.boolean({
      description:
        'With true: people and groups that were added before stay as they are, whatever role is asked for, and are in the answer.',
    }),
  }),
});

const updateProjectMemberInput = mutationInput({
  description: 'A change of someone who was added to a project.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    memberId: t.id({ required: true, description: 'Which ProjectMember.' }),
    role: t.field({ type: ProjectRole, required: true, description: 'The new role of their own.' }),
  }),
});

const removeProjectMembersInput = mutationInput({
  description: 'Members of one project: all are removed, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'From which project.' }),
    memberIds: t.idList({ required: true, description: 'Which ProjectMembers.' }),
  }),
});

const addProjectMembersPayload = mutationPayload<AddedToProject>({
  description: 'What was added, and with `keepExisting` what was there before.',
  fields: (t) => ({
    members: t.expose('members', {
      type: [ProjectMember],
      description: 'The people who were named, in the order of the input.',
    }),
    groups: t.expose('groups', {
      type: [ProjectGroup],
      description: 'The groups, in the order of the input.',
    }),
    invitations: t.expose('invitations', {
      type: [ProjectInvitation],
      description: 'The people who join the project when they accept, in the order of the input.',
    }),
  }),
});

const projectMemberPayload = mutationPayload<{ member: ProjectMemberRow }>({
  description: 'The member after the change.',
  fields: (t) => ({ member: t.expose('member', { type: ProjectMember, description: 'The member.' }) }),
});

const removeProjectMembersPayload = mutationPayload<{ ids: string[] }>({
  description: 'Who was removed.',
  fields: (t) => ({
    memberIds: t.exposeIDList('ids', { description: 'The ids of those who were removed.' }),
  }),
});

mutation('addProjectMembers', {
  scope: 'members:write',
  description: `Adds members of the organization and groups to a project. A person who is invited to the organization joins the project when they accept; owners and admins of the organization can add them. Requires the role ADMIN in the project. NOT_FOUND for anyone else, CONFLICT for those who were added before themselves, unless \`keepExisting\` is true. ${BY_MEMBERS_SCOPE}`,
  argument: 'The people.',
  input: addProjectMembersInput,
  payload: addProjectMembersPayload,
  resolve: (input, ctx) => addProjectMembers(ctx, input),
});

mutation('updateProjectMember', {
  scope: 'members:write',
  description: `Changes the own role of a project member; a higher role of their groups counts on. Requires the role ADMIN in it. ${BY_MEMBERS_SCOPE}`,
  argument: 'The change.',
  input: updateProjectMemberInput,
  payload: projectMemberPayload,
  resolve: async (input, ctx) => ({ member: await updateProjectMember(ctx, input) }),
});

mutation('removeProjectMembers', {
  scope: 'members:write',
  description: `Removes people from a project; who is in by a group too keeps the role of that. CONFLICT for who is in by groups only. The pending approvals of those who lose access count as declined. Requires the role ADMIN in it; anyone may leave a project to which they then lose access. ${BY_MEMBERS_SCOPE}`,
  argument: 'The members.',
  input: removeProjectMembersInput,
  payload: removeProjectMembersPayload,
  batch: { items: 'memberIds', empty: { ids: [] } },
  resolve: async (input, ctx) => ({ ids: await removeProjectMembers(ctx, input) }),
});
