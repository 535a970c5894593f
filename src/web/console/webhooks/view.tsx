import type { ConsoleWebhookFragment, ConsoleWebhooksQuery } from '../../../generated/operations/graphql.ts';
import { Badge, Copied, Pager, Row, Rows, Time, wordsOf } from '../ui/parts.tsx';

interface WebhooksViewProps {
  path: string;
  webhooks: NonNullable<ConsoleWebhooksQuery['organization']>['webhooks'];
  after: string | undefined;
}

export const WebhooksView = ({ path, webhooks: { nodes, pageInfo }, after }: WebhooksViewProps) => (
  <>
    <p class="lead">Events of the organization, sent to addresses of yours.</p>
    <p>
      <a class="button" href={`${path}/new`}>
        New webhook
      </a>
    </p>
    <section class="card" aria-label="Webhooks">
      <Rows count={nodes.length} empty="There is no webhook.">
        {nodes.map((webhook) => (
          <Row buttons={<StateBadge webhook={webhook} />}>
            <a href={`${path}/${webhook.id}`}>
              <bdi>{webhook.url}</bdi>
            </a>
            <p>{webhook.kinds.join(', ') || 'All events'}</p>
            <Trouble webhook={webhook} />
          </Row>
        ))}
      </Rows>
      <Pager path={path} after={after} pageInfo={pageInfo} />
    </section>
  </>
);

export const StateBadge = ({ webhook }: { webhook: ConsoleWebhookFragment }) =>
  webhook.state === 'ACTIVE' && webhook.failingSince ? (
    <Badge text="Failing" tone="bad" />
  ) : (
    <Badge text={wordsOf(webhook.state)} tone={webhook.state === 'ACTIVE' ? 'good' : 'bad'} />
  );

/** Why a webhook does not send. */
export const Trouble = ({ webhook }: { webhook: ConsoleWebhookFragment }) => (
  <>
    {webhook.stateReason && <p>{webhook.stateReason}</p>}
    {webhook.failingSince && (
      <p>
        Every attempt has failed since <Time at={webhook.failingSince} byMinute />
        {webhook.nextTryAt && (
          <>
            , the next is at <Time at={webhook.nextTryAt} byMinute />
          </>
        )}
        .
      </p>
    )}
    {webhook.pausedUntil && (
      <p>
        Paused until <Time at={webhook.pausedUntil} byMinute />
        {webhook.pauseReason && `: ${webhook.pauseReason}`}
      </p>
    )}
  </>
);

interface WebhookSecretViewProps {
  secret: string;
  webhook: { url: string; previousSecretExpiresAt?: string | null };
  href: string;
}

/** A secret of a webhook, which is shown only here. */
export const WebhookSecretView = ({ secret, webhook, href }: WebhookSecretViewProps) => (
  <section class="card" aria-label="Secret">
    <p>
      It signs what is sent to <bdi class="who">{webhook.url}</bdi>. Store it in a safe place now: it is not
      shown again.
    </p>
    <Copied id="secret" text={secret} />
    {webhook.previousSecretExpiresAt && (
      <p>
        The previous secret signs too until <Time at={webhook.previousSecretExpiresAt} byMinute />.
      </p>
    )}
    <a class="button plain" href={href}>
      I have stored the secret
    </a>
  </section>
);
