import type { Project as ProjectRow } from '../../../domain/projects/project.ts';
import {
  type DeletedProject as DeletedProjectRow,
  deletedProjectsOfOrganization,
  deleteProjects,
  restoreProjects,
} from '../../../domain/projects/project-delete.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { MANAGERS_ONLY } from '../kernel/field-options.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Organization } from '../organizations/type.ts';
import { author, User } from '../users/type.ts';
import { Project } from './type.ts';

const DeletedProject = builder.objectRef<DeletedProjectRow>('DeletedProject').implement({
  description: 'A project that was deleted and can still be restored.',
  fields: (t) => ({
    projectId: t.exposeID('id', { description: 'The id of the project.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    deletedAt: t.expose('purgeMarkedAt', { type: 'DateTime', description: 'When it was deleted.' }),
    deletedBy: t.field({
      type: User,
      description: 'Who deleted it.',
      resolve: ({ purgeMarkedById }, _, ctx) => author(ctx, purgeMarkedById),
    }),
  }),
});

builder.objectField(Organization, 'deletedProjects', (t) =>
  t.connection(
    {
      type: DeletedProject,
      hidden: MANAGERS_ONLY,
      description:
        'Projects that were deleted and can still be restored, the latest first. For owners and admins.',
      resolve: ({ id }, args, ctx) =>
        connect(ctx, deletedProjectsOfOrganization, { organizationId: id, id }, args, (page) => ({
          ...page,
          filter: {},
          orderBy: { field: 'DELETED_AT', direction: 'DESC' },
        })),
    },
    connectionOf(DeletedProject),
  ),
);

const projectsInput = mutationInput({
  description: 'Projects of one organization: all are changed, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'The organization.' }),
    projectIds: t.idList({ required: true, description: 'Which projects.' }),
  }),
});

const deleteProjectsPayload = mutationPayload<{ ids: string[] }>({
  description: 'The deleted projects.',
  fields: (t) => ({ projectIds: t.exposeIDList('ids', { description: 'The ids of the projects.' }) }),
});

const restoreProjectsPayload = mutationPayload<{ projects: ProjectRow[] }>({
  description: 'The restored projects.',
  fields: (t) => ({
    projects: t.expose('projects', { type: [Project], description: 'In the order of the input.' }),
  }),
});

mutation('deleteProjects', {
  scope: 'organizations:write',
  description:
    'Deletes projects with their content, which becomes invisible. They can be restored as long as the recycle ' +
    'bin keeps documents. Requires the role ADMIN in each.',
  argument: 'The projects.',
  input: projectsInput,
  payload: deleteProjectsPayload,
  batch: { items: 'projectIds', empty: { ids: [] } },
  resolve: async (input, ctx) => ({ ids: await deleteProjects(ctx, input) }),
});

mutation('restoreProjects', {
  scope: 'organizations:write',
  description: 'Restores deleted projects. Requires the role OWNER or ADMIN in the organization.',
  argument: 'The projects.',
  input: projectsInput,
  payload: restoreProjectsPayload,
  batch: { items: 'projectIds', empty: { projects: [] } },
  resolve: async (input, ctx) => ({ projects: await restoreProjects(ctx, input) }),
});
