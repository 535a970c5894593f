import type {
  ListCommentsQuery,
  ListDocumentEventsQuery,
  ListRevisionsQuery,
} from '../../generated/operations/graphql.ts';
import { commentMembers } from '../comments/record.ts';
import { by, text } from '../wire/values.ts';

type RevisionNode = NonNullable<ListRevisionsQuery['document']>['revisions']['nodes'][number];

/** DocumentRevision. REST v1 counts revisions from 0. */
export const revisionRecord = (documentId: string, currentNumber: number) => (revision: RevisionNode) => ({
  ID: revision.id,
  DocumentID: documentId,
  Revision: revision.number - 1,
  CreatedOn: revision.createdAt,
  ...by('Created', revision.createdBy),
  Name: revision.name,
  ContentType: revision.contentType,
  PageCount: revision.pageCount ?? 0,
  FileSize: revision.size,
  ThumbnailUrl: text(revision.imageUrl),
  IsCurrent: revision.number === currentNumber,
});

type CommentNode = NonNullable<ListCommentsQuery['document']>['comments']['nodes'][number];

/** DocumentEvent for a comment, which has its text in the details. */
export const commentRecord = (documentId: string) => (comment: CommentNode) => ({
  ...commentMembers(comment),
  DocumentID: documentId,
});

type EventNode = NonNullable<ListDocumentEventsQuery['document']>['events']['nodes'][number];

/** DocumentEvent of any kind: `document.restored` becomes `Restored`, with the changed members in the details. */
export const eventRecord = (documentId: string) => (event: EventNode) => {
  const [, verb = ''] = event.kind.split('.');
  if (verb === 'commented') return commentRecord(documentId)({ ...event, text: event.text ?? '' });
  const values = (when: 'before' | 'after') =>
    Object.fromEntries(event.changes.map((change) => [change.member, JSON.parse(change[when] ?? 'null')]));
  return {
    ...commentRecord(documentId)({ ...event, text: '' }),
    Type: verb.charAt(0).toUpperCase() + verb.slice(1),
    DetailJson: JSON.stringify({ Before: values('before'), After: values('after') }),
  };
};
