import { randomUUID } from 'node:crypto';
import { inTransaction } from '../db/transaction.ts';
import type { Context } from '../domain/kernel/context.ts';
import { DomainError } from '../domain/kernel/errors.ts';
import { type ClaimedWebhook, postponeWebhook, releaseWebhook } from '../domain/webhooks/webhook-claim.ts';
import { ownerOf } from '../domain/webhooks/webhook-owner.ts';
import { findEvent, type Message, messageOf } from '../domain/webhooks/webhook-payload.ts';
import {
  type DueDelivery,
  dueDelivery,
  type Outcome,
  queueDeliveries,
  recordOutcome,
} from '../domain/webhooks/webhook-run.ts';
import { endWebhook } from '../domain/webhooks/webhook-state.ts';
import type { Webhook } from '../generated/prisma/client.ts';
import { SECOND } from '../lib/time.ts';
import type { WebhookContext } from './context.ts';
import { send } from './send.ts';

/** In ms, how long one webhook sends before it is released for others. */
const MAX_RUN_TIME = 5 * SECOND;

/** `withDatabase` limits how many runs use the database at a time; waiting for receivers happens outside of it. */
export interface RunOptions {
  withDatabase: <Result>(work: () => Promise<Result>) => Promise<Result>;
  isStopping: () => boolean;
}

/** Sends what is due, and releases the webhook. After an unexpected error it postpones the webhook and rethrows. */
export async function runWebhook(
  job: WebhookContext,
  hook: ClaimedWebhook,
  options: RunOptions,
): Promise<void> {
  try {
    const sent = await sendInOrder(job, hook, options);
    await releaseWebhook(job.db, hook, sent);
  } catch (error) {
    // If this fails too, the webhook can be claimed again when its lease ends.
    await postponeWebhook(job.db, hook).catch(() => {});
    throw error;
  }
}

/**
 * Sends deliveries in the order of the events, until one gets no response, or the receiver asks to
 * wait. A process that dies before it stores the
 * outcome leaves a delivery that is sent again: receivers detect it by the event's id. Returns whether it sent any.
 */
async function sendInOrder(job: WebhookContext, hook: ClaimedWebhook, options: RunOptions): Promise<boolean> {
  const { withDatabase, isStopping } = options;
  const end = Date.now() + MAX_RUN_TIME;
  const mayContinue = () => Date.now() < end && !isStopping();
  let sent = false;
  while (mayContinue() && (await withDatabase(() => queueNext(job, hook))));
  while (mayContinue()) {
    const next = await withDatabase(() => prepare(job, hook));
    if (!next) break;
    const outcome = await attempt(job, next);
    sent ||= typeof next.message !== 'string';
    await withDatabase(() => recordOutcome(job.db, hook, next.due, outcome));
    if (outcome.unanswered || outcome.retryAfter) break;
  }
  return sent;
}

/** The next delivery, with its message, or the reason why there is none. */
interface NextDelivery {
  due: DueDelivery;
  message: Message | string;
}

const attempt = async ({ webhooks }: WebhookContext, { due, message }: NextDelivery): Promise<Outcome> =>
  typeof message === 'string'
    ? { error: message, response: '', duration: 0 }
    : send(due.webhook.url, message, webhooks.allowPrivate);

/** Creates deliveries for a page of events; false when there are no more. */
async function queueNext(job: WebhookContext, hook: Webhook): Promise<boolean> {
  const ctx = await contextOf(job, hook);
  return ctx !== undefined && (await queueDeliveries(ctx, hook));
}

/** Undefined when nothing is due. */
async function prepare(job: WebhookContext, { id }: Webhook): Promise<NextDelivery | undefined> {
  const due = await dueDelivery(job.db, id);
  const ctx = due && (await contextOf(job, due.webhook));
  return ctx && { due, message: await messageFor(job, ctx, due) };
}

/** A context with the present rights of the owner. Suspends the webhook and returns undefined when they have none. */
async function contextOf(
  { db, storage, limits }: WebhookContext,
  hook: Webhook,
): Promise<Context | undefined> {
  const owner = await ownerOf(db, hook);
  if (typeof owner !== 'string') return { db, storage, limits, viewer: owner, requestId: randomUUID() };
  await inTransaction(db, (tx) => endWebhook(tx, hook.id, { state: 'SUSPENDED', reason: owner }));
  return undefined;
}

async function messageFor(
  { webhooks, log }: WebhookContext,
  ctx: Context,
  { sequence, webhook: hook }: DueDelivery,
): Promise<Message | string> {
  const event = await findEvent(ctx, hook.organizationId, sequence);
  if (!event) return 'What it happened to is gone, or not visible to the owner any more.';
  try {
    return await messageOf(ctx, hook, event, webhooks.select);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INSUFFICIENT_SCOPE')
      return `What it selects may not be read by the credential that set it up. ${error.message}`;
    log.warn({ err: error, webhookId: hook.id }, 'the selection of a webhook failed');
    return 'What it selects could not be read; nothing was sent.';
  }
}
