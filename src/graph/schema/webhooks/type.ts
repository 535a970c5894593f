import { findEvents } from '../../../domain/events/event-feed.ts';
import {
  deliveriesOfWebhook,
  findAttempts,
  findDeliveries,
  findWebhooks,
  type WebhookAttempt as WebhookAttemptRow,
  type Webhook as WebhookRow,
  webhooksOfOrganization,
} from '../../../domain/webhooks/webhook.ts';
import type { Message } from '../../../domain/webhooks/webhook-payload.ts';
import { previewWebhook } from '../../../domain/webhooks/webhook-preview.ts';
import { eventSelector } from '../../operations/event-selection.ts';
import { Event } from '../events/type.ts';
import { builder } from '../kernel/builder.ts';
import { connect, OrderDirection } from '../kernel/connection.ts';
import { connectionOf } from '../kernel/connection-types.ts';
import { MANAGERS_ONLY } from '../kernel/field-options.ts';
import { Node, nodeType } from '../kernel/node.ts';
import { orderBy, related } from '../kernel/related.ts';
import { Organization } from '../organizations/type.ts';
import { author, User } from '../users/type.ts';

const WebhookState = builder.enumType('WebhookState', {
  description: 'Whether a webhook sends.',
  values: {
    ACTIVE: { description: 'It sends.' },
    SUSPENDED: { description: 'Its owner lost the required rights.' },
    DISABLED: {
      description:
        'Someone disabled it, its receiver answered 410 Gone, or every delivery failed for three days.',
    },
  } as const,
});

const WebhookDeliveryState = builder.enumType('WebhookDeliveryState', {
  description: 'The state of a delivery.',
  values: {
    PENDING: { description: 'It is tried until it succeeds, for three days at most.' },
    DELIVERED: { description: 'The receiver answered with a status from 200 to 299.' },
    FAILED: { description: 'No attempt succeeded within the time.' },
  } as const,
});

const WebhookAttempt = builder.prismaObject('WebhookAttempt', {
  scope: 'events:read',
  description: 'One attempt to send a delivery.',
  interfaces: [Node],
  fields: (t) => ({
    status: t.exposeInt('status', {
      nullable: true,
      description: 'The HTTP status; null without a response.',
    }),
    duration: t.exposeInt('duration', { description: 'Its duration in milliseconds.' }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'The reason of the failure; null if it succeeded.',
    }),
    response: t.exposeString('response', {
      description: 'The beginning of the response, 1,000 characters at most.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it ended.' }),
  }),
});

nodeType('WebhookAttempt', ({ load }, id) => load.one(findAttempts, id));

export const WebhookDelivery = builder.prismaObject('WebhookDelivery', {
  scope: 'events:read',
  description: 'The delivery of one event to one webhook.',
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
    state: t.expose('state', { type: WebhookDeliveryState, description: 'Its state.' }),
    tries: t.exposeInt('tries', { description: 'The number of attempts since it was last queued.' }),
    queuedAt: t.expose('queuedAt', { type: 'DateTime', description: 'When it was last queued.' }),
    nextTryAt: t.expose('nextTryAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is; null if there is none.',
    }),
    attempts: t.connection(
      {
        type: WebhookAttempt,
        description: 'Its attempts, newest first.',
        ...related<WebhookAttemptRow>({
          ...{ model: 'webhookDelivery', relation: 'attempts', type: 'WebhookAttempt' },
          ...{ order: orderBy('createdAt', 'timestamptz'), direction: 'DESC' },
        }),
      },
      connectionOf(WebhookAttempt),
    ),
  }),
});

nodeType('WebhookDelivery', ({ load }, id) => load.one(findDeliveries, id));

const WebhookHeader = builder.objectRef<{ name: string; value: string }>('WebhookHeader').implement({
  description: 'A header of the request of a webhook.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name, in lower case.' }),
    value: t.exposeString('value', { description: 'Its value.' }),
  }),
});

