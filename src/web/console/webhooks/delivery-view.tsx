import type { ConsoleDeliveryQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { ButtonForm } from '../ui/fields.tsx';
import { Badge, Facts, Row, Rows, Time } from '../ui/parts.tsx';
import { DeliveryBadge } from './deliveries-view.tsx';

/** The request of a delivery. */
export interface Preview {
  body: string;
  headers: readonly { name: string; value: string }[];
}

type Delivery = Extract<ConsoleDeliveryQuery['node'], { __typename: 'WebhookDelivery' }>;

interface DeliveryViewProps {
  path: string;
  formToken: string;
  url: string;
  delivery: Delivery;
  preview: Preview | undefined;
}

export const DeliveryView = ({ path, formToken, url, delivery, preview }: DeliveryViewProps) => (
  <>
    <section class="card" aria-label="Facts">
      <Facts
        facts={[
          ['State', <DeliveryBadge state={delivery.state} />],
          ['Event', delivery.event?.kind ?? 'Not visible to you'],
          ...(delivery.event
            ? [
                [
                  'Happened',
                  <>
                    <Time at={delivery.event.createdAt} byMinute />
                    {delivery.event.createdBy && (
                      <>
                        {' '}
                        by <Name of={delivery.event.createdBy.name} maxLength={80} />
                      </>
                    )}
                  </>,
                ] as const,
              ]
            : []),
          ['Queued', <Time at={delivery.queuedAt} byMinute />],
          ['Next attempt', delivery.nextTryAt ? <Time at={delivery.nextTryAt} byMinute /> : 'None'],
        ]}
      />
      <ButtonForm action={path} formToken={formToken} text="Send it again" />
    </section>
    <Attempts attempts={delivery.attempts.nodes} />
    {preview && <Request url={url} preview={preview} />}
  </>
);

const Attempts = ({ attempts }: { attempts: Delivery['attempts']['nodes'] }) => (
  <section class="card" aria-labelledby="attempts">
    <h2 id="attempts">Attempts</h2>
    <Rows count={attempts.length} empty="It has not been sent yet.">
      {attempts.map(({ status, duration, error, response, createdAt }) => (
        <Row
          buttons={
            <Badge text={status === null ? 'No answer' : `Status ${status}`} tone={error ? 'bad' : 'good'} />
          }
          more={
            response && (
              <details>
                <summary>Answer</summary>
                <pre tabindex={0}>{response}</pre>
              </details>
            )
          }
        >
          <Time at={createdAt} byMinute />, {duration} ms
          {error && <p>{error}</p>}
        </Row>
      ))}
    </Rows>
  </section>
);

const Request = ({ url, preview: { body, headers } }: { url: string; preview: Preview }) => (
  <section class="card" aria-labelledby="request">
    <h2 id="request">Request</h2>
    <p>As it would be sent now, signed with the current secret.</p>
    <pre tabindex={0}>
      {[`POST ${url}`, ...headers.map(({ name, value }) => `${name}: ${value}`), '', body].join('\n')}
    </pre>
  </section>
);
