import {
  allFolders,
  childFolders,
  findAncestries,
  findAssignees,
  findFolders,
  rootFolders,
} from '../../../domain/folders/folder.ts';
import { folderLink } from '../../../domain/folders/folder-link.ts';
import { builder } from '../kernel/builder.ts';
import { connect, orderInput, PREFETCH } from '../kernel/connection.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Project, projectOf, TO_PROJECT } from '../projects/type.ts';
import { Tracked } from '../users/tracked.ts';

const FolderFilter = builder.inputType('FolderFilter', {
  description: 'Which folders a list holds; all conditions have to be met.',
  fields: (t) => ({ namePrefix: t.string({ description: 'What the name starts with, whatever the case.' }) }),
});

const FolderOrder = orderInput('Folder', {
  NAME: { description: 'The name, whatever the case.' },
  CREATED_AT: { description: 'When it was created.' },
});

export const Folder = builder.prismaObject('Folder', {
  description: 'A folder of a project: it holds folders and documents.',
  interfaces: [Node, Tracked],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization it belongs to.' }),
    project: t.field({
      type: Project,
      description: 'The project it belongs to.',
      extensions: TO_PROJECT,
      resolve: ({ projectId }, _, ctx) => projectOf(ctx, projectId),
    }),
    linkId: t.string({
      description: 'A second identifier, hard to guess, for links.',
      resolve: (folder, _, ctx) => folderLink(ctx, folder),
    }),
    name: t.exposeString('name', { description: 'Display name.' }),
    hexColor: t.exposeString('hexColor', { nullable: true, description: 'Its colour, such as `#3366cc`.' }),
    depth: t.int({
      description: 'Its level: 0 at the root.',
      resolve: ({ ancestorIds }) => ancestorIds.length,
    }),
    ancestorIds: t.exposeIDList('ancestorIds', { description: 'The ids from the root down to its parent.' }),
    path: t.stringList({
      description: 'The names from the root down to itself.',
      resolve: async ({ id }, _, { load }) => (await load.one(findAncestries, id))?.path ?? [],
    }),
    assigneeEmails: t.stringList({
      description: 'Who it is assigned to, by e-mail.',
      resolve: async ({ id }, _, { load }) => (await load.one(findAssignees, id))?.emails ?? [],
    }),
    inheritedAssigneeEmails: t.stringList({
      description: 'Who the folders above it are assigned to.',
      resolve: async ({ id }, _, { load }) => (await load.one(findAncestries, id))?.inheritedEmails ?? [],
    }),
    createdByWorkflow: t.exposeBoolean('createdByWorkflow', { description: 'Whether a workflow made it.' }),
  }),
});

builder.objectFields(Folder, (t) => ({
  parent: t.field({
    type: Folder,
    nullable: true,
    description: 'The folder it is in; null at the root.',
    resolve: ({ parentId }, _, { load }) => (parentId ? load.one(findFolders, parentId) : null),
  }),
  folders: t.connection({
    type: Folder,
    description: 'The folders directly in it.',
    args: {
      filter: t.arg({ type: FolderFilter, description: 'Which of them.' }),
      orderBy: t.arg({ type: FolderOrder, description: 'In which order; by name unless you say otherwise.' }),
    },
    extensions: PREFETCH,
    resolve: (folder, args, ctx) =>
      connect(ctx, childFolders, folder, args, ({ filter, orderBy, ...page }) => ({
        ...page,
        filter: filter ?? {},
        orderBy: orderBy ?? { field: 'NAME', direction: 'ASC' },
      })),
  }),
}));

builder.objectField(Project, 'folders', (t) =>
  t.connection({
    type: Folder,
    description: 'The folders at the root of the project, or with `anyDepth` all of them.',
    args: {
      anyDepth: t.arg.boolean({ description: 'Also the folders within folders.' }),
      filter: t.arg({ type: FolderFilter, description: 'Which of them.' }),
      orderBy: t.arg({ type: FolderOrder, description: 'In which order; by name unless you say otherwise.' }),
    },
    extensions: PREFETCH,
    resolve: (project, args, ctx) =>
      connect(
        ctx,
        args.anyDepth ? allFolders : rootFolders,
        project,
        args,
        ({ anyDepth: _, filter, orderBy, ...page }) => ({
          ...page,
          filter: filter ?? {},
          orderBy: orderBy ?? { field: 'NAME', direction: 'ASC' },
        }),
      ),
  }),
);

nodeType('Folder', ({ load }, id) => load.one(findFolders, id));

builder.queryField('folder', (t) =>
  t.field({
    type: Folder,
    nullable: true,
    description: 'A folder by its id. NOT_FOUND for what is not there or not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_, { id }, { load }) => load.seen(findFolders, id, 'Folder'),
  }),
);
