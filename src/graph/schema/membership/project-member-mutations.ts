import type { ProjectMember as ProjectMemberRow } from '../../../domain/membership/project-member.ts';
import {
  addProjectMembers,
  removeProjectMembers,
  updateProjectMember,
} from '../../../domain/membership/project-member-change.ts';
import { builder } from '../kernel/builder.ts';
import { WITHIN, WITHIN_PROJECT } from '../kernel/descriptions.ts';
import { ProjectRole } from '../projects/type.ts';
import { ProjectMember } from './project-member.ts';

const NewProjectMember = builder.inputType('NewProjectMember', {
  description: 'One person to add to a project.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'The e-mail address of a member of the organization.' }),
    role: t.field({
      type: ProjectRole,
      required: true,
      description: 'What they may do in the project; a guest can only be a VIEWER.',
    }),
  }),
});

const AddProjectMembersInput = builder.inputType('AddProjectMembersInput', {
  description: 'People to add to a project: all are added, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'To which project.' }),
    members: t.field({ type: [NewProjectMember], required: true, description: 'The people, in order.' }),
  }),
});

const UpdateProjectMemberInput = builder.inputType('UpdateProjectMemberInput', {
  description: 'A change of someone who was added to a project.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ description: WITHIN_PROJECT }),
    memberId: t.id({ required: true, description: 'Which ProjectMember.' }),
    role: t.field({ type: ProjectRole, required: true, description: 'The new role.' }),
  }),
});

const RemoveProjectMembersInput = builder.inputType('RemoveProjectMembersInput', {
  description: 'Members of one project: all are removed, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'From which project.' }),
    memberIds: t.idList({ required: true, description: 'Which ProjectMembers.' }),
  }),
});

const AddProjectMembersPayload = builder
  .objectRef<{ members: ProjectMemberRow[] }>('AddProjectMembersPayload')
  .implement({
    description: 'Who was added.',
    fields: (t) => ({
      members: t.expose('members', { type: [ProjectMember], description: 'In the order of the input.' }),
    }),
  });

const ProjectMemberPayload = builder
  .objectRef<{ member: ProjectMemberRow }>('ProjectMemberPayload')
  .implement({
    description: 'The member as they now are.',
    fields: (t) => ({ member: t.expose('member', { type: ProjectMember, description: 'The member.' }) }),
  });

const RemoveProjectMembersPayload = builder
  .objectRef<{ ids: string[] }>('RemoveProjectMembersPayload')
  .implement({
    description: 'Who was removed.',
    fields: (t) => ({
      memberIds: t.exposeIDList('ids', { description: 'The ids of those who were removed.' }),
    }),
  });

builder.mutationFields((t) => ({
  addProjectMembers: t.field({
    type: AddProjectMembersPayload,
    description:
      'Adds members of the organization to a project. Takes the role ADMIN in it. NOT_FOUND for anyone else, CONFLICT for those who were added before. Applications cannot.',
    args: { input: t.arg({ type: AddProjectMembersInput, required: true, description: 'The people.' }) },
    resolve: async (_, { input }, ctx) => ({ members: await addProjectMembers(ctx, input) }),
  }),
  updateProjectMember: t.field({
    type: ProjectMemberPayload,
    description: 'Gives someone another role in a project. Takes the role ADMIN in it. Applications cannot.',
    args: { input: t.arg({ type: UpdateProjectMemberInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx) => ({ member: await updateProjectMember(ctx, input) }),
  }),
  removeProjectMembers: t.field({
    type: RemoveProjectMembersPayload,
    description:
      'Removes people from a project; who takes no part in it then is out of its approvals as well, as if they had declined. Takes the role ADMIN in it; anyone may leave a project that they would then not take part in. Applications cannot.',
    args: { input: t.arg({ type: RemoveProjectMembersInput, required: true, description: 'The members.' }) },
    resolve: async (_, { input }, ctx) => ({ ids: await removeProjectMembers(ctx, input) }),
  }),
}));
