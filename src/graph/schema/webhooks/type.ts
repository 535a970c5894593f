import { findEvents } from '../../../domain/events/event-feed.ts';
import {
  deliveriesOfWebhook,
  findDeliveries,
  findWebhooks,
  type WebhookAttempt as WebhookAttemptRow,
  type Webhook as WebhookRow,
  webhooksOfOrganization,
} from '../../../domain/webhooks/webhook.ts';
import type { Message } from '../../../domain/webhooks/webhook-payload.ts';
import { previewWebhook } from '../../../domain/webhooks/webhook-resend.ts';
import { eventSelector } from '../../operations/event-selection.ts';
import { Event } from '../events/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, OrderDirection } from '../kernel/connection.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { orderBy, related } from '../kernel/related.ts';
import { Organization } from '../organizations/type.ts';
import { author, User } from '../users/type.ts';

const WebhookState = builder.enumType('WebhookState', {
  description: 'Whether a webhook sends.',
  values: {
    ACTIVE: { description: 'It sends.' },
    SUSPENDED: { description: 'Its owner lost the rights that it runs with.' },
    DISABLED: { description: 'Someone switched it off, or all it sent has failed for three days.' },
  } as const,
});

const WebhookDeliveryState = builder.enumType('WebhookDeliveryState', {
  description: 'How far a delivery is.',
  values: {
    PENDING: { description: 'It is tried until it succeeds, for three days at most.' },
    DELIVERED: { description: 'The receiver answered with a status from 200 to 299.' },
    FAILED: { description: 'No attempt succeeded within the time.' },
  } as const,
});

const WebhookAttempt = builder.prismaObject('WebhookAttempt', {
  description: 'One try to send a delivery.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    status: t.exposeInt('status', {
      nullable: true,
      description: 'The HTTP status; null without an answer.',
    }),
    duration: t.exposeInt('duration', { description: 'Milliseconds that it took.' }),
    error: t.exposeString('error', { nullable: true, description: 'What went wrong; null if nothing did.' }),
    response: t.exposeString('response', {
      description: 'The beginning of the response, 1,000 characters at most.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it ended.' }),
  }),
});

export const WebhookDelivery = builder.prismaObject('WebhookDelivery', {
  description: 'One event on its way to one webhook.',
  interfaces: [Node],
  fields: (t) => ({
    webhookId: t.exposeID('webhookId', { description: 'To which webhook.' }),
    sequence: t.expose('sequence', { type: 'BigInt', description: 'The sequence of its event.' }),
    event: t.field({
      type: Event,
      nullable: true,
      description: 'The event; null when you may not see it.',
      resolve: (delivery, _, { load }) =>
        load.of(findEvents, `${delivery.organizationId} ${delivery.sequence}`, delivery),
    }),
    state: t.expose('state', { type: WebhookDeliveryState, description: 'How far it is.' }),
    tries: t.exposeInt('tries', { description: 'How often it was tried since it was last queued.' }),
    queuedAt: t.expose('queuedAt', { type: 'DateTime', description: 'When it was last queued.' }),
    nextTryAt: t.expose('nextTryAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it is tried next; null when it is not.',
    }),
    attempts: t.connection({
      type: WebhookAttempt,
      description: 'How each try went, newest first.',
      ...related<WebhookAttemptRow>({
        ...{ model: 'webhookDelivery', relation: 'attempts', type: 'WebhookAttempt' },
        ...{ order: orderBy('createdAt', 'timestamptz'), direction: 'DESC' },
      }),
    }),
  }),
});

nodeType('WebhookDelivery', ({ load }, id) => load.one(findDeliveries, id));

const WebhookHeader = builder.objectRef<{ name: string; value: string }>('WebhookHeader').implement({
  description: 'A header of what a webhook sends.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name, in lower case.' }),
    value: t.exposeString('value', { description: 'Its value.' }),
  }),
});

