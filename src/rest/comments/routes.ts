import {
  ListProjectCommentsDocument,
  type ListProjectCommentsQuery,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { idAs, typeOfId } from '../../lib/id.ts';
import { pageRecord } from '../wire/pages.ts';
import { PROJECT, projectPath, requireProject } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { by, text, through, ZERO_TIME } from '../wire/values.ts';

type CommentNode = NonNullable<ListProjectCommentsQuery['project']>['comments']['nodes'][number];

/** ProjectEvent for a comment; ItemType and ItemID, which say what it is on, are additions. */
const projectCommentRecord = (comment: CommentNode) => ({
  ID: idAs('Event', comment.id),
  CreatedOn: comment.createdAt,
  ...by('Created', comment.createdBy),
  ModifiedOn: ZERO_TIME,
  Type: 'Comment',
  DetailJson: JSON.stringify({ Text: comment.text }),
  ItemType: typeOfId(comment.subjectId) === 'Task' ? 'Task' : 'Document',
  ItemID: comment.subjectId,
  ...through(comment.application),
});

export const commentRoutes: Route[] = [
  route({
    id: 'listProjectComments',
    method: 'GET',
    path: `${PROJECT}/comments`,
    operation: storedOperation(ListProjectCommentsDocument),
    in: (request) => ({
      projectId: projectPath(request).projectId,
      direction: (request.query.flag('sortDescending') ?? true) ? ('DESC' as const) : ('ASC' as const),
      ...request.page,
    }),
    out: ({ project }, request) => {
      const { comments } = requireProject(project, request);
      return {
        ...pageRecord('ProjectEvents', comments, request.page.first, projectCommentRecord),
        ReverseCursor: text(comments.pageInfo.startCursor),
      };
    },
  }),
];
