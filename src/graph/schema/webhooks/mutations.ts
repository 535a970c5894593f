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
import { redeliver, redeliverFailed, testWebhook } from '../../../domain/webhooks/webhook-resend.ts';
import { requireSelection } from '../../operations/event-selection.ts';
import { WHOLE_EVENT } from '../../operations/selection-document.ts';
import { KINDS } from '../events/feed.ts';
import { builder } from '../kernel/builder.ts';
import { EXPECTED_VERSION } from '../kernel/descriptions.ts';
import { mutation, mutationInput, mutationPayload } from '../kernel/mutation.ts';
import { Webhook, WebhookDelivery } from './type.ts';

const URL = 'An http or https address. It must be public, unless the server is configured otherwise.';
const QUERY =
  'What to send of each event: a selection of Event, such as `{ kind subject { ... on Task { name } } }`, with fragments ' +
  'after it. It is executed with the rights of the owner at that moment.';
const MANAGER =
  'Requires the role OWNER or ADMIN in the organization; an application manages those that it created.';

const NewWebhookInput = builder.inputType('NewWebhook', {
  description: 'One webhook to create.',
  fields: (t) => ({
    url: t.string({ required: true, description: URL }),
    kinds: t.stringList({ description: KINDS }),
    projectId: t.id({ description: 'Only events of this project.' }),
    query: t.string({ description: `${QUERY} When left out: \`${WHOLE_EVENT}\`` }),
  }),
});

const createWebhooksInput = mutationInput({
  description: 'Webhooks to create: all are created, or none.',
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
      description: 'The key of its signatures, shown only here.',
    }),
  }),
});

const createWebhooksPayload = mutationPayload<{ created: NewWebhook[] }>({
  description: 'The new webhooks.',
  fields: (t) => ({
    created: t.expose('created', { type: [CreatedWebhook], description: 'In the order of the input.' }),
  }),
});

const updateWebhookInput = mutationInput({
  description: 'A change of a webhook; omitted members keep their values.',
  fields: (t) => ({
    webhookId: t.id({ required: true, description: 'Which webhook.' }),
    url: t.string({ description: URL }),
    kinds: t.stringList({ description: `Replaces the list; an empty list means all. ${KINDS}` }),
    projectId: t.id({ description: 'Only events of this project; null removes the restriction.' }),
    query: t.string({ description: QUERY }),
    enabled: t.boolean({
      description: 'False disables it. True enables it again, and sends the events since then.',
    }),
    expectedVersion: t.int({ description: EXPECTED_VERSION }),
  }),
});

const webhookPayload = mutationPayload<{ webhook: WebhookRow }>({
  description: 'The webhook after the change.',
  fields: (t) => ({ webhook: t.expose('webhook', { type: Webhook, description: 'The webhook.' }) }),
});

const rotateWebhookSecretInput = mutationInput({
  description: 'A new secret in addition to the current one.',
  fields: (t) => ({
    webhookId: t.id({ required: true, description: 'Which webhook.' }),
    previousExpiresAt: t.field({
      type: 'DateTime',
      description: 'How long the current secret signs too: a day by default, at most 30.',
    }),
  }),
});

const rotatedSecretPayload = mutationPayload<NewWebhook>({
  description: 'The webhook, and its new secret.',
  fields: (t) => ({
    webhook: t.expose('webhook', { type: Webhook, description: 'The webhook.' }),
    secret: t.exposeString('secret', {
      description: 'The key of its signatures, shown only here.',
    }),
  }),
});

const deleteWebhooksInput = mutationInput({
  description: 'Webhooks to delete: all are deleted, or none.',
  fields: (t) => ({ webhookIds: t.idList({ required: true, description: 'Which webhooks.' }) }),
});

const deleteWebhooksPayload = mutationPayload<{ webhookIds: string[] }>({
  description: 'The deleted objects.',
  fields: (t) => ({ webhookIds: t.expose('webhookIds', { type: ['ID'], description: 'Their ids.' }) }),
});

const testWebhookInput = mutationInput({
  description: 'A past event to send.',
  fields: (t) => ({
    webhookId: t.id({ required: true, description: 'To which webhook.' }),
    sequence: t.field({
      type: 'BigInt',
      description: 'Which event; by default the newest that it would be sent.',
    }),
  }),
});

