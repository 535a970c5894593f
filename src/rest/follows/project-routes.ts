import {
  ListProjectDocumentFollowsDocument,
  type ListProjectDocumentFollowsQuery,
  ListProjectTaskFollowsDocument,
  type ListProjectTaskFollowsQuery,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { pageRecord } from '../wire/pages.ts';
import { PROJECT, projectPath, requireOrganization, requireProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { projectFollowRecords } from './record.ts';

const followsIn = (request: RestRequest) => ({ ...projectPath(request), ...request.page });

/** A page of what the caller follows in the project. An object that was deleted in this moment is left out. */
function followPage(
  type: 'Document' | 'Task',
  { viewer, project, organization }: ListProjectDocumentFollowsQuery | ListProjectTaskFollowsQuery,
  request: RestRequest,
) {
  requireProject(project, request);
  const { nodes, pageInfo } = requireOrganization(organization).viewerFollows;
  const follows = [...nodes].flatMap(({ createdAt, subject }) =>
    subject && 'id' in subject
      ? { ...projectPath(request), userId: viewer.user.id, createdAt, subjectId: subject.id }
      : [],
  );
  return pageRecord(
    `${type}Subscriptions`,
    { nodes: follows, pageInfo },
    request.page.first,
    projectFollowRecords[type],
  );
}

export const projectFollowRoutes: Route[] = [
  route({
    id: 'listProjectDocumentSubscriptions',
    method: 'GET',
    path: `${PROJECT}/documentSubscriptions`,
    operation: storedOperation(ListProjectDocumentFollowsDocument),
    in: followsIn,
    out: (data, request) => followPage('Document', data, request),
  }),
  route({
    id: 'listProjectTaskSubscriptions',
    method: 'GET',
    path: `${PROJECT}/taskSubscriptions`,
    operation: storedOperation(ListProjectTaskFollowsDocument),
    in: followsIn,
    out: (data, request) => followPage('Task', data, request),
  }),
];
