import type { ConsoleDeliveryQuery } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { ButtonForm } from '../ui/fields.tsx';
import { Badge, Copied, Facts, Row, Rows, Time } from '../ui/parts.tsx';
import { DeliveryBadge } from './deliveries-view.tsx';

/** The request of a delivery. */
export interface Preview {
  body: string;
  headers: readonly { name: string; value: string }[];
}

type Delivery = Extract<ConsoleDeliveryQuery['node'], { __typename: 'WebhookDelivery' }>;

interface DeliveryViewProps {
  path: string;
  webhookPath: string;
  formToken: string;
  url: string;
  delivery: Delivery;
  preview: Preview | undefined;
}

export const DeliveryView = ({ path, webhookPath, formToken, url, delivery, preview }: DeliveryViewProps) => (
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
    {preview && <Request url={url} preview={preview} webhookPath={webhookPath} />}
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

interface RequestProps {
  url: string;
  preview: Preview;
  webhookPath: string;
}

const Request = ({ url, preview: { body, headers }, webhookPath }: RequestProps) => (
  <section class="card" aria-labelledby="request">
    <h2 id="request">Request</h2>
    <p>As it would be sent now, signed with the current secret.</p>
    <pre tabindex={0}>
      {[`POST ${url}`, ...headers.map(({ name, value }) => `${name}: ${value}`), '', body].join('\n')}
    </pre>
    <Signature headers={headers} webhookPath={webhookPath} />
  </section>
);

/** How one computes the signature by hand. The command holds nothing that a user wrote. */
const Signature = ({ headers, webhookPath }: Pick<Preview, 'headers'> & { webhookPath: string }) => {
  const signature = headers.find(({ name }) => name === 'docgraph-signature')?.value;
  const time = /t=(\d+)/.exec(signature ?? '')?.[1];
  return (
    <>
      <h3>The signature</h3>
      <p>
        In the header <code>docgraph-signature</code>, <code>v1</code> is the HMAC-SHA-256 of the number after{' '}
        <code>t=</code>, a dot and the body exactly as it was received, in hexadecimal digits. The key is the
        secret of the webhook as a text. <a href="/docs/webhooks">How a receiver checks it</a>, or{' '}
        <a href={`${webhookPath}/signature`}>check one here</a>.
      </p>
      <p>
        To compute it, put the secret into the variable <code>SECRET</code> of a shell, and save the body as{' '}
        <code>body.json</code>:
      </p>
      <Copied
        id="command"
        text={`printf %s "${time}.$(cat body.json)" | openssl dgst -sha256 -hmac "$SECRET"`}
      />
    </>
  );
};
