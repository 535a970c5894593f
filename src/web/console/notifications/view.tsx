import type {
  ConsoleNotificationsQuery,
  NotificationDelivery,
  NotificationKind,
} from '../../../generated/operations/graphql.ts';
import { type Choice, Form, Select } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';

type Preferences = Pick<ConsoleNotificationsQuery['viewer'], 'timeZone' | 'notificationPreferences'>;

interface NotificationsViewProps extends Preferences {
  formToken: string;
  error?: FormError;
}

const KINDS: Record<NotificationKind, string> = {
  TASK_ASSIGNED: 'A task is assigned to you',
  TASK_DUE: 'A task of yours is due soon',
  TASK_OVERDUE: 'A task of yours, or that you created, is overdue',
  APPROVAL_REQUESTED: 'Your approval is asked for',
  APPROVAL_OVERDUE: 'An approval is overdue',
  SIGNATURE_REQUESTED: 'Your signature is asked for',
  MENTIONED: 'You are mentioned in a comment',
  APPROVAL_DECIDED: 'An approver answers your request',
  SIGNING_PROGRESSED: 'Somebody signs or declines a document of yours',
  FOLLOWED: 'What you follow, or are a stakeholder of, changes',
};

const DELIVERIES: readonly (Choice & { value: NotificationDelivery })[] = [
  { value: 'MAIL', text: 'Inbox, and a mail at once' },
  { value: 'DIGEST', text: 'Inbox, and the daily mail' },
  { value: 'INBOX', text: 'Inbox only' },
  { value: 'NOTHING', text: 'Not at all' },
];

export const NotificationsView = ({
  formToken,
  timeZone,
  notificationPreferences,
  error,
}: NotificationsViewProps) => (
  <>
    <p class="lead">
      A mail at once is sent two minutes after the event, unless you have read the notification by then. The
      daily mail lists what you have not read.{' '}
      <a href="/console/substitutes">Who decides while you are away</a>
    </p>
    <section class="card" aria-label="How you are notified">
      <Form action="/console/notifications" formToken={formToken}>
        {notificationPreferences.map(({ kind, delivery }) => (
          <Select {...{ name: kind, label: KINDS[kind], error }} choices={DELIVERIES} value={delivery} />
        ))}
        <Select
          {...{ name: 'timeZone', label: 'Time zone', error, value: timeZone }}
          hint="The daily mail comes at eight o’clock there."
          choices={timeZonesWith(timeZone)}
        />
        <button type="submit">Save</button>
      </Form>
    </section>
  </>
);

/** All time zones by name, with the present one, whose name may be an older one. */
const timeZonesWith = (present: string): Choice[] =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), present])]
    .sort()
    .map((value) => ({ value, text: value.replaceAll('_', ' ') }));