const redeliverInput = mutationInput({
  description: 'Deliveries to send again: all are sent, or none.',
  fields: (t) => ({ deliveryIds: t.idList({ required: true, description: 'Which deliveries.' }) }),
});

const deliveriesPayload = mutationPayload<{ deliveries: WebhookDeliveryRow[] }>({
  description: 'The deliveries.',
  fields: (t) => ({
    deliveries: t.expose('deliveries', {
      type: [WebhookDelivery],
      description: 'In the order of the input.',
    }),
  }),
});

mutation('createWebhooks', {
  scope: 'webhooks:write',
  description: `Creates webhooks, which send events from now on. Requires the role OWNER or ADMIN in the organization. They end with the API key that created them, or once the application that created them may no longer read for their owner. CONFLICT above the maximum number of an organization.`,
  argument: 'The webhooks.',
  input: createWebhooksInput,
  payload: createWebhooksPayload,
  batch: { items: 'webhooks', empty: { created: [] } },
  resolve: async (input, ctx, { schema }) => {
    const webhooks = input.webhooks.map(({ query, ...each }) => ({ ...each, query: query ?? WHOLE_EVENT }));
    for (const [index, { query }] of webhooks.entries())
      requireSelection(schema, query, ctx, `webhooks.${index}.query`);
    return { created: await createWebhooks(ctx, { ...input, webhooks }) };
  },
});

mutation('updateWebhook', {
  scope: 'webhooks:write',
  description: `Changes a webhook; you become its owner. ${MANAGER}`,
  argument: 'The change.',
  input: updateWebhookInput,
  payload: webhookPayload,
  resolve: async (input, ctx, { schema }) => {
    if (input.query != null) requireSelection(schema, input.query, ctx, 'query');
    return { webhook: await updateWebhook(ctx, input) };
  },
});

mutation('rotateWebhookSecret', {
  scope: 'webhooks:write',
  description: `Creates a new secret for a webhook; for some time both sign. ${MANAGER}`,
  argument: 'Of which.',
  input: rotateWebhookSecretInput,
  payload: rotatedSecretPayload,
  resolve: (input, ctx) => rotateWebhookSecret(ctx, input),
});

mutation('deleteWebhooks', {
  scope: 'webhooks:write',
  description: `Deletes webhooks; nothing more is sent to them. ${MANAGER}`,
  argument: 'The webhooks.',
  input: deleteWebhooksInput,
  payload: deleteWebhooksPayload,
  batch: { items: 'webhookIds', empty: { webhookIds: [] } },
  resolve: async (input, ctx) => ({ webhookIds: await deleteWebhooks(ctx, input) }),
});

mutation('testWebhook', {
  scope: 'webhooks:write',
  description: `Sends a past event to a webhook. ${MANAGER}`,
  argument: 'What to send.',
  input: testWebhookInput,
  payload: deliveriesPayload,
  resolve: async (input, ctx) => ({ deliveries: [await testWebhook(ctx, input)] }),
});

mutation('redeliverWebhookDeliveries', {
  scope: 'webhooks:write',
  description: `Sends deliveries again, whatever their state. ${MANAGER}`,
  argument: 'The deliveries.',
  input: redeliverInput,
  payload: deliveriesPayload,
  batch: { items: 'deliveryIds', empty: { deliveries: [] } },
  resolve: async (input, ctx) => ({ deliveries: await redeliver(ctx, input) }),
});

mutation('redeliverFailedDeliveries', {
  scope: 'webhooks:write',
  description: `Sends all failed deliveries of a webhook again, however many. CONFLICT for a webhook that does not send. ${MANAGER}`,
  argument: 'Of which.',
  input: mutationInput({
    description: 'The webhook whose failed deliveries to send again.',
    fields: (t) => ({ webhookId: t.id({ required: true, description: 'Which webhook.' }) }),
  }),
  payload: mutationPayload<{ webhook: WebhookRow; count: number }>({
    description: 'The webhook, and what is sent again.',
    fields: (t) => ({
      webhook: t.expose('webhook', { type: Webhook, description: 'The webhook.' }),
      count: t.exposeInt('count', { description: 'How many deliveries were queued again.' }),
    }),
  }),
  resolve: (input, ctx) => redeliverFailed(ctx, input),
});
