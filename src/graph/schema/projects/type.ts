import { hasProjectRole } from '../../../domain/access/role.ts';
import { relationByColumn } from '../../../domain/kernel/relation.ts';
import { findProjects, type Project as ProjectRow } from '../../../domain/projects/project.ts';
import type { GraphContext } from '../../engine/context.ts';
import { builder } from '../kernel/builder.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Tracked } from '../users/tracked.ts';

export const ProjectAccess = builder.enumType('ProjectAccess', {
  description: 'Who takes part in a project.',
  values: {
    OPEN: {
      description:
        'Every member of the organization takes part and sees all content; guests only when added.',
    },
    RESTRICTED: {
      description: 'Only those who were added take part; editors and viewers see what is assigned to them.',
    },
  } as const,
});

export const ProjectRole = builder.enumType('ProjectRole', {
  description: 'What someone may do in a project.',
  values: {
    ADMIN: { description: 'Everything, settings and purging included.' },
    EDITOR: { description: 'Read and change content.' },
    VIEWER: { description: 'Read.' },
  } as const,
});

export const Project = builder.prismaObject('Project', {
  description: 'A project of an organization: it holds folders, documents, tasks and forms.',
  interfaces: [Node, Tracked],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    sourceId: t.exposeID('sourceId', { nullable: true, description: 'The project it was modelled on.' }),
    sourceContentCopied: t.exposeBoolean('sourceContentCopied', {
      description: 'Whether the content of that project was copied as well.',
    }),
    access: t.expose('access', { type: ProjectAccess, description: 'Who takes part in it.' }),
    disabled: t.boolean({
      description: 'Whether it is switched off: it can be read, and changed only by enabling it again.',
      resolve: ({ disabledAt }) => disabledAt !== null,
    }),
    viewerRole: t.field({
      type: ProjectRole,
      description: 'Your role in it.',
      resolve: (row) => (row as ProjectRow).viewerRole,
    }),
    viewerCanUpdate: t.boolean({
      description: 'Whether you may change its settings.',
      resolve: (row) => hasProjectRole((row as ProjectRow).viewerRole, 'ADMIN'),
    }),
  }),
});

nodeType('Project', ({ load }, id) => load.one(findProjects, id));

builder.queryField('project', (t) =>
  t.field({
    type: Project,
    nullable: true,
    description: 'A project by its id. NOT_FOUND for what is not there or not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, ctx) => ctx.load.seen(findProjects, id, 'Project'),
  }),
);

/** Extensions of a field that `projectOf` resolves. Rows of a list have the same project, so only a single row is joined. */
export const TO_PROJECT = { relation: relationByColumn('project_id', findProjects, 1) };

/** The project of a visible item. */
export const projectOf = ({ load }: GraphContext, id: string): Promise<ProjectRow> =>
  load.one(findProjects, id) as Promise<ProjectRow>;
