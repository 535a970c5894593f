import { projectsOfOrganization } from '../../../domain/projects/project.ts';
import { builder } from '../kernel/builder.ts';
import { BY_NAME_OR_AGE, connect, orderInput, PREFETCH } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { IN_PAST } from '../kernel/field-options.ts';
import { Organization, organizationOf } from '../organizations/type.ts';
import { Project, ProjectAccess, ProjectRole } from './type.ts';

const ProjectFilter = builder.inputType('ProjectFilter', {
  description: 'Which projects a list holds; all conditions must match.',
  fields: (t) => ({
    namePrefix: t.string({ description: 'What the name starts with, ignoring case.' }),
    access: t.field({ type: ProjectAccess, description: 'Who takes part.' }),
    viewerRoles: t.field({
      type: [ProjectRole],
      description: 'Only those in which you have one of these roles.',
    }),
  }),
});

const ProjectOrder = orderInput('Project', BY_NAME_OR_AGE);

builder.objectField(Organization, 'projects', (t) =>
  t.connection(
    {
      type: Project,
      description: 'The projects of it that you take part in.',
      args: {
        filter: t.arg({ type: ProjectFilter, description: 'Which of them.' }),
        orderBy: t.arg({
          type: ProjectOrder,
          description: 'The order; by age by default.',
        }),
      },
      extensions: PREFETCH,
      resolve: ({ id }, args, ctx) =>
        connect(
          ctx,
          projectsOfOrganization,
          { organizationId: id, id },
          args,
          ({ filter, orderBy, ...page }) => ({
            ...page,
            filter: filter ?? {},
            orderBy: orderBy ?? { field: 'CREATED_AT', direction: 'ASC' },
          }),
        ),
    },
    connectionOf(Project),
  ),
);

builder.objectField(Project, 'organization', (t) =>
  t.field({
    type: Organization,
    description: 'The organization it belongs to.',
    extensions: IN_PAST,
    resolve: ({ organizationId }, _, ctx) => organizationOf(ctx, organizationId),
  }),
);
