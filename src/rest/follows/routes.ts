import {
  FollowDocumentsDocument,
  GetDocumentDocument,
  ListDocumentFollowsDocument,
  UnfollowDocumentsDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { choose, single } from '../wire/operations.ts';
import { pageRecord } from '../wire/pages.ts';
import {
  ORGANIZATION,
  organizationPath,
  PROJECT,
  projectPath,
  requireInProject,
  requireOrganization,
} from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { followChange } from './input.ts';
import { subscriptionRecord } from './record.ts';

const SUBSCRIPTION = `${PROJECT}/documentSubscriptions/:documentId`;

const documentsIn = (request: RestRequest) => ({
  input: { ...projectPath(request), documentIds: [request.path.documentId as string] },
});

export const followRoutes: Route[] = [
  route({
    id: 'listDocumentSubscriptions',
    method: 'GET',
    path: `${ORGANIZATION}/documentSubscriptions`,
    operation: storedOperation(ListDocumentFollowsDocument),
    in: (request) => ({ ...organizationPath(request), ...request.page }),
    out: ({ organization }, { page }) => {
      const { nodes, pageInfo } = requireOrganization(organization).viewerFollows;
      const documents = nodes.flatMap(({ subject }) => (subject?.__typename === 'Document' ? subject : []));
      return pageRecord(
        'DocumentSubscriptions',
        { nodes: documents, pageInfo },
        page.first,
        subscriptionRecord,
      );
    },
  }),
  route({
    id: 'getDocumentSubscription',
    method: 'GET',
    path: SUBSCRIPTION,
    operation: storedOperation(GetDocumentDocument),
    in: ({ path }) => ({ documentId: path.documentId as string }),
    out: ({ document }, request) => subscriptionRecord(requireInProject(document, request, 'Document')),
  }),
  {
    id: 'saveDocumentSubscription',
    names: { documentIds: 'documentId' },
    method: 'PUT',
    path: SUBSCRIPTION,
    operations: choose(
      ({ body }) => (followChange(body.object()).subscribed === false ? 'unfollow' : 'follow'),
      {
        follow: single({
          operation: storedMutation(FollowDocumentsDocument),
          in: documentsIn,
          out: ({ followDocuments }) => followDocuments.documents.map(subscriptionRecord)[0],
        }),
        unfollow: single({
          operation: storedMutation(UnfollowDocumentsDocument),
          in: documentsIn,
          out: ({ unfollowDocuments }) => unfollowDocuments.documents.map(subscriptionRecord)[0],
        }),
      },
    ),
  },
];
