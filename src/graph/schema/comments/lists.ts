import { commentsOfProject } from '../../../domain/comments/comment.ts';
import { builder } from '../kernel/builder.ts';
import { ageDirection, connect, fixedOrder, PREFETCH } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { Project } from '../projects/type.ts';
import { Comment } from './type.ts';

const byAge = fixedOrder('CREATED_AT', 'DESC');

builder.objectField(Project, 'comments', (t) =>
  t.connection(
    {
      scope: ['documents:read', 'tasks:read'],
      type: Comment,
      description:
        'The comments on its documents and tasks, recycled documents included: those of objects that are visible to you now. Newest first by default.',
      args: { direction: t.arg(ageDirection('DESC')) },
      extensions: PREFETCH,
      resolve: (project, args, ctx) => connect(ctx, commentsOfProject, project, args, byAge),
    },
    connectionOf(Comment),
  ),
);
