import { type Comment as CommentRow, findComments } from '../../../domain/comments/comment.ts';
import type { FieldScope } from '../../operations/scope-step.ts';
import { applicationOf, EventApplication } from '../events/application.ts';
import { builder } from '../kernel/builder.ts';
import { mutationPayload } from '../kernel/mutation.ts';
import { findNode, Node, nodeType } from '../kernel/node.ts';
import { author, toAuthor, User } from '../users/type.ts';

export const Comment = builder.objectRef<CommentRow>('Comment').implement({
  scope: ['documents:read', 'tasks:read'],
  description: 'A comment on a document or a task. It cannot be changed; owners and admins may redact it.',
  interfaces: [Node],
  fields: (t) => ({
    subjectId: t.exposeID('subjectId', { description: 'The id of the document or task.' }),
    subject: t.field({
      type: Node,
      nullable: true,
      description: 'The document or task; null if it was deleted in this moment.',
      resolve: ({ subjectId }, _, ctx) => findNode(ctx, subjectId),
    }),
    text: t.exposeString('text', { description: 'Plain text; empty once it is redacted.' }),
    isRedacted: t.boolean({
      description: 'Whether its text was removed by `redactEvents`.',
      resolve: ({ redactedById }) => redactedById !== null,
    }),
    taskRevision: t.exposeInt('taskRevision', {
      nullable: true,
      description:
        'The revision of the task when it was written; null on a document, and once it is redacted.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was written.' }),
    createdBy: t.field({
      type: User,
      nullable: true,
      description: 'Who wrote it.',
      extensions: toAuthor('actor_id'),
      resolve: ({ actorId }, _, ctx) => (actorId ? author(ctx, actorId) : null),
    }),
    application: t.field({
      type: EventApplication,
      nullable: true,
      description: 'The application that wrote it on their behalf; null if they wrote it themselves.',
      resolve: (event, _, ctx) => applicationOf(event, ctx),
    }),
  }),
});

nodeType('Comment', ({ load }, id) => load.one(findComments, id));

/** Comments of documents or tasks; `scope` reads those. */
export const commentsPayload = (scope: FieldScope) =>
  mutationPayload<{ comments: CommentRow[] }>({
    description: 'The new comments.',
    fields: (t) => ({
      comments: t.expose('comments', { scope, type: [Comment], description: 'In the order of the input.' }),
    }),
  });
