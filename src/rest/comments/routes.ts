import { ListProjectCommentsDocument } from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { directionIn } from '../wire/order.ts';
import { eventPageRecord } from '../wire/pages.ts';
import { PROJECT, projectPath, requireProject } from '../wire/project-path.ts';
import { type Route, route } from '../wire/route.ts';
import { commentEvent, projectCommentRecord } from './record.ts';

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
      return eventPageRecord('ProjectEvents', comments, request.page.first, (comment) =>
        projectCommentRecord(commentEvent(comment)),
      );
    },
  }),
];
