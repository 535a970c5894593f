import type {
  ListCommentsQuery,
  ListDocumentEventsQuery,
  ListRevisionsQuery,
} from '../../generated/operations/graphql.ts';
import {
  commentEvent,
  type Event,
  eventApplication,
  eventCreation,
  eventDetail,
  eventId,
  eventType,
} from '../comments/record.ts';
import { boolean, by, integer, record, string, time } from '../shape/record.ts';

type RevisionNode = NonNullable<ListRevisionsQuery['document']>['revisions']['nodes'][number];

/** A revision, with its document and the number of the newest one. */
type Revision = RevisionNode & { documentId: string; currentNumber: number };

/** REST v1 counts revisions from 0. */
export const revisionRecord = record<Revision>(
  'DocumentRevision',
  'A revision of a document.',
  {
    ID: string((revision) => revision.id),
    DocumentID: string((revision) => revision.documentId),
    Revision: integer((revision) => revision.number - 1),
    CreatedOn: time((revision) => revision.createdAt),
    ...by<Revision>('Created', (revision) => revision.createdBy),
    Name: string((revision) => revision.name),
    ContentType: string((revision) => revision.contentType),
    PageCount: integer((revision) => revision.pageCount),
    FileSize: integer((revision) => revision.size),
    ThumbnailUrl: string((revision) => revision.imageUrl),
    IsCurrent: boolean(
      ({ number, currentNumber }) => number === currentNumber,
      'Whether it is the newest revision.',
      true,
    ),
  },
  { ID: 'rev_01k910y29bvtb3759txnwnj923', Name: 'permit-44.pdf' },
);

const documentEventRecord = record<Event & { documentId: string }>(
  'DocumentEvent',
  'An event of a document. A comment is an event of `Type` `Comment`.',
  {
    ...eventId,
    DocumentID: string((event) => event.documentId),
    ...eventCreation,
    ...eventType,
    ...eventDetail,
    ...eventApplication,
  },
  { ID: 'evt_01k9rqe38k0jxejehwg3c8mryn', Type: 'Comment' },
);

export const documentHistoryRecords = [revisionRecord, documentEventRecord];

type CommentNode = NonNullable<ListCommentsQuery['document']>['comments']['nodes'][number];

export const commentRecord = (documentId: string) => (comment: CommentNode) =>
  documentEventRecord({ ...commentEvent(comment), documentId });

type EventNode = NonNullable<ListDocumentEventsQuery['document']>['events']['nodes'][number];

/** An event of any kind: `document.restored` becomes `Restored`, with the changed members in the details. */
export const eventRecord = (documentId: string) => (event: EventNode) => {
  const [, verb = ''] = event.kind.split('.');
  if (verb === 'commented') return commentRecord(documentId)({ ...event, text: event.text ?? '' });
  const values = (when: 'before' | 'after') =>
    Object.fromEntries(event.changes.map((change) => [change.member, JSON.parse(change[when] ?? 'null')]));
  return documentEventRecord({
    ...event,
    documentId,
    type: verb.charAt(0).toUpperCase() + verb.slice(1),
    detail: { Before: values('before'), After: values('after') },
  });
};
