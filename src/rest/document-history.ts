import {
  ListCommentsDocument,
  type ListCommentsQuery,
  ListRevisionsDocument,
} from '../generated/operations/graphql.ts';
import { storedOperation } from '../graph/execute.ts';
import { inPlace, PROJECT } from './place.ts';
import { type RestRequest, type Row, row } from './row.ts';
import { by, paged, text } from './wire.ts';

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
});

export const documentHistoryRows: Row[] = [
  row({
    id: 'listDocumentRevisions',
    method: 'GET',
    path: `${PROJECT}/documents/:documentId/revisions`,
    operation: storedOperation(ListRevisionsDocument),
    in: request,
    out: ({ document }, asked) => {
      const { id, revisions, revisionNumber } = inPlace(document, asked, 'Document');
      return paged('DocumentRevisions', revisions, asked.page.first, (revision) => ({
        ID: revision.id,
        DocumentID: id,
        Revision: revision.number - 1,
        CreatedOn: revision.createdAt,
        ...by('Created', revision.createdBy),
        Name: revision.name,
        ContentType: revision.contentType,
        PageCount: revision.pageCount ?? 0,
        FileSize: revision.size,
        ThumbnailUrl: '',
        IsCurrent: revision.number === revisionNumber,
      }));
    },
  }),
  row({
    id: 'listDocumentComments',
    method: 'GET',
    path: `${PROJECT}/documents/:documentId/comments`,
    operation: storedOperation(ListCommentsDocument),
    in: request,
    out: ({ document }, asked) => {
      const { id, comments } = inPlace(document, asked, 'Document');
      return {
        ...paged('DocumentEvents', comments, asked.page.first, commentRecord(id)),
        ReverseCursor: text(comments.pageInfo.startCursor),
      };
    },
  }),
];
