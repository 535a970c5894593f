import { type Comment as CommentRow, findComments } from '../domain/comment.ts';
import { builder } from './builder.ts';
import { Node, nodeType } from './node.ts';
import { author, User } from './user.ts';

export const Comment = builder.objectRef<CommentRow>('Comment').implement({
  description: 'What someone said on a document. It is never changed.',
  interfaces: [Node],
  fields: (t) => ({
    text: t.string({ description: 'Plain text.', resolve: ({ data }) => data.text }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was said.' }),
    createdBy: t.field({
      type: User,
      nullable: true,
      description: 'Who said it.',
      resolve: ({ actorId }, _, ctx) => (actorId ? author(ctx, actorId) : null),
    }),
  }),
});

nodeType('Event', ({ load }, id) => load.one(findComments, id), 'Comment');
