import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { dueNow } from '../due-work/round-robin.ts';
import { positionIn, requireFound } from '../kernel/batch.ts';
import type { Context } from '../kernel/context.ts';
import { conflict } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { inOrderOf } from '../projects/project.ts';
import { findDeliveries, findWebhooks, type Webhook, type WebhookDelivery } from './webhook.ts';
import { requireWebhook } from './webhook-change.ts';
import { sequenceToSend } from './webhook-preview.ts';
import { endWaits } from './webhook-receiver.ts';

const resending = z.strictObject({ deliveryIds: z.array(z.string()) });

/** Queues deliveries again in whatever state, all or none. Throws NOT_FOUND, or CONFLICT when a webhook is not active. */
export function redeliver(ctx: Context, input: z.input<typeof resending>): Promise<WebhookDelivery[]> {
  const { deliveryIds } = parse(resending, input);
  requireBatchSize(deliveryIds, ctx.limits.batchMax, 'deliveryIds');
  const ids = [...new Set(deliveryIds)];
  return inTransaction(ctx.db, async (tx) => {
    const deliveries = await findDeliveries(ctx, ids, tx);
    requireFound('Delivery', ids, deliveries, positionIn('deliveryIds', deliveryIds));
    for (const webhookId of new Set(deliveries.map((each) => each.webhookId))) {
      requireActive(await requireWebhook(ctx, tx, webhookId));
      await endWaits(tx, webhookId);
    }
    await tx.query(sql`UPDATE webhook_deliveries SET ${requeuedColumns} WHERE id = ANY(${ids})`);
    tx.wake('webhook');
    return inOrderOf(
      await findDeliveries(ctx, ids, tx),
      ids.map((id) => ({ id })),
    );
  });
}

const resendingFailed = z.strictObject({ webhookId: z.string() });

/** Queues all failed deliveries of a webhook again. Throws NOT_FOUND, or CONFLICT when it is not active. */
export function redeliverFailed(
  ctx: Context,
  input: z.input<typeof resendingFailed>,
): Promise<{ webhook: Webhook; count: number }> {
  const { webhookId } = parse(resendingFailed, input);
  return inTransaction(ctx.db, async (tx) => {
    const { organizationId, ...hook } = await requireWebhook(ctx, tx, webhookId);
    requireActive(hook);
    await endWaits(tx, webhookId);
    const [queued] = await tx.query<{ count: number }>(sql`
      WITH queued AS (UPDATE webhook_deliveries SET ${requeuedColumns}
        WHERE organization_id = ${organizationId} AND webhook_id = ${webhookId} AND state = 'FAILED' RETURNING 1)
      SELECT count(*)::int AS count FROM queued`);
    tx.wake('webhook');
    return { webhook: (await findWebhooks(ctx, [webhookId], tx))[0] as Webhook, count: queued?.count ?? 0 };
  });
}

const requeuedColumns = sql`state = 'PENDING', tries = 0, queued_at = ${dueNow}, next_try_at = ${dueNow}`;

function requireActive({ state, stateReason }: Pick<Webhook, 'state' | 'stateReason'>): void {
  if (state !== 'ACTIVE') throw conflict(`The webhook is ${state}: ${stateReason}`);
}

const test = z.strictObject({ webhookId: z.string(), sequence: z.bigint().nullish() });

/** Sends a past event to a webhook: by default the newest that matches its filter. Throws NOT_FOUND or CONFLICT. */
export async function testWebhook(ctx: Context, input: z.input<typeof test>): Promise<WebhookDelivery> {
  const { webhookId, sequence: requested } = parse(test, input);
  const sequence = await sequenceToSend(ctx, webhookId, requested);
  return inTransaction(ctx.db, async (tx) => {
    const hook = await requireWebhook(ctx, tx, webhookId);
    requireActive(hook);
    const { organizationId } = hook;
    await endWaits(tx, webhookId);
    const [queued] = await tx.query<{ id: string }>(sql`
      INSERT INTO webhook_deliveries (organization_id, id, webhook_id, sequence, next_try_at)
      VALUES (${organizationId}, ${newId('WebhookDelivery')}, ${webhookId}, ${String(sequence)}::bigint, ${dueNow})
      ON CONFLICT (organization_id, webhook_id, sequence) DO UPDATE SET ${requeuedColumns} RETURNING id`);
    tx.wake('webhook');
    return (await findDeliveries(ctx, [queued?.id as string], tx))[0] as WebhookDelivery;
  });
}
