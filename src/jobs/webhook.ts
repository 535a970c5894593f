import { randomUUID } from 'node:crypto';
import type { Context } from '../domain/context.ts';
import { ownerOf } from '../domain/webhook-owner.ts';
import { findEvent, messageOf } from '../domain/webhook-payload.ts';
import {
  claimWebhook,
  type Due,
  dueDelivery,
  idleWebhooks,
  noteOutcome,
  type Outcome,
  queueDeliveries,
  releaseWebhook,
  suspendWebhook,
} from '../domain/webhook-run.ts';
import type { Webhook } from '../generated/prisma/client.ts';
import { SECOND } from '../lib/time.ts';
import type { JobContext } from './context.ts';
import { send } from './send.ts';

/** A job sends for so long, then makes room for those of others. */
const TURN = 20 * SECOND;

/** Has each webhook that has something to send sent for. */
export async function wakeWebhooks({ db }: JobContext, organizationIds?: readonly string[]): Promise<void> {
  for (const { id } of await idleWebhooks(db, organizationIds)) {
    await db.jobs.send({ queue: 'webhook', data: { webhookId: id } });
    db.jobs.onDue('webhook');
  }
}

/**
 * Sends what is due, one after the other, in the order of the events. A process that dies between sending and writing it
 * down leaves a delivery that is sent again: receivers tell by the id of the event.
 */
export async function sendForWebhook(job: JobContext, webhookId: string): Promise<void> {
  const hook = await claimWebhook(job.db, webhookId);
  if (!hook) return;
  try {
    await takeTurn(job, hook);
  } finally {
    await releaseWebhook(job.db, webhookId);
  }
  // What was committed while it was taken found nobody to send it.
  const idle = await idleWebhooks(job.db, [hook.organizationId]);
  if (idle.some(({ id }) => id === webhookId))
    await job.db.jobs.send({ queue: 'webhook', data: { webhookId } });
}

async function takeTurn(job: JobContext, hook: Webhook): Promise<void> {
  const end = Date.now() + TURN;
  const ctx = await contextOf(job, hook);
  if (!ctx) return;
  while (Date.now() < end && (await queueDeliveries(ctx, hook)));
  while (Date.now() < end) {
    const due = await dueDelivery(job.db, hook.id);
    const now = due && (await contextOf(job, due.webhook));
    if (!now) return;
    await noteOutcome(job.db, due, await attempt(job, now, due));
  }
}

/** With the owner's rights of this moment; without them, the webhook is suspended. */
async function contextOf({ db, storage, limits }: JobContext, hook: Webhook): Promise<Context | undefined> {
  const viewer = await ownerOf(db, hook);
  if (!viewer) {
    await suspendWebhook(db, hook.id);
    return undefined;
  }
  return { db, storage, limits, viewer, requestId: randomUUID() };
}

async function attempt(
  { webhooks, log }: JobContext,
  ctx: Context,
  { sequence, webhook: hook }: Due,
): Promise<Outcome> {
  const unsent = (error: string): Outcome => ({ error, response: '', duration: 0 });
  const event = await findEvent(ctx, hook.organizationId, sequence);
  if (!event) return unsent('What it happened to is gone, or not visible to the owner any more.');
  try {
    const message = await messageOf(ctx, hook, event, webhooks.select);
    return await send(hook.url, message, webhooks.allowPrivate);
  } catch (error) {
    log.warn({ err: error, webhookId: hook.id }, 'the selection of a webhook failed');
    return unsent('What it selects could not be read; nothing was sent.');
  }
}
