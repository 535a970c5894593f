import type { Project as ProjectRow } from '../../../domain/projects/project.ts';
import {
  type DeletedProject as DeletedProjectRow,
  deletedProjectsOfOrganization,
  deleteProjects,
  restoreProjects,
} from '../../../domain/projects/project-delete.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { Organization } from '../organizations/type.ts';
import { author, User } from '../users/type.ts';
import { Project } from './type.ts';

const DeletedProject = builder.objectRef<DeletedProjectRow>('DeletedProject').implement({
  description: 'A project that was deleted and can still be restored.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the project.' }),
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
  t.connection({
    type: DeletedProject,
    description:
      'Projects that were deleted and can still be restored, the latest first. For owners and admins.',
    resolve: ({ id }, args, ctx) =>
      connect(ctx, deletedProjectsOfOrganization, { organizationId: id, id }, args, (page) => ({
        ...page,
        filter: {},
        orderBy: { field: 'DELETED_AT', direction: 'DESC' },
      })),
  }),
);

const ProjectsInput = builder.inputType('ProjectsInput', {
  description: 'Projects of one organization: all of them change, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'The organization.' }),
    projectIds: t.idList({ required: true, description: 'Which projects.' }),
  }),
});

const DeleteProjectsPayload = builder.objectRef<{ ids: string[] }>('DeleteProjectsPayload').implement({
  description: 'What is deleted.',
  fields: (t) => ({ projectIds: t.exposeIDList('ids', { description: 'The ids of the projects.' }) }),
});

const RestoreProjectsPayload = builder
  .objectRef<{ projects: ProjectRow[] }>('RestoreProjectsPayload')
  .implement({
    description: 'What is back.',
    fields: (t) => ({
      projects: t.expose('projects', { type: [Project], description: 'In the order of the input.' }),
    }),
  });

builder.mutationFields((t) => ({
  deleteProjects: t.field({
    type: DeleteProjectsPayload,
    description:
      'Deletes projects with all that is in them: nobody sees them any more. They can be restored as long as the recycle ' +
      'bin keeps documents. Takes the role ADMIN in each.',
    args: { input: t.arg({ type: ProjectsInput, required: true, description: 'The projects.' }) },
    resolve: async (_, { input }, ctx) => ({ ids: await deleteProjects(ctx, input) }),
  }),
  restoreProjects: t.field({
    type: RestoreProjectsPayload,
    description: 'Takes deletions back. Takes the role OWNER or ADMIN in the organization.',
    args: { input: t.arg({ type: ProjectsInput, required: true, description: 'The projects.' }) },
    resolve: async (_, { input }, ctx) => ({ projects: await restoreProjects(ctx, input) }),
  }),
}));