const WebhookPreview = builder.objectRef<Message>('WebhookPreview').implement({
  description: 'What a webhook would send.',
  fields: (t) => ({
    body: t.exposeString('body', { description: 'The body, to the byte: the signature is over it.' }),
    headers: t.field({
      type: [WebhookHeader],
      description: 'The headers, signed now.',
      resolve: ({ headers }) => Object.entries(headers).map(([name, value]) => ({ name, value })),
    }),
  }),
});

export const Webhook = builder.objectRef<WebhookRow>('Webhook').implement({
  description: 'An address that is sent events of an organization, with what it selects of each.',
  interfaces: [Node],
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Where it sends to.' }),
    kinds: t.exposeStringList('kinds', {
      description: 'The kinds of events it is sent; all when there are none.',
    }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description: 'The one project whose events it is sent; null for all that its owner sees.',
    }),
    query: t.exposeString('query', { description: 'What it selects of an event.' }),
    owner: t.field({
      type: User,
      description: 'With whose rights it reads: who created it, or changed it last.',
      resolve: ({ ownerId }, _, ctx) => author(ctx, ownerId),
    }),
    state: t.expose('state', { type: WebhookState, description: 'Whether it sends.' }),
    stateReason: t.exposeString('stateReason', { nullable: true, description: 'Why it does not.' }),
    nextTryAt: t.expose('nextTryAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it sends next; null when nothing waits to be sent.',
    }),
    pausedUntil: t.expose('pausedUntil', {
      type: 'DateTime',
      nullable: true,
      description:
        'Until when nothing is sent to the host of its address, because several tries in a row got no answer; null when it is not paused.',
    }),
    pauseReason: t.exposeString('pauseReason', { nullable: true, description: 'Why it is paused.' }),
    failingSince: t.expose('failingSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when nothing has arrived; null when the last try succeeded.',
    }),
    sequence: t.expose('sequence', {
      type: 'BigInt',
      description: 'The sequence up to which deliveries were created from events.',
    }),
    previousSecretExpiresAt: t.expose('previousSecretExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the secret before the present one signs as well.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    version: t.exposeInt('version', {
      description: 'Counts the changes; pass it as expectedVersion to change only what you saw.',
    }),
    deliveries: t.connection({
      type: WebhookDelivery,
      description: 'What was, and is to be, sent, newest event first unless you say otherwise.',
      args: {
        states: t.arg({ type: [WebhookDeliveryState], description: 'Only in one of these states.' }),
        direction: t.arg({ type: OrderDirection, defaultValue: 'DESC', description: 'By their events.' }),
      },
      resolve: (webhook, { states, direction, ...page }, ctx) =>
        connect(ctx, deliveriesOfWebhook, webhook, {
          ...page,
          filter: { states },
          orderBy: { field: 'SEQUENCE', direction: direction ?? 'DESC' },
        }),
    }),
    preview: t.field({
      type: WebhookPreview,
      description: 'What it would send of an event of the past, read with your rights. Nothing is sent.',
      args: {
        sequence: t.arg({
          type: 'BigInt',
          description: 'Of which event; the newest that it would be sent when left out.',
        }),
      },
      resolve: ({ id }, { sequence }, ctx, { schema }) =>
        previewWebhook(ctx, id, sequence, eventSelector(schema)),
    }),
  }),
});

nodeType('Webhook', ({ load }, id) => load.one(findWebhooks, id));

builder.objectField(Organization, 'webhooks', (t) =>
  t.connection({
    type: Webhook,
    description:
      'Its webhooks, oldest first, for its owners and admins; none for others. An application sees those that it created.',
    resolve: ({ id }, page, ctx) =>
      connect(
        ctx,
        webhooksOfOrganization,
        { organizationId: id, id },
        { ...page, filter: {}, orderBy: { field: 'CREATED_AT', direction: 'ASC' } },
      ),
  }),
);
