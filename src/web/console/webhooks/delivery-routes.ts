import { DomainError, notFound } from '../../../domain/kernel/errors.ts';
import {
  ConsoleDeliveryDocument,
  ConsoleRedeliverDocument,
  ConsoleRedeliverFailedDocument,
  ConsoleWebhookPreviewDocument,
} from '../../../generated/operations/graphql.ts';
import { storedMutation, storedOperation } from '../../../graph/http/execute.ts';
import { seeOther } from '../../ui/responses.ts';
import { attempt, type FormError } from '../ui/form-error.ts';
import { consolePage, managed } from '../ui/frame.tsx';
import { type ConsolePages, sectionHref, type Visit } from '../ui/visit.ts';
import { DeliveryView, type Preview } from './delivery-view.tsx';
import { showWebhook } from './webhook-routes.ts';

const DELIVERY = storedOperation(ConsoleDeliveryDocument);
const REDELIVER = storedMutation(ConsoleRedeliverDocument);
const REDELIVER_FAILED = storedMutation(ConsoleRedeliverFailedDocument);
const PREVIEW = storedOperation(ConsoleWebhookPreviewDocument);

/** `webhooks/WEBHOOK/deliveries/DELIVERY`, and sending again. */
export function deliveryPages(pages: ConsolePages, organizationPath: string): void {
  const path = `${organizationPath}/webhooks/:webhook`;
  pages.get(`${path}/deliveries/:delivery`, (visit) => showDelivery(visit));
  pages.post(`${path}/deliveries/:delivery`, redeliver);
  pages.post(`${path}/redeliver`, redeliverFailed);
}

const listOf = (visit: Visit): string => sectionHref(visit, 'webhooks');
const webhookPathOf = (visit: Visit): string => `${listOf(visit)}/${visit.param('webhook')}`;

async function readDelivery(visit: Visit) {
  const { webhook, node, ...read } = await visit.run(DELIVERY, {
    id: visit.param('organization'),
    webhookId: visit.param('webhook'),
    deliveryId: visit.param('delivery'),
  });
  const organization = managed(read.organization);
  if (webhook?.__typename !== 'Webhook' || webhook.organizationId !== organization.id)
    throw notFound('Webhook');
  if (node?.__typename !== 'WebhookDelivery' || node.webhookId !== webhook.id) throw notFound('Delivery');
  return { organization, webhook, delivery: node };
}

/** The request as it would be sent now; undefined where the event is not visible any more. */
async function previewOf(visit: Visit, sequence: number): Promise<Preview | undefined> {
  try {
    const { node } = await visit.run(PREVIEW, { webhookId: visit.param('webhook'), sequence });
    return node?.__typename === 'Webhook' ? node.preview : undefined;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

async function showDelivery(visit: Visit, error?: FormError): Promise<Response> {
  const { organization, webhook, delivery } = await readDelivery(visit);
  return consolePage({
    visit,
    title: `Delivery #${delivery.sequence}`,
    organization,
    crumbs: [
      { href: listOf(visit), text: 'Webhooks' },
      { href: webhookPathOf(visit), text: new URL(webhook.url).host },
    ],
    done:
      visit.query('done') === 'queued' ? 'It is sent again. Reload the page to see the answer.' : undefined,
    error,
    children: DeliveryView({
      path: visit.path,
      webhookPath: webhookPathOf(visit),
      formToken: visit.formToken,
      url: webhook.url,
      delivery,
      preview: await previewOf(visit, delivery.sequence),
    }),
  });
}

const redeliver = (visit: Visit): Promise<Response> =>
  attempt(
    async () => {
      const { delivery } = await readDelivery(visit);
      await visit.run(REDELIVER, { input: { deliveryIds: [delivery.id] } });
      return seeOther(`${visit.path}?done=queued`);
    },
    (error) => showDelivery(visit, error),
  );

const redeliverFailed = (visit: Visit): Promise<Response> =>
  attempt(
    async () => {
      await visit.run(REDELIVER_FAILED, { input: { webhookId: visit.param('webhook') } });
      return seeOther(`${webhookPathOf(visit)}?done=redelivered`);
    },
    (error) => showWebhook(visit, error),
  );
