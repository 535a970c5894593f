import type { ConsoleWebhookQuery, WebhookDeliveryState } from '../../../generated/operations/graphql.ts';
import { Name } from '../../ui/name.tsx';
import { ButtonForm, Confirmation, Form } from '../ui/fields.tsx';
import type { FormError } from '../ui/form-error.ts';
import { Facts, Time } from '../ui/parts.tsx';
import { Deliveries } from './deliveries-view.tsx';
import type { EnteredWebhook } from './entered.ts';
import { WebhookFields } from './form-view.tsx';
import type { Trial } from './trial.ts';
import { FormButtons, TrialResult } from './trial-view.tsx';
import { StateBadge, Trouble } from './view.tsx';

export const STATES: readonly WebhookDeliveryState[] = ['PENDING', 'DELIVERED', 'FAILED'];

export interface WebhookViewProps {
  path: string;
  formToken: string;
  webhook: Extract<ConsoleWebhookQuery['node'], { __typename: 'Webhook' }>;
  projects: readonly { id: string; name: string }[];
  /** The filter of the deliveries. */
  state: WebhookDeliveryState | undefined;
  after: string | undefined;
  error?: FormError;
  entered?: EnteredWebhook;
  trial?: Trial;
}

export const WebhookView = (props: WebhookViewProps) => (
  <>
    <Standing {...props} />
    <Deliveries {...props} />
    <EditForm {...props} />
    <Secret {...props} />
    <DeleteForm {...props} />
  </>
);

/** What to do about a webhook that does not send. */
const REMEDIES = {
  SUSPENDED: 'Switch it on: it then reads with your rights, and sends the events since it stopped.',
  DISABLED:
    'Once its receiver works, switch it on: it then reads with your rights, and sends the events since it stopped.',
};

const Standing = ({ webhook, path, formToken, projects }: WebhookViewProps) => (
  <section class="card" aria-label="State">
    <Facts
      facts={[
        ['Address', <bdi>{webhook.url}</bdi>],
        [
          'State',
          <>
            <StateBadge webhook={webhook} />
            <Trouble webhook={webhook} />
            {webhook.state !== 'ACTIVE' && <p>{REMEDIES[webhook.state]}</p>}
          </>,
        ],
        ['Kinds', webhook.kinds.join(', ') || 'All events'],
        ['Project', projects.find(({ id }) => id === webhook.projectId)?.name ?? webhook.projectId ?? 'All'],
        [
          'Reads with the rights of',
          <>
            <Name of={webhook.owner.name} maxLength={80} />, since <Time at={webhook.createdAt} />
          </>,
        ],
      ]}
    />
    <div class="pager">
      <ButtonForm action={`${path}/test`} formToken={formToken} text="Send the newest event" />
      <Form action={`${path}/enabled`} formToken={formToken} class="one">
        <button
          type="submit"
          name="enabled"
          value={webhook.state === 'ACTIVE' ? 'no' : 'yes'}
          class="small plain"
        >
          {webhook.state === 'ACTIVE' ? 'Switch it off' : 'Switch it on'}
        </button>
      </Form>
    </div>
  </section>
);

const EditForm = ({ webhook, path, formToken, projects, error, entered, trial }: WebhookViewProps) => {
  const { url, kinds, projectId, query } = webhook;
  const stored = { url, kinds: kinds.join('\n'), projectId: projectId ?? '', query };
  return (
    <section class="card" aria-labelledby="edit">
      <h2 id="edit">Change it</h2>
      <p>You become its owner: it then reads with your rights.</p>
      <Form action={path} formToken={formToken}>
        <input type="hidden" name="version" value={`${webhook.version}`} />
        <WebhookFields {...{ projects, error }} entered={entered ?? stored} />
        <FormButtons action={path} save="Save" />
      </Form>
      {trial && <TrialResult trial={trial} />}
    </section>
  );
};

const Secret = ({ webhook, path, formToken }: WebhookViewProps) => (
  <section class="card" aria-labelledby="secret-title">
    <h2 id="secret-title">Secret</h2>
    <p>
      A new secret is shown once. For a day the current one signs too, so that the receiver can be changed.
      {webhook.previousSecretExpiresAt && (
        <>
          {' '}
          Now the previous one signs too, until <Time at={webhook.previousSecretExpiresAt} byMinute />.
        </>
      )}
    </p>
    <div class="pager">
      <ButtonForm action={`${path}/secret`} formToken={formToken} text="Make a new secret" />
      <a class="button small plain" href={`${path}/signature`}>
        Check a signature
      </a>
    </div>
  </section>
);

const DeleteForm = ({ path, formToken, error }: WebhookViewProps) => (
  <section class="card danger" aria-labelledby="delete">
    <h2 id="delete">Delete the webhook</h2>
    <p>Nothing more is sent, and its deliveries are deleted.</p>
    <Form action={`${path}/delete`} formToken={formToken}>
      <Confirmation text="The webhook shall be deleted" error={error} />
      <button type="submit" class="danger">
        Delete
      </button>
    </Form>
  </section>
);
