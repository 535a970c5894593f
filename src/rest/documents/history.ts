import {
  CreateDocumentCommentsDocument,
  ListCommentsDocument,
  type ListCommentsQuery,
  ListDocumentEventsDocument,
  type ListDocumentEventsQuery,
  ListRevisionsDocument,
} from '../../generated/operations/graphql.ts';
import { storedOperation } from '../../graph/http/execute.ts';
import { PROJECT, projectPath, requireInProject } from '../wire/path.ts';
import { type RestRequest, type Route, route } from '../wire/route.ts';
import { by, pageRecord, text, through } from '../wire/wire.ts';

const request = ({ path, query, page }: RestRequest) => ({
  documentId: path.documentId as string,
  direction: (query.flag('sortDescending') ?? true) ? ('DESC' as const) : ('ASC' as const),
  ...page,
});

type CommentNode = NonNullable<ListCommentsQuery['document']>['comments']['nodes'][number];

/** DocumentEvent; a comment is an event whose details hold its text. */
const commentRecord = (documentId: string) => (comment: CommentNode) => ({
  ID: comment.id,
  DocumentID: documentId,
  CreatedOn: comment.createdAt,
  ...by('Created', comment.createdBy),
  Type: 'Comment',
  DetailJson: JSON.stringify({ Text: comment.text }),
  ...through(comment.application),
});

type EventNode = NonNullable<ListDocumentEventsQuery['document']>['events']['nodes'][number];

/** DocumentEvent of any kind: `document.restored` is `Restored` here, and what it changed stands in the details. */
const eventRecord = (documentId: string) => (event: EventNode) => {
  if (event.text != null) return commentRecord(documentId)({ ...event, text: event.text });
  const [, verb = ''] = event.kind.split('.');
  const member = (name: 'before' | 'after') =>
    Object.fromEntries(event.changes.map((each) => [each.member, JSON.parse(each[name] ?? 'null')]));
  return {
    ...commentRecord(documentId)({ ...event, text: '' }),
    Type: verb.charAt(0).toUpperCase() + verb.slice(1),
    DetailJson: JSON.stringify({ Before: member('before'), After: member('after') }),
  };
};

export const documentHistoryRoutes: Route[] = [
  route({
    id: 'listDocumentRevisions',
    method: 'GET',
    path: `${PROJECT}/documents/:documentId/revisions`,
    operation: storedOperation(ListRevisionsDocument),
    in: request,
    out: ({ document }, asked) => {
      const { id, revisions, revisionNumber } = requireInProject(document, asked, 'Document');
      return pageRecord('DocumentRevisions', revisions, asked.page.first, (revision) => ({
        ID: revision.id,
        DocumentID: id,
        Revision: revision.number - 1,
        CreatedOn: revision.createdAt,
        ...by('Created', revision.createdBy),
        Name: revision.name,
        ContentType: revision.contentType,
        PageCount: revision.pageCount ?? 0,
        FileSize: revision.size,
        ThumbnailUrl: text(revision.imageUrl),
        IsCurrent: revision.number === revisionNumber,
      }));
    },
  }),
  route({
    id: 'listDocumentEvents',
    method: 'GET',
    path: `${PROJECT}/documents/:documentId/events`,
    operation: storedOperation(ListDocumentEventsDocument),
    in: request,
    out: ({ document }, asked) => {
      const { id, events } = requireInProject(document, asked, 'Document');
      return {
        ...pageRecord('DocumentEvents', events, asked.page.first, eventRecord(id)),
        ReverseCursor: text(events.pageInfo.startCursor),
      };
    },
  }),
  route({
    id: 'createDocumentComments',
    method: 'POST',
    path: `${PROJECT}/documents/:documentId/comments`,
    operation: storedOperation(CreateDocumentCommentsDocument),
    in: (asked) => ({
      input: {
        ...projectPath(asked),
        documentId: asked.path.documentId as string,
        texts: asked.body.object().texts('Comments') ?? [],
      },
    }),
    out: ({ createComments }, { path }) =>
      createComments.comments.map(commentRecord(path.documentId as string)),
  }),
  route({
    id: 'listDocumentComments',
    method: 'GET',
    path: `${PROJECT}/documents/:documentId/comments`,
    operation: storedOperation(ListCommentsDocument),
    in: request,
    out: ({ document }, asked) => {
      const { id, comments } = requireInProject(document, asked, 'Document');
      return {
        ...pageRecord('DocumentEvents', comments, asked.page.first, commentRecord(id)),
        ReverseCursor: text(comments.pageInfo.startCursor),
      };
    },
  }),
];
