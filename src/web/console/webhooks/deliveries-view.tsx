import type {
  ConsoleDeliveryFragment,
  ConsoleWebhookQuery,
  WebhookDeliveryState,
} from '../../../generated/operations/graphql.ts';
import { ButtonForm } from '../ui/fields.tsx';
import { Badge, Filters, Pager, Row, Rows, Time, wordsOf } from '../ui/parts.tsx';

interface DeliveriesProps {
  path: string;
  formToken: string;
  webhook: Extract<ConsoleWebhookQuery['node'], { __typename: 'Webhook' }>;
  state: WebhookDeliveryState | undefined;
  after: string | undefined;
}

const FILTERS = [
  { value: '', text: 'All' },
  { value: 'PENDING', text: 'Pending' },
  { value: 'DELIVERED', text: 'Delivered' },
  { value: 'FAILED', text: 'Failed' },
] as const;

/** The deliveries of a webhook, in one state or all. */
export const Deliveries = ({ path, formToken, webhook, state, after }: DeliveriesProps) => {
  const { nodes, pageInfo } = webhook.deliveries;
  return (
    <section class="card" aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <Filters
        {...{ label: 'State of the deliveries', path, name: 'state', chosen: state ?? '', choices: FILTERS }}
      />
      <Rows count={nodes.length} empty="There is no such delivery.">
        {nodes.map((delivery) => (
          <Row buttons={<DeliveryBadge state={delivery.state} />}>
            <a href={`${path}/deliveries/${delivery.id}`}>
              {delivery.event?.kind ?? 'An event that you do not see'} <span class="unseen">number </span>#
              {delivery.sequence}
            </a>
            <DeliveryFacts delivery={delivery} />
          </Row>
        ))}
      </Rows>
      <Pager path={path} filters={{ state: state ?? '' }} after={after} pageInfo={pageInfo} />
      {webhook.failed.nodes.length > 0 && (
        <ButtonForm action={`${path}/redeliver`} formToken={formToken} text="Send all failed ones again" />
      )}
    </section>
  );
};

const TONES = { DELIVERED: 'good', FAILED: 'bad', PENDING: undefined } as const;

export const DeliveryBadge = ({ state }: { state: WebhookDeliveryState }) => (
  <Badge text={wordsOf(state)} tone={TONES[state]} />
);

const DeliveryFacts = ({
  delivery: { tries, queuedAt, nextTryAt },
}: {
  delivery: ConsoleDeliveryFragment;
}) => (
  <p>
    Queued <Time at={queuedAt} byMinute />, {tries === 1 ? '1 attempt' : `${tries} attempts`}
    {nextTryAt && (
      <>
        , next <Time at={nextTryAt} byMinute />
      </>
    )}
  </p>
);
