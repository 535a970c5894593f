import {
  ListProjectCommentsDocument,
  type ListProjectCommentsQuery,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { typeOfId } from '../../lib/id.ts';
import { directionIn } from '../wire/order.ts';
import { eventPageRecord } from '../wire/pages.ts';
import { PROJECT, projectPath, requireProject } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { ZERO_TIME } from '../wire/values.ts';
import { commentMembers } from './record.ts';

type CommentNode = NonNullable<ListProjectCommentsQuery['project']>['comments']['nodes'][number];

/** ProjectEvent for a comment; ItemType and ItemID, which say what it is on, are additions. */
const projectCommentRecord = (comment: CommentNode) => ({
  ...commentMembers(comment),
  ModifiedOn: ZERO_TIME,
  ItemType: typeOfId(comment.subjectId) === 'Task' ? 'Task' : 'Document',
  ItemID: comment.subjectId,
});

export const commentRoutes: Route[] = [
  route({
    id: 'listProjectComments',
    method: 'GET',
    path: `${PROJECT}/comments`,
    operation: storedOperation(ListProjectCommentsDocument),
    in: (request) => ({
      projectId: projectPath(request).projectId,
      direction: directionIn(request.query, true),
      ...request.page,
    }),
    out: ({ project }, request) => {
      const { comments } = requireProject(project, request);
      return eventPageRecord('ProjectEvents', comments, request.page.first, projectCommentRecord);
    },
  }),
];