const WebhookPreview = builder.objectRef<Message>('WebhookPreview').implement({
  description: 'The request that a webhook would send.',
  fields: (t) => ({
    body: t.exposeString('body', { description: 'The exact body, which the signature covers.' }),
    headers: t.field({
      type: [WebhookHeader],
      description: 'The headers, signed now.',
      resolve: ({ headers }) => Object.entries(headers).map(([name, value]) => ({ name, value })),
    }),
  }),
});

/** Further fields: signature-check.ts. */
export const Webhook = builder.objectRef<WebhookRow>('Webhook').implement({
  scope: 'events:read',
  description:
    'A subscription that sends events of an organization to an address, with the selected fields of each.',
  interfaces: [Node],
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', { description: 'The organization whose events it sends.' }),
    url: t.exposeString('url', { description: 'Where it sends to.' }),
    kinds: t.exposeStringList('kinds', {
      description: 'The kinds of events that are sent; all if empty.',
    }),
    projectId: t.exposeID('projectId', {
      nullable: true,
      description: 'The project whose events are sent; null for all that its owner sees.',
    }),
    query: t.exposeString('query', { description: 'What it selects of an event.' }),
    owner: t.field({
      type: User,
      description: 'Its owner, who created it or changed it last; it reads with their rights.',
      resolve: ({ ownerId }, _, ctx) => author(ctx, ownerId),
    }),
    previousSecretExpiresAt: t.expose('previousSecretExpiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when the previous secret signs too.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    version: t.exposeInt('version', {
      description: 'Incremented by each change; pass it as expectedVersion to detect changes by others.',
    }),
  }),
});

/** Whether it sends, and what stops it. */
builder.objectFields(Webhook, (t) => ({
  state: t.expose('state', { type: WebhookState, description: 'Whether it sends.' }),
  stateReason: t.exposeString('stateReason', { nullable: true, description: 'Why it does not send.' }),
  nextTryAt: t.expose('nextTryAt', {
    type: 'DateTime',
    nullable: true,
    description: 'When it sends next; null if nothing is pending.',
  }),
  pausedUntil: t.expose('pausedUntil', {
    type: 'DateTime',
    nullable: true,
    description:
      'Until when nothing is sent, because several attempts in a row got no response from the host of its address, or its receiver asked to wait (Retry-After); null if it is not paused.',
  }),
  pauseReason: t.exposeString('pauseReason', { nullable: true, description: 'Why it is paused.' }),
  failingSince: t.expose('failingSince', {
    type: 'DateTime',
    nullable: true,
    description: 'Since when every attempt has failed; null if the last one succeeded.',
  }),
  sequence: t.expose('sequence', {
    type: 'BigInt',
    description: 'The sequence up to which deliveries were created from events.',
  }),
}));

/** What it sends. */
builder.objectFields(Webhook, (t) => ({
  deliveries: t.connection(
    {
      type: WebhookDelivery,
      description: 'Its deliveries, sent and pending; newest event first by default.',
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
    },
    connectionOf(WebhookDelivery),
  ),
  preview: t.field({
    type: WebhookPreview,
    runsSelection: true,
    description: 'The request that it would send for a past event, with your rights. Nothing is sent.',
    args: {
      sequence: t.arg({
        type: 'BigInt',
        description: 'Which event; by default the newest that it would be sent.',
      }),
    },
    resolve: ({ id }, { sequence }, ctx, { schema }) =>
      previewWebhook(ctx, id, sequence, eventSelector(schema)),
  }),
}));

nodeType('Webhook', ({ load }, id) => load.one(findWebhooks, id));

builder.objectField(Organization, 'webhooks', (t) =>
  t.connection(
    {
      type: Webhook,
      hidden: MANAGERS_ONLY,
      description:
        'Its webhooks, oldest first, for its owners and admins; none for others. An application sees those that it created.',
      resolve: ({ id }, page, ctx) =>
        connect(
          ctx,
          webhooksOfOrganization,
          { organizationId: id, id },
          { ...page, filter: {}, orderBy: { field: 'CREATED_AT', direction: 'ASC' } },
        ),
    },
    connectionOf(Webhook),
  ),
);
