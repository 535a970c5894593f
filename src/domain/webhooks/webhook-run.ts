import { nowPlus } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Webhook, WebhookDelivery } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { DAY, SECOND } from '../../lib/time.ts';
import { RETRY_PERIOD, retryDelay } from '../due-work/retry.ts';
import { dueNow } from '../due-work/round-robin.ts';
import { readEventsAfter } from '../events/event-follow.ts';
import type { Context } from '../kernel/context.ts';
import type { ClaimedWebhook } from './webhook-claim.ts';
import { recordNoResponse, recordResponse } from './webhook-receiver.ts';
import { endWebhook, type WebhookEnd } from './webhook-state.ts';

/**
 * Creates deliveries for a page of events after the webhook's sequence; false when there are no more. The sequence moves
 * in the same transaction, from its expected value: no event is lost, and none is queued twice.
 */
export async function queueDeliveries(ctx: Context, hook: Webhook): Promise<boolean> {
  const { organizationId, id: webhookId, kinds, projectId } = hook;
  const filter = { kinds: kinds.length > 0 ? kinds : null, projectId };
  const { events, through, more } = await readEventsAfter(ctx, organizationId, filter, hook.sequence);
  return inTransaction(ctx.db, async (tx) => {
    const { count } = await tx.prisma.webhook.updateMany({
      where: { id: webhookId, sequence: hook.sequence },
      data: { sequence: through },
    });
    if (count === 0) return false;
    const ids = events.map(() => newId('WebhookDelivery'));
    const sequences = events.map(({ sequence }) => String(sequence));
    await tx.query(sql`INSERT INTO webhook_deliveries (organization_id, id, webhook_id, sequence, next_try_at)
      SELECT ${organizationId}, x.id, ${webhookId}, x.sequence::bigint, ${dueNow}
      FROM unnest(${sql.texts(ids)}, ${sql.texts(sequences)}) AS x(id, sequence) ON CONFLICT DO NOTHING`);
    hook.sequence = through;
    return more;
  });
}

export type DueDelivery = WebhookDelivery & { webhook: Webhook };

/** The due delivery of the oldest event, with the present state of its webhook. Undefined when none is due. */
export async function dueDelivery(db: Database, webhookId: string): Promise<DueDelivery | undefined> {
  const [delivery] = await db.query<WebhookDelivery>(sql`SELECT d.* FROM webhook_deliveries d
    WHERE d.webhook_id = ${webhookId} AND d.state = 'PENDING' AND d.next_try_at <= now() ORDER BY d.sequence LIMIT 1`);
  if (!delivery) return undefined;
  const webhook = await db.prisma.webhook.findUnique({ where: { id: webhookId, state: 'ACTIVE' } });
  return webhook ? { ...delivery, webhook } : undefined;
}

/** The result of an attempt: a success when there is no error. `duration` in milliseconds. */
export interface Outcome {
  status?: number;
  duration: number;
  error?: string;
  /** The beginning of the response body. */
  response: string;
  /** Sent without a response: a connection error or a timeout. */
  unanswered?: boolean;
  /** Milliseconds for which the receiver asked to wait, by the status 429 or 503. */
  retryAfter?: number;
}

/** A receiver cannot make a webhook wait for longer. */
const MAX_RETRY_AFTER = DAY;

/** Stores the result of an attempt, schedules the next one, and updates the state of the webhook and its receiver. */
export function recordOutcome(
  db: Database,
  claimed: ClaimedWebhook,
  delivery: DueDelivery,
  outcome: Outcome,
): Promise<void> {
  const { organizationId, id: deliveryId } = delivery;
  const { status = null, error = null, response, duration, unanswered } = outcome;
  const wait = Math.min(outcome.retryAfter ?? 0, MAX_RETRY_AFTER);
  return inTransaction(db, async (tx) => {
    await tx.prisma.webhookAttempt.create({
      data: { organizationId, id: newId('WebhookAttempt'), deliveryId, status, error, response, duration },
    });
    await recordAttempt(tx, delivery, error === null ? null : Math.max(retryDelay(delivery.tries + 1), wait));
    await tx.query(sql`UPDATE webhooks SET failing_since = ${error === null ? null : sql`coalesce(failing_since, now())`},
      waits_until = ${wait > 0 ? nowPlus(wait) : null}
      WHERE id = ${claimed.id}`);
    if (error !== null && unanswered) await recordNoResponse(tx, claimed, error, claimed.probe);
    else if (status !== null) await recordResponse(tx, claimed);
    if (error !== null) await endWebhook(tx, claimed.id, status === 410 ? GONE : FAILING);
  });
}

/** `delay`: milliseconds to the next attempt, null after a success. Changes nothing when it was queued again meanwhile. */
async function recordAttempt(
  tx: Transaction,
  { id, queuedAt }: DueDelivery,
  delay: number | null,
): Promise<void> {
  const next = nowPlus(delay ?? 0);
  const expired = sql`${next} > queued_at + ${RETRY_PERIOD / SECOND} * interval '1 second'`;
  const [state, nextTryAt] =
    delay !== null
      ? [
          sql`CASE WHEN ${expired} THEN 'FAILED' ELSE 'PENDING' END`,
          sql`CASE WHEN ${expired} THEN NULL ELSE ${next} END`,
        ]
      : [sql`'DELIVERED'`, sql`NULL`];
  await tx.query(sql`UPDATE webhook_deliveries SET tries = tries + 1, state = (${state})::webhook_delivery_state,
    next_try_at = ${nextTryAt} WHERE id = ${id} AND queued_at = ${queuedAt}::timestamptz`);
}

const FAILING: WebhookEnd = {
  state: 'DISABLED',
  reason: 'Every delivery has failed for three days.',
  condition: sql`failing_since < now() - ${RETRY_PERIOD / SECOND} * interval '1 second'`,
};

/** RFC 9110 §15.5.11: the receiver asks for nothing more. */
const GONE: WebhookEnd = {
  state: 'DISABLED',
  reason: 'Its receiver answered that it is gone, with the status 410.',
};

/** How long ended deliveries can be read and sent again. */
const RETENTION = 30 * DAY;

/** Deletes ended deliveries that were queued before the retention period, with their attempts. Returns how many. */
export async function deleteOldDeliveries(db: Database): Promise<number> {
  const deleted = await db.query(sql`DELETE FROM webhook_deliveries WHERE state IN ('DELIVERED', 'FAILED')
    AND queued_at < ${nowPlus(-RETENTION)} RETURNING id`);
  return deleted.length;
}
