import type {
  WebhookDelivery as WebhookDeliveryRow,
  Webhook as WebhookRow,
} from '../../../domain/webhooks/webhook.ts';
import {
  createWebhooks,
  deleteWebhooks,
  type NewWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../../domain/webhooks/webhook-change.ts';
import { redeliver, testWebhook } from '../../../domain/webhooks/webhook-resend.ts';
import { requireSelection, WHOLE_EVENT } from '../../operations/event-selection.ts';
import { KINDS } from '../events/feed.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION } from '../kernel/descriptions.ts';
import { Webhook, WebhookDelivery } from './type.ts';

const URL = 'An http or https address. It must be public, unless the server is set up otherwise.';
const QUERY =
  'What to send of each event: a selection of Event, such as `{ kind subject { ... on Task { name } } }`, with fragments ' +
  'after it. It is read with the rights of the owner at that moment.';
const MANAGER =
  'Takes the role OWNER or ADMIN in the organization; an application manages those that it created.';

const NewWebhookInput = builder.inputType('NewWebhook', {
  description: 'One webhook to make.',
  fields: (t) => ({
    url: t.string({ required: true, description: URL }),
    kinds: t.stringList({ description: KINDS }),
    projectId: t.id({ description: 'Only what happens in this project.' }),
    query: t.string({ description: `${QUERY} When left out: \`${WHOLE_EVENT}\`` }),
  }),
});

const CreateWebhooksInput = builder.inputType('CreateWebhooksInput', {
  description: 'Webhooks to make: all of them, or none.',
  fields: (t) => ({
    organizationId: t.id({ required: true, description: 'Whose events are sent.' }),
    webhooks: t.field({ type: [NewWebhookInput], required: true, description: 'The webhooks, in order.' }),
  }),
});

const CreatedWebhook = builder.objectRef<NewWebhook>('CreatedWebhook').implement({
  description: 'A webhook with a new secret.',
  fields: (t) => ({
    webhook: t.expose('webhook', { type: Webhook, description: 'The webhook.' }),
    secret: t.exposeString('secret', {
      description: 'What its messages are signed with: shown here, and never again.',
    }),
  }),
});

const CreateWebhooksPayload = builder
  .objectRef<{ created: NewWebhook[] }>('CreateWebhooksPayload')
  .implement({
    description: 'The new webhooks.',
    fields: (t) => ({
      created: t.expose('created', { type: [CreatedWebhook], description: 'In the order of the input.' }),
    }),
  });

const UpdateWebhookInput = builder.inputType('UpdateWebhookInput', {
  description: 'A change of a webhook; what is left out stays as it is.',
  fields: (t) => ({
    webhookId: t.id({ required: true, description: 'Which webhook.' }),
    url: t.string({ description: URL }),
    kinds: t.stringList({ description: `Replaces the list; an empty one stands for all. ${KINDS}` }),
    projectId: t.id({ description: 'Only what happens in this project; null takes the bound away.' }),
    query: t.string({ description: QUERY }),
    enabled: t.boolean({
      description:
        'False switches it off. True switches it on again; what has happened meanwhile is sent then.',
    }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const WebhookPayload = builder.objectRef<{ webhook: WebhookRow }>('WebhookPayload').implement({
  description: 'The webhook as it now is.',
  fields: (t) => ({ webhook: t.expose('webhook', { type: Webhook, description: 'The webhook.' }) }),
});

const RotateWebhookSecretInput = builder.inputType('RotateWebhookSecretInput', {
  description: 'A new secret in addition to the present one.',
  fields: (t) => ({
    webhookId: t.id({ required: true, description: 'Which webhook.' }),
    previousExpiresAt: t.field({
      type: 'DateTime',
      description: 'Until when the present secret signs as well: a day unless you say otherwise, at most 30.',
    }),
  }),
});

const DeleteWebhooksInput = builder.inputType('DeleteWebhooksInput', {
  description: 'Webhooks to delete: all are, or none.',
  fields: (t) => ({ webhookIds: t.idList({ required: true, description: 'Which webhooks.' }) }),
});

const DeleteWebhooksPayload = builder.objectRef<{ webhookIds: string[] }>('DeleteWebhooksPayload').implement({
  description: 'What was deleted.',
  fields: (t) => ({ webhookIds: t.exposeStringList('webhookIds', { description: 'Their ids.' }) }),
});

const TestWebhookInput = builder.inputType('TestWebhookInput', {
  description: 'An event of the past to send.',
  fields: (t) => ({
    webhookId: t.id({ required: true, description: 'To which webhook.' }),
    sequence: t.field({
      type: 'BigInt',
      description: 'Which event; the newest that it would be sent when left out.',
    }),
  }),
});

const RedeliverInput = builder.inputType('RedeliverWebhookDeliveriesInput', {
  description: 'Deliveries to send once more: all of them, or none.',
  fields: (t) => ({ deliveryIds: t.idList({ required: true, description: 'Which deliveries.' }) }),
});

const DeliveriesPayload = builder
  .objectRef<{ deliveries: WebhookDeliveryRow[] }>('WebhookDeliveriesPayload')
  .implement({
    description: 'What is being sent.',
    fields: (t) => ({
      deliveries: t.expose('deliveries', {
        type: [WebhookDelivery],
        description: 'In the order of the input.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  createWebhooks: t.field({
    type: CreateWebhooksPayload,
    description: `Makes webhooks, which send what happens from now on. Takes the role OWNER or ADMIN in the organization. They end with the API key that made them, or once their owner lets the application that made them read no more. CONFLICT beyond the number that an organization may have.`,
    args: { input: t.arg({ type: CreateWebhooksInput, required: true, description: 'The webhooks.' }) },
    resolve: async (_, { input }, ctx, { schema }) => {
      const webhooks = input.webhooks.map(({ query, ...each }) => ({ ...each, query: query ?? WHOLE_EVENT }));
      for (const [index, { query }] of webhooks.entries())
        requireSelection(schema, query, ctx.limits, `webhooks.${index}.query`);
      return { created: await createWebhooks(ctx, { ...input, webhooks }) };
    },
  }),
  updateWebhook: t.field({
    type: WebhookPayload,
    description: `Changes a webhook, which is yours from then on. ${MANAGER}`,
    args: { input: t.arg({ type: UpdateWebhookInput, required: true, description: 'The change.' }) },
    resolve: async (_, { input }, ctx, { schema }) => {
      if (input.query != null) requireSelection(schema, input.query, ctx.limits, 'query');
      return { webhook: await updateWebhook(ctx, input) };
    },
  }),
  rotateWebhookSecret: t.field({
    type: CreatedWebhook,
    description: `Makes a new secret for a webhook; both sign for a while. ${MANAGER}`,
    args: { input: t.arg({ type: RotateWebhookSecretInput, required: true, description: 'Of which.' }) },
    resolve: (_, { input }, ctx) => rotateWebhookSecret(ctx, input),
  }),
  deleteWebhooks: t.field({
    type: DeleteWebhooksPayload,
    description: `Deletes webhooks; nothing more is sent to them. ${MANAGER}`,
    args: { input: t.arg({ type: DeleteWebhooksInput, required: true, description: 'The webhooks.' }) },
    resolve: async (_, { input }, ctx) => ({ webhookIds: await deleteWebhooks(ctx, input) }),
  }),
  testWebhook: t.field({
    type: DeliveriesPayload,
    description: `Sends a webhook an event of the past. ${MANAGER}`,
    args: { input: t.arg({ type: TestWebhookInput, required: true, description: 'What to send.' }) },
    resolve: async (_, { input }, ctx) => ({ deliveries: [await testWebhook(ctx, input)] }),
  }),
  redeliverWebhookDeliveries: t.field({
    type: DeliveriesPayload,
    description: `Sends deliveries once more, whatever became of them. ${MANAGER}`,
    args: { input: t.arg({ type: RedeliverInput, required: true, description: 'The deliveries.' }) },
    resolve: async (_, { input }, ctx) => ({ deliveries: await redeliver(ctx, input) }),
  }),
}));
