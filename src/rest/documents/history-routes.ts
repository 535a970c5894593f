import {
  CreateDocumentCommentsDocument,
  ListCommentsDocument,
  ListDocumentEventsDocument,
  ListRevisionsDocument,
} from '../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../graph/http/execute.ts';
import { newComments } from '../comments/input.ts';
import { directionIn } from '../wire/order.ts';
import { eventPageRecord, pageRecord } from '../wire/pages.ts';
import { PROJECT, projectPath, requireInProject } from '../wire/project-path.ts';
import type { RestRequest } from '../wire/request.ts';
import { type Route, route } from '../wire/route.ts';
import { commentRecord, eventRecord, revisionRecord } from './history-record.ts';

const DOCUMENT = `${PROJECT}/documents/:documentId`;

const pageOfDocument = ({ path, query, page }: RestRequest) => ({
  documentId: path.documentId as string,
  direction: directionIn(query, true),
  ...page,
});

export const documentHistoryRoutes: Route[] = [
  route({
    id: 'listDocumentRevisions',
    method: 'GET',
    path: `${DOCUMENT}/revisions`,
    operation: storedOperation(ListRevisionsDocument),
    in: pageOfDocument,
    out: ({ document }, request) => {
      const { id, revisions, revisionNumber } = requireInProject(document, request, 'Document');
      return pageRecord('DocumentRevisions', revisions, request.page.first, (revision) =>
        revisionRecord({ ...revision, documentId: id, currentNumber: revisionNumber }),
      );
    },
  }),
  route({
    id: 'listDocumentEvents',
    method: 'GET',
    path: `${DOCUMENT}/events`,
    operation: storedOperation(ListDocumentEventsDocument),
    in: pageOfDocument,
    out: ({ document }, request) => {
      const { id, events } = requireInProject(document, request, 'Document');
      return eventPageRecord('DocumentEvents', events, request.page.first, eventRecord(id));
    },
  }),
  route({
    id: 'createDocumentComments',
    names: newComments.names,
    method: 'POST',
    path: `${DOCUMENT}/comments`,
    operation: storedMutation(CreateDocumentCommentsDocument),
    in: (request) => ({
      input: {
        ...projectPath(request),
        documentId: request.path.documentId as string,
        ...newComments(request.body.object()),
      },
    }),
    out: ({ createComments }, { path }) =>
      createComments.comments.map(commentRecord(path.documentId as string)),
  }),
  route({
    id: 'listDocumentComments',
    method: 'GET',
    path: `${DOCUMENT}/comments`,
    operation: storedOperation(ListCommentsDocument),
    in: pageOfDocument,
    out: ({ document }, request) => {
      const { id, comments } = requireInProject(document, request, 'Document');
      return eventPageRecord('DocumentEvents', comments, request.page.first, commentRecord(id));
    },
  }),
];
