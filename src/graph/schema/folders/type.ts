import {
  allFolders,
  childFolders,
  findAncestries,
  findAssignees,
  findFolders,
  rootFolders,
} from '../../../domain/folders/folder.ts';
import { folderLink } from '../../../domain/folders/folder-link.ts';
import { AS_OF, itemAt } from '../kernel/as-of.ts';
import { builder } from '../kernel/builder.ts';
import { BY_NAME_OR_AGE, connect, defaultOrder, orderInput, PREFETCH } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { IN_PAST } from '../kernel/field-options.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { Project, projectOf, TO_PROJECT } from '../projects/type.ts';
import { Tracked, Versioned } from '../users/tracked.ts';

const FolderFilter = builder.inputType('FolderFilter', {
  description: 'Conditions for the folders of a list; all have to be met.',
  fields: (t) => ({ namePrefix: t.string({ description: 'What the name starts with, ignoring case.' }) }),
});

const FolderOrder = orderInput('Folder', BY_NAME_OR_AGE);

/** Options of the arguments of lists of folders. */
const FILTER = { type: FolderFilter, description: 'Which folders; all if omitted.' };
const ORDER = { type: FolderOrder, description: 'The order; by name by default.' };

const byName = defaultOrder({ field: 'NAME', direction: 'ASC' });

/** Further fields: documents/lists.ts, follows/type.ts, history/recorded-state.ts. */
export const Folder = builder.prismaObject('Folder', {
  scope: 'documents:read',
  description: 'A folder of a project: it contains folders and documents.',
  interfaces: [Node, Versioned, Tracked],
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
      extensions: IN_PAST,
      resolve: ({ ancestorIds }) => ancestorIds.length,
    }),
    ancestorIds: t.exposeIDList('ancestorIds', {
      description: 'The ids of the folders from the root to its parent.',
    }),
    path: t.stringList({
      description: 'The names of the folders from the root to the folder itself.',
      extensions: IN_PAST,
      resolve: async ({ id }, _, { load }) => (await load.one(findAncestries, id))?.path ?? [],
    }),
    assigneeEmails: t.stringList({
      description: 'The e-mail addresses of its assignees.',
      extensions: IN_PAST,
      resolve: async ({ id }, _, { load }) => (await load.one(findAssignees, id))?.emails ?? [],
    }),
    inheritedAssigneeEmails: t.stringList({
      description: 'The e-mail addresses of the assignees of the folders above it.',
      extensions: IN_PAST,
      resolve: async ({ id }, _, { load }) => (await load.one(findAncestries, id))?.inheritedEmails ?? [],
    }),
    createdByWorkflow: t.exposeBoolean('createdByWorkflow', {
      description: 'Whether a workflow created it.',
    }),
  }),
});

builder.objectFields(Folder, (t) => ({
  parent: t.field({
    type: Folder,
    nullable: true,
    description: 'The folder that contains it; null at the root.',
    extensions: IN_PAST,
    resolve: ({ parentId }, _, { load }) => (parentId ? load.one(findFolders, parentId) : null),
  }),
  folders: t.connection(
    {
      type: Folder,
      description: 'The folders directly in the folder.',
      args: {
        filter: t.arg(FILTER),
        orderBy: t.arg(ORDER),
      },
      extensions: { ...PREFETCH, ...IN_PAST },
      resolve: (folder, args, ctx) => connect(ctx, childFolders, folder, args, byName),
    },
    connectionOf(Folder),
  ),
}));

builder.objectField(Project, 'folders', (t) =>
  t.connection(
    {
      type: Folder,
      description: 'The folders at the root of the project; all of its folders with `anyDepth`.',
      args: {
        anyDepth: t.arg.boolean({ description: 'Whether to include folders within folders.' }),
        filter: t.arg(FILTER),
        orderBy: t.arg(ORDER),
      },
      extensions: { ...PREFETCH, ...IN_PAST },
      resolve: (project, args, ctx) =>
        connect(ctx, args.anyDepth ? allFolders : rootFolders, project, args, ({ anyDepth: _, ...list }) =>
          byName(list),
        ),
    },
    connectionOf(Folder),
  ),
);

nodeType('Folder', ({ load }, id) => load.one(findFolders, id));

builder.queryField('folder', (t) =>
  t.field({
    type: Folder,
    nullable: true,
    description: 'A folder by its id. NOT_FOUND if it does not exist or is not visible to you.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }), asOf: t.arg(AS_OF) },
    resolve: (_, { id, asOf }, ctx) => itemAt(ctx, findFolders, id, asOf, 'Folder'),
  }),
);
