import type { ProjectGroup as ProjectGroupRow } from '../../../domain/groups/project-group.ts';
import { removeProjectGroups, updateProjectGroup } from '../../../domain/membership/project-group-change.ts';
import { BY_MEMBERS_SCOPE, WITHIN } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { ProjectRole } from '../projects/type.ts';
import { ProjectGroup } from './project-group.ts';

const updateProjectGroupInput = mutationInput({
  description: 'A change of a group in a project.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'In which project.' }),
    groupId: t.id({ required: true, description: 'Which Group.' }),
    role: t.field({ type: ProjectRole, required: true, description: 'The new role.' }),
  }),
});

const removeProjectGroupsInput = mutationInput({
  description: 'Groups of one project: all are removed, or none.',
  fields: (t) => ({
    organizationId: t.id({ description: WITHIN }),
    projectId: t.id({ required: true, description: 'From which project.' }),
    groupIds: t.idList({ required: true, description: 'Which Groups.' }),
  }),
});

const projectGroupPayload = mutationPayload<{ group: ProjectGroupRow }>({
  description: 'The group after the change.',
  fields: (t) => ({
    group: t.expose('group', { type: ProjectGroup, description: 'The group in the project.' }),
  }),
});

const removeProjectGroupsPayload = mutationPayload<{ ids: string[] }>({
  description: 'What was removed.',
  fields: (t) => ({
    groupIds: t.exposeIDList('ids', { description: 'The ids of the groups that were removed.' }),
  }),
});

mutation('updateProjectGroup', {
  scope: 'members:write',
  description: `Changes the role of a group in a project, and so of its members who have no higher one there. Requires the role ADMIN in it. ${BY_MEMBERS_SCOPE}`,
  argument: 'The change.',
  input: updateProjectGroupInput,
  payload: projectGroupPayload,
  resolve: async (input, ctx) => ({ group: await updateProjectGroup(ctx, input) }),
});

mutation('removeProjectGroups', {
  scope: 'members:write',
  description: `Removes groups from a project; who is in by them alone leaves it, and their pending approvals count as declined. Requires the role ADMIN in it. ${BY_MEMBERS_SCOPE}`,
  argument: 'The groups.',
  input: removeProjectGroupsInput,
  payload: removeProjectGroupsPayload,
  batch: { items: 'groupIds', empty: { ids: [] } },
  resolve: async (input, ctx) => ({ ids: await removeProjectGroups(ctx, input) }),
});
