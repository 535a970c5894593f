import { roleSuffices } from '../../../domain/access/project-action.ts';
import { relationByColumn } from '../../../domain/kernel/relation.ts';
import {
  findProjectCopies,
  type ProjectCopy as ProjectCopyRow,
} from '../../../domain/projects/copy-state.ts';
import { findProjects, type Project as ProjectRow } from '../../../domain/projects/project.ts';
import type { GraphContext } from '../../engine/context.ts';
import { AS_OF, itemAt } from '../kernel/as-of.ts';
import { builder } from '../kernel/builder.ts';
import { IN_PAST } from '../kernel/field-options.ts';
import { foundRow } from '../kernel/found-row.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Tracked, Versioned } from '../users/tracked.ts';

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

const ProjectCopyState = builder.enumType('ProjectCopyState', {
  description: 'The state of a copy.',
  values: {
    RUNNING: { description: 'Items are being copied; the project is disabled until the end.' },
    COMPLETED: { description: 'Everything was copied.' },
    FAILED: {
      description:
        'The copy ended early, and `error` says why. What was copied stays, and the project stays disabled.',
    },
  } as const,
});

const ProjectCopy = builder.objectRef<ProjectCopyRow>('ProjectCopy').implement({
  description: 'The progress of filling a project from its source.',
  fields: (t) => ({
    state: t.expose('state', { type: ProjectCopyState, description: 'Whether it is under way.' }),
    copied: t.exposeInt('copied', { description: 'The number of items copied so far.' }),
    total: t.exposeInt('total', {
      description:
        'The number of items to copy: folders, fields, tags, forms, processes, templates, documents and tasks.',
    }),
    error: t.exposeString('error', { nullable: true, description: 'Why it failed; null otherwise.' }),
  }),
});

const foundProject = foundRow(findProjects, 'viewerRole', 'Project');

/**
 * Further fields: approvals/lists.ts, approvals/process.ts, comments/lists.ts, documents/lists.ts, fields/lists.ts,
 * file-text/type.ts, folders/type.ts, follows/type.ts, forms/type.ts, history/diff.ts, history/recorded-state.ts, lists.ts, membership/project-invitation.ts,
 * membership/project-member.ts, membership/work.ts, project-members/project-group.ts, search/type.ts, settings.ts, signatures/form.ts,
 * signatures/session.ts, signatures/template.ts, tasks/lists.ts.
 */
export const Project = builder.prismaObject('Project', {
  scope: { scope: 'organizations:read', open: ['name', 'organizationId', 'access'] },
  description: 'A project of an organization: it holds folders, documents, tasks and forms.',
  interfaces: [Node, Versioned, Tracked],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    sourceId: t.exposeID('sourceId', { nullable: true, description: 'The project that it is a copy of.' }),
    sourceContentCopied: t.exposeBoolean('sourceContentCopied', {
      description: 'Whether documents and tasks are copied from it as well.',
    }),
    copy: t.field({
      type: ProjectCopy,
      nullable: true,
      description: 'The copying of its source; null for a project without one.',
      resolve: ({ id }, _, { load }) => load.one(findProjectCopies, id),
    }),
    access: t.expose('access', { type: ProjectAccess, description: 'Who takes part in it.' }),
    accessChangedAt: t.expose('accessChangedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When `access` was last changed; null if never.',
    }),
    disabled: t.boolean({
      description: 'Whether it is disabled: it can be read, and changed only by enabling it again.',
      extensions: IN_PAST,
      resolve: ({ disabledAt }) => disabledAt !== null,
    }),
    viewerRole: t.field({
      type: ProjectRole,
      description: 'Your role in it.',
      resolve: (row, _, ctx) => foundProject(ctx, row, (found) => found.viewerRole),
    }),
    viewerCanUpdate: t.boolean({
      description: 'Whether you may change its settings.',
      resolve: (row, _, ctx) =>
        foundProject(ctx, row, (found) => roleSuffices(found.viewerRole, 'changeProject')),
    }),
  }),
});

nodeType('Project', ({ load }, id) => load.one(findProjects, id));

builder.queryField('project', (t) =>
  t.field({
    type: Project,
    nullable: true,
    description: 'A project by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }), asOf: t.arg(AS_OF) },
    resolve: (_, { id, asOf }, ctx) => itemAt(ctx, findProjects, id, asOf, 'Project'),
  }),
);

/** Extensions of a field that `projectOf` resolves. Rows of a list have the same project, so only a single row is joined. */
export const TO_PROJECT = { ...IN_PAST, relation: relationByColumn('project_id', findProjects, 1) };

/** The project of a visible item. */
export const projectOf = ({ load }: GraphContext, id: string): Promise<ProjectRow> =>
  load.one(findProjects, id) as Promise<ProjectRow>;
