import {
  inboxPath,
  NOTIFICATION_TITLES,
  whatHappened,
} from '../../../domain/notifications/notification-text.ts';
import type {
  ConsoleInboxQuery,
  ConsoleNotificationFragment,
} from '../../../generated/operations/graphql.ts';
import { shorten } from '../../../lib/text/shorten.js';
import { Name } from '../../ui/name.tsx';
import { InPlaceOf } from '../approvals/votes.tsx';
import { Form } from '../ui/fields.tsx';
import { chosenOf, Filters, Pager, Row, Rows, Time } from '../ui/parts.tsx';

const PARTS = [
  { value: 'all', text: 'All' },
  { value: 'unread', text: 'Unread' },
  { value: 'read', text: 'Read' },
] as const;

/** Of the text of a comment, in code points. */
const MAX_TEXT = 300;

type Part = (typeof PARTS)[number]['value'];

export const chosenPart = (value: string | undefined): Part => chosenOf(PARTS, value).value;

interface InboxViewProps {
  formToken: string;
  viewer: ConsoleInboxQuery['viewer'];
  part: Part;
  after: string | undefined;
}

export const InboxView = ({ formToken, viewer, part, after }: InboxViewProps) => {
  const { notifications, unreadNotificationCount } = viewer;
  const { nodes, pageInfo } = notifications;
  return (
    <>
      <p class="lead">
        What concerns you, in all organizations: unread first, then the newest.{' '}
        <a href="/console/notifications">Choose what you are notified of</a>
      </p>
      <section class="card" aria-label="Notifications">
        <Filters
          {...{ label: 'Which notifications', path: inboxPath(), name: 'show', chosen: part, choices: PARTS }}
        />
        {unreadNotificationCount > 0 && part !== 'read' && !after && (
          <MarkAll {...{ formToken, part, notifications: nodes, count: unreadNotificationCount }} />
        )}
        <Rows count={nodes.length} empty={part === 'unread' ? 'You have read all.' : 'There is nothing yet.'}>
          {nodes.map((notification) => (
            <NotificationRow {...{ notification, formToken, part }} />
          ))}
        </Rows>
        <Pager path={inboxPath()} filters={{ show: part }} after={after} pageInfo={pageInfo} />
      </section>
    </>
  );
};

interface MarkAllProps {
  formToken: string;
  part: Part;
  notifications: readonly ConsoleNotificationFragment[];
  count: number;
}

/** Marks what happened up to the newest of the list, so that nothing is marked that came since. */
const MarkAll = ({ formToken, part, notifications, count }: MarkAllProps) => (
  <Form action={inboxPath()} formToken={formToken} class="inline">
    <input type="hidden" name="show" value={part} />
    <input type="hidden" name="until" value={newestUnread(notifications)} />
    <button type="submit" class="small plain">
      Mark all {count} as read
    </button>
  </Form>
);

const newestUnread = (notifications: readonly ConsoleNotificationFragment[]): string | undefined =>
  notifications
    .filter(({ readAt }) => !readAt)
    .map(({ happenedAt }) => happenedAt)
    .sort()
    .at(-1);

interface NotificationRowProps {
  notification: ConsoleNotificationFragment;
  formToken: string;
  part: Part;
}

const NotificationRow = ({ notification, formToken, part }: NotificationRowProps) => {
  const { id, kind, subject, event, happenedAt, readAt } = notification;
  const project = subject && 'project' in subject ? subject.project : undefined;
  return (
    <Row buttons={readAt ? undefined : <MarkOne {...{ id, formToken, part }} />}>
      <a id={id} href={inboxPath(id)} class={readAt ? undefined : 'unread'}>
        {NOTIFICATION_TITLES[kind]}: <Name of={nameOf(subject)} maxLength={120} />
      </a>
      <p>
        <Happened notification={notification} />
        {kind === 'APPROVAL_REQUESTED' &&
          subject &&
          'pendingApproval' in subject &&
          subject.pendingApproval && <InPlaceOf approval={subject.pendingApproval} />}
      </p>
      {event?.text && (
        <p class="text">
          <bdi>{shorten(event.text, MAX_TEXT, '…')}</bdi>
        </p>
      )}
      <p>
        {project && (
          <>
            <Name of={project.name} maxLength={60} />,{' '}
          </>
        )}
        <Time at={happenedAt} byMinute />
      </p>
    </Row>
  );
};

const MarkOne = ({ id, formToken, part }: { id: string; formToken: string; part: Part }) => (
  <Form action={inboxPath()} formToken={formToken} class="inline">
    <input type="hidden" name="show" value={part} />
    <button type="submit" name="notification" value={id} class="small plain" aria-describedby={id}>
      Mark as read
    </button>
  </Form>
);

const nameOf = (subject: ConsoleNotificationFragment['subject']): string =>
  subject && 'name' in subject ? subject.name : 'Deleted';

const Happened = ({ notification: { kind, event, subject } }: Pick<NotificationRowProps, 'notification'>) => {
  if (!event) return <>You cannot see what happened any more.</>;
  const happened = whatHappened({
    kind,
    eventKind: event.kind,
    isOfSubject: event.subjectId === subject?.id,
    isByServer: event.createdBy === null,
  });
  if ('sentence' in happened) return <>{happened.sentence}</>;
  return (
    <>
      {event.createdBy ? <Name of={event.createdBy.name} maxLength={60} /> : 'Somebody'} {happened.act}
    </>
  );
};
