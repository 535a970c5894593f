import {
  type Follow as FollowRow,
  findFollows,
  findOwnFollows,
  followsOfOrganization,
  kindOf,
} from '../../../domain/follows/follow.ts';
import type { GraphContext } from '../../engine/context.ts';
import { Document } from '../documents/type.ts';
import { Folder } from '../folders/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { findNode, Node, nodeType } from '../kernel/node.ts';
import { Organization } from '../organizations/type.ts';
import { Project } from '../projects/type.ts';
import { Task } from '../tasks/type.ts';

const FollowKind = builder.enumType('FollowKind', {
  description: 'What kind of object is followed.',
  values: {
    DOCUMENT: { description: 'A document.' },
    FOLDER: { description: 'A folder, with everything below it.' },
    PROJECT: { description: 'A project, with everything in it.' },
    TASK: { description: 'A task.' },
  } as const,
});

const Follow = builder.objectRef<FollowRow>('Follow').implement({
  scope: 'events:read',
  description: 'You follow a document, folder, project or task. Nobody else sees that.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization of the object.' }),
    kind: t.field({ type: FollowKind, description: 'What kind of object is followed.', resolve: kindOf }),
    subject: t.field({
      type: Node,
      nullable: true,
      description: 'The document, folder, project or task; null if it was deleted in this moment.',
      resolve: ({ subjectId }, _, ctx) => findNode(ctx, subjectId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When you began to follow it.' }),
  }),
});

nodeType('Follow', ({ load }, id) => load.one(findFollows, id));

const ownFollow = ({ id }: { id: string }, { load }: GraphContext) =>
  load.one(findOwnFollows, id, ({ subjectId }) => subjectId);

const VIEWER_FOLLOWS = 'Whether you follow it.';
const VIEWER_FOLLOW = 'Your follow of it; null if you do not follow it.';

builder.objectFields(Document, (t) => ({
  viewerFollows: t.boolean({
    description: VIEWER_FOLLOWS,
    resolve: async (row, _, ctx) => (await ownFollow(row, ctx)) !== null,
  }),
  viewerFollow: t.field({
    scope: 'documents:read',
    type: Follow,
    nullable: true,
    description: VIEWER_FOLLOW,
    resolve: (row, _, ctx) => ownFollow(row, ctx),
  }),
}));

builder.objectFields(Folder, (t) => ({
  viewerFollows: t.boolean({
    description: VIEWER_FOLLOWS,
    resolve: async (row, _, ctx) => (await ownFollow(row, ctx)) !== null,
  }),
}));

builder.objectFields(Project, (t) => ({
  viewerFollows: t.boolean({
    description: VIEWER_FOLLOWS,
    resolve: async (row, _, ctx) => (await ownFollow(row, ctx)) !== null,
  }),
}));

builder.objectFields(Task, (t) => ({
  viewerFollows: t.boolean({
    description: VIEWER_FOLLOWS,
    resolve: async (row, _, ctx) => (await ownFollow(row, ctx)) !== null,
  }),
}));

builder.objectField(Organization, 'viewerFollows', (t) =>
  t.connection(
    {
      type: Follow,
      description: 'What you follow in it, newest first.',
      args: {
        kind: t.arg({ type: FollowKind, description: 'Only this kind of object.' }),
        projectId: t.arg.id({ description: 'Only this project, and objects in it.' }),
      },
      resolve: ({ id }, args, ctx) =>
        connect(
          ctx,
          followsOfOrganization,
          { organizationId: id, id },
          args,
          ({ kind, projectId, ...page }) => ({
            ...page,
            filter: { kind, projectId },
            orderBy: { field: 'CREATED_AT', direction: 'DESC' },
          }),
        ),
    },
    connectionOf(Follow),
  ),
);
