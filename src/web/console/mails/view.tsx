import type { ConsoleMailsQuery, MailState } from '../../../generated/operations/graphql.ts';
import { shownEmail } from '../../../lib/text/shown-email.ts';
import { Name } from '../../ui/name.tsx';
import { deliveryText } from '../ui/delivery.ts';
import { Form } from '../ui/fields.tsx';
import { Badge, Filters, Pager, Row, Rows, Time, wordsOf } from '../ui/parts.tsx';

type Mails = NonNullable<ConsoleMailsQuery['organization']>['mails'];
type Mail = Mails['nodes'][number];

interface MailsViewProps {
  path: string;
  formToken: string;
  mails: Mails;
  /** A member of `STATES_OF`; all mails if it is empty. */
  only: string;
  after: string | undefined;
}

/** The states in which a mail is sent again on request. */
const UNSENT: readonly MailState[] = ['REFUSED', 'GIVEN_UP', 'NOT_CONFIGURED', 'UNCERTAIN'];

/** The states of mails that a page shows. */
export const STATES_OF: Record<string, readonly MailState[]> = {
  waiting: ['WAITING', 'SENDING'],
  sent: ['SENT', 'OUTBOX'],
  unsent: [...UNSENT, 'CANCELLED'],
};

const FILTERS = [
  { value: '', text: 'All' },
  { value: 'waiting', text: 'Waiting' },
  { value: 'sent', text: 'Handed over' },
  { value: 'unsent', text: 'Not sent, or unknown' },
] as const;

export const MailsView = ({ path, formToken, mails: { nodes, pageInfo }, only, after }: MailsViewProps) => (
  <>
    <p class="lead">
      Mails of the organization in the last 90 days. That a mail server accepted one does not say that it was
      read.
    </p>
    <section class="card" aria-label="Mails">
      <Filters {...{ label: 'State of the mails', path, name: 'only', chosen: only, choices: FILTERS }} />
      <Rows count={nodes.length} empty="There is no such mail.">
        {nodes.map((mail) => (
          <MailRow {...{ mail, path, formToken }} />
        ))}
      </Rows>
      <Pager path={path} filters={{ only }} after={after} pageInfo={pageInfo} />
    </section>
  </>
);

const MailRow = ({ mail, path, formToken }: { mail: Mail; path: string; formToken: string }) => {
  const { text, tone } = deliveryText(mail.delivery);
  return (
    <Row
      buttons={
        <>
          <Badge text={text} tone={tone} />
          {UNSENT.includes(mail.delivery.state) && (
            <Form action={`${path}/retry`} formToken={formToken} class="inline">
              <button
                type="submit"
                name="mail"
                value={mail.id}
                class="small plain"
                aria-describedby={mail.id}
              >
                Send again
              </button>
            </Form>
          )}
        </>
      }
    >
      <strong id={mail.id}>
        {wordsOf(mail.kind)} to <bdi>{shownEmail(mail.to)}</bdi>
      </strong>
      <MailFacts mail={mail} />
      {mail.delivery.answer && <p>{mail.delivery.answer}</p>}
    </Row>
  );
};

const MailFacts = ({ mail: { createdAt, createdBy, delivery } }: { mail: Mail }) => (
  <p>
    Queued <Time at={createdAt} byMinute />
    {createdBy && (
      <>
        {' '}
        by <Name of={createdBy.name} maxLength={80} />
      </>
    )}
    , {delivery.attempts === 1 ? '1 attempt' : `${delivery.attempts} attempts`}
    {delivery.nextAttemptAt && (
      <>
        , next <Time at={delivery.nextAttemptAt} byMinute />
      </>
    )}
    {delivery.endedAt && (
      <>
        , ended <Time at={delivery.endedAt} byMinute />
      </>
    )}
  </p>
);
