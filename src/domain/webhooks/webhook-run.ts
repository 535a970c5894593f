import { nowPlus } from '../../db/clock.ts';
import type { Database, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Webhook, WebhookDelivery } from '../../generated/prisma/client.ts';
import { newId } from '../../lib/id.ts';
import { DAY, HOUR, SECOND } from '../../lib/time.ts';
import { readEventsAfter } from '../events/event-follow.ts';
import type { Context } from '../kernel/context.ts';
import { dueNow } from '../kernel/round-robin.ts';
import type { ClaimedWebhook } from './webhook-claim.ts';
import { noteAnswer, noteSilence } from './webhook-receiver.ts';
import { endWebhook, type WebhookEnd } from './webhook-state.ts';

/**
 * Makes deliveries of the events since the last time, a page of them; false when there were no more. The sequence of the
 * webhook moves with them, in one transaction and from where it was: no event is lost, and none is made twice.
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
      FROM unnest(${ids}::text[], ${sequences}::text[]) AS x(id, sequence) ON CONFLICT DO NOTHING`);
    hook.sequence = through;
    return more;
  });
}

export type Due = WebhookDelivery & { webhook: Webhook };

/** The delivery that is due, of the oldest event first, with the webhook as it now is. */
export async function dueDelivery(db: Database, webhookId: string): Promise<Due | undefined> {
  const [delivery] = await db.query<WebhookDelivery>(sql`SELECT d.* FROM webhook_deliveries d
    WHERE d.webhook_id = ${webhookId} AND d.state = 'PENDING' AND d.next_try_at <= now() ORDER BY d.sequence LIMIT 1`);
  if (!delivery) return undefined;
  const webhook = await db.prisma.webhook.findUnique({ where: { id: webhookId, state: 'ACTIVE' } });
  return webhook ? { ...delivery, webhook } : undefined;
}

/** How a try went: without an error it succeeded. `duration` in milliseconds. */
export interface Outcome {
  status?: number;
  duration: number;
  error?: string;
  /** How the response began. */
  response: string;
  /** It was sent, and nothing came back: neither a status nor in time. */
  unanswered?: boolean;
}

/** Tries go on for so long; a webhook that fails for so long is switched off. */
const PATIENCE = 3 * DAY;

/** After `tries` that failed: 10 s, and twice as long each time, up to six hours; a little more or less, to spread them. */
export const pauseAfter = (tries: number, chance = Math.random()): number =>
  Math.min(10 * SECOND * 2 ** Math.min(tries - 1, 20), 6 * HOUR) * (0.9 + 0.2 * chance);

/** Writes down how a try went, when to try again, and what that says of the webhook and of its receiver. */
export function noteOutcome(
  db: Database,
  claimed: ClaimedWebhook,
  delivery: Due,
  outcome: Outcome,
): Promise<void> {
  const { organizationId, id: deliveryId } = delivery;
  const { status = null, error = null, response, duration, unanswered } = outcome;
  return inTransaction(db, async (tx) => {
    await tx.prisma.webhookAttempt.create({
      data: { organizationId, id: newId('WebhookAttempt'), deliveryId, status, error, response, duration },
    });
    await noteTry(tx, delivery, error !== null);
    await tx.query(sql`UPDATE webhooks SET failing_since = ${error === null ? null : sql`coalesce(failing_since, now())`}
      WHERE id = ${claimed.id}`);
    if (error !== null && unanswered) await noteSilence(tx, claimed, error, claimed.probe);
    else if (status !== null) await noteAnswer(tx, claimed);
    if (error !== null) await endWebhook(tx, claimed.id, FAILING);
  });
}

/** Nothing, where the delivery was queued anew meanwhile. */
async function noteTry(tx: Transaction, { id, queuedAt, tries }: Due, failed: boolean): Promise<void> {
  const next = nowPlus(pauseAfter(tries + 1));
  const over = sql`${next} > queued_at + ${PATIENCE / SECOND} * interval '1 second'`;
  const [state, nextTryAt] = failed
    ? [
        sql`CASE WHEN ${over} THEN 'FAILED' ELSE 'PENDING' END`,
        sql`CASE WHEN ${over} THEN NULL ELSE ${next} END`,
      ]
    : [sql`'DELIVERED'`, sql`NULL`];
  await tx.query(sql`UPDATE webhook_deliveries SET tries = tries + 1, state = (${state})::webhook_delivery_state,
    next_try_at = ${nextTryAt} WHERE id = ${id} AND queued_at = ${queuedAt}::timestamptz`);
}

const FAILING: WebhookEnd = {
  state: 'DISABLED',
  reason: 'Every delivery has failed for three days.',
  condition: sql`failing_since < now() - ${PATIENCE / SECOND} * interval '1 second'`,
};

/** How long what was sent, or given up, can be looked at and sent again. */
const KEPT = 30 * DAY;

/** Forgets deliveries that ended long ago, with their attempts. Gives how many. */
export async function forgetDeliveries(db: Database): Promise<number> {
  const gone = await db.query(sql`DELETE FROM webhook_deliveries WHERE state IN ('DELIVERED', 'FAILED')
    AND queued_at < ${nowPlus(-KEPT)} RETURNING id`);
  return gone.length;
}
