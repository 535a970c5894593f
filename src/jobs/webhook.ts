import { randomUUID } from 'node:crypto';
import { inTransaction } from '../db/transaction.ts';
import type { Context } from '../domain/kernel/context.ts';
import { type ClaimedWebhook, postponeWebhook, releaseWebhook } from '../domain/webhooks/webhook-claim.ts';
import { ownerOf } from '../domain/webhooks/webhook-owner.ts';
import { findEvent, type Message, messageOf } from '../domain/webhooks/webhook-payload.ts';
import {
  type Due,
  dueDelivery,
  noteOutcome,
  type Outcome,
  queueDeliveries,
} from '../domain/webhooks/webhook-run.ts';
import { endWebhook } from '../domain/webhooks/webhook-state.ts';
import type { Webhook } from '../generated/prisma/client.ts';
import { SECOND } from '../lib/time.ts';
import type { JobContext } from './context.ts';
import { send } from './send.ts';

/** A webhook sends for so long, then makes room for others. */
const TURN = 5 * SECOND;

/** How a turn runs. `withDatabase` bounds how many of them work at a time; what waits for a receiver is outside of it. */
export interface TurnOptions {
  withDatabase: <Result>(work: () => Promise<Result>) => Promise<Result>;
  isStopping: () => boolean;
}

/** Sends what is due, and gives the webhook back. What fails unexpectedly is thrown, and comes again after a while. */
export async function takeTurn(job: JobContext, hook: ClaimedWebhook, options: TurnOptions): Promise<void> {
  try {
    const sent = await sendInOrder(job, hook, options);
    await releaseWebhook(job.db, hook, sent);
  } catch (error) {
    // Without this, it comes again when its lease ends.
    await postponeWebhook(job.db, hook).catch(() => {});
    throw error;
  }
}

/**
 * One delivery after the other, in the order of the events, until one gets no answer. A process that dies between sending
 * and writing it down leaves a delivery that is sent again: receivers tell by the event's id. Gives whether it sent any.
 */
async function sendInOrder(job: JobContext, hook: ClaimedWebhook, options: TurnOptions): Promise<boolean> {
  const { withDatabase, isStopping } = options;
  const end = Date.now() + TURN;
  const goesOn = () => Date.now() < end && !isStopping();
  let sent = false;
  while (goesOn() && (await withDatabase(() => queueNext(job, hook))));
  while (goesOn()) {
    const next = await withDatabase(() => prepare(job, hook));
    if (!next) break;
    const outcome = await attempt(job, next);
    sent ||= typeof next.message !== 'string';
    await withDatabase(() => noteOutcome(job.db, hook, next.due, outcome));
    if (outcome.unanswered) break;
  }
  return sent;
}

/** What is sent next: a message, or why there is none. */
interface Next {
  due: Due;
  message: Message | string;
}

const attempt = async ({ webhooks }: JobContext, { due, message }: Next): Promise<Outcome> =>
  typeof message === 'string'
    ? { error: message, response: '', duration: 0 }
    : send(due.webhook.url, message, webhooks.allowPrivate);

/** Makes deliveries of a page of events; false when there are no more. */
async function queueNext(job: JobContext, hook: Webhook): Promise<boolean> {
  const ctx = await contextOf(job, hook);
  return ctx !== undefined && (await queueDeliveries(ctx, hook));
}

/** Undefined when nothing is due. */
async function prepare(job: JobContext, { id }: Webhook): Promise<Next | undefined> {
  const due = await dueDelivery(job.db, id);
  const ctx = due && (await contextOf(job, due.webhook));
  return ctx && { due, message: await messageFor(job, ctx, due) };
}

/** With the owner's rights of this moment; without them, the webhook is suspended. */
async function contextOf({ db, storage, limits }: JobContext, hook: Webhook): Promise<Context | undefined> {
  const owner = await ownerOf(db, hook);
  if (typeof owner !== 'string') return { db, storage, limits, viewer: owner, requestId: randomUUID() };
  await inTransaction(db, (tx) => endWebhook(tx, hook.id, { state: 'SUSPENDED', reason: owner }));
  return undefined;
}

async function messageFor(
  { webhooks, log }: JobContext,
  ctx: Context,
  { sequence, webhook: hook }: Due,
): Promise<Message | string> {
  const event = await findEvent(ctx, hook.organizationId, sequence);
  if (!event) return 'What it happened to is gone, or not visible to the owner any more.';
  try {
    return await messageOf(ctx, hook, event, webhooks.select);
  } catch (error) {
    log.warn({ err: error, webhookId: hook.id }, 'the selection of a webhook failed');
    return 'What it selects could not be read; nothing was sent.';
  }
}
