import type { ListProjectCommentsQuery } from '../../generated/operations/graphql.ts';
import { idAs } from '../../lib/id.ts';
import { by, through } from '../wire/values.ts';

type CommentNode = NonNullable<ListProjectCommentsQuery['project']>['comments']['nodes'][number];

/** The members that DocumentEvent, TaskEvent and ProjectEvent have for a comment, with its text in the details. */
export const commentMembers = (comment: Omit<CommentNode, 'subjectId'>) => ({
  ID: idAs('Event', comment.id),
  CreatedOn: comment.createdAt,
  ...by('Created', comment.createdBy),
  Type: 'Comment',
  DetailJson: JSON.stringify({ Text: comment.text }),
  ...through(comment.application),
});
