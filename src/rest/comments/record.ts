import type { ListProjectCommentsQuery } from '../../generated/operations/graphql.ts';
import { idAs, typeOfId } from '../../lib/id.ts';
import { by, type RecordMembers, record, string, time } from '../shape/record.ts';

type ProjectComment = NonNullable<ListProjectCommentsQuery['project']>['comments']['nodes'][number];
type Comment = Omit<ProjectComment, 'subjectId'>;

/** An event of a document, a task or a project: its type, and what else is to say about it. */
export interface Event extends Omit<Comment, 'text'> {
  type: string;
  detail: object;
}

/** The event of a comment, which has its text in the details. */
export const commentEvent = <Of extends Comment>(comment: Of): Of & Event => ({
  ...comment,
  type: 'Comment',
  detail: { Text: comment.text },
});

/** The members of events, in groups: other members stand between them. */
export const eventId: RecordMembers<Event> = { ID: string((event) => idAs('Event', event.id)) };

export const eventCreation: RecordMembers<Event> = {
  CreatedOn: time((event) => event.createdAt),
  ...by<Event>('Created', (event) => event.createdBy, ['ID', 'Name', 'Email']),
};

export const eventType: RecordMembers<Event> = { Type: string((event) => event.type) };

export const eventDetail: RecordMembers<Event> = {
  DetailJson: string((event) => JSON.stringify(event.detail)),
};

export const eventApplication: RecordMembers<Event> = {
  ApplicationID: string((event) => event.application?.clientId),
  ApplicationName: string((event) => event.application?.name),
};

/** A comment of a project; ItemType and ItemID, which say what it is on, are additions. */
export const projectCommentRecord = record<ProjectComment & Event>(
  'ProjectEvent',
  'A comment on a document or a task of a project.',
  {
    ...eventId,
    ...eventCreation,
    ModifiedOn: time(() => null, 'Always the zero time: comments do not change.'),
    ...eventType,
    ...eventDetail,
    ItemType: string(({ subjectId }) => (typeOfId(subjectId) === 'Task' ? 'Task' : 'Document')),
    ItemID: string((comment) => comment.subjectId),
    ...eventApplication,
  },
  { ID: 'evt_01k9rqe38k0jxejehwg3c8mryn', Type: 'Comment' },
);
