import { z } from 'zod';
import { sql } from '../../db/sql/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { newId } from '../../lib/id.ts';
import { eventsOfOrganization } from '../events/event-feed.ts';
import type { Context } from '../kernel/context.ts';
import { badInput, conflict, notFound } from '../kernel/errors.ts';
import { parse, requireBatchSize } from '../kernel/input.ts';
import { listPages } from '../kernel/listing.ts';
import { dueNow } from '../kernel/round-robin.ts';
import { inOrderOf } from '../projects/project.ts';
import { findDeliveries, findWebhooks, type Webhook, type WebhookDelivery } from './webhook.ts';
import { requireWebhook } from './webhook-change.ts';
import { findEvent, type Message, messageOf, type Select } from './webhook-payload.ts';
import { endPause } from './webhook-receiver.ts';

const resending = z.strictObject({ deliveryIds: z.array(z.string()) });

/** Sends deliveries once more, whatever became of them before: all of these, or none. CONFLICT where a webhook is off. */
export function redeliver(ctx: Context, input: z.input<typeof resending>): Promise<WebhookDelivery[]> {
  const { deliveryIds } = parse(resending, input);
  requireBatchSize(deliveryIds, ctx.limits.batchMax, 'deliveryIds');
  const ids = [...new Set(deliveryIds)];
  return inTransaction(ctx.db, async (tx) => {
    const found = await findDeliveries(ctx, ids, tx);
    if (found.length < ids.length) throw notFound('Delivery', 'deliveryIds');
    for (const webhookId of new Set(found.map((each) => each.webhookId))) {
      requireActive(await requireWebhook(ctx, tx, webhookId));
      await endPause(tx, webhookId);
    }
    await tx.query(sql`UPDATE webhook_deliveries SET ${again} WHERE id = ANY(${ids})`);
    tx.wake('webhook');
    return inOrderOf(
      await findDeliveries(ctx, ids, tx),
      ids.map((id) => ({ id })),
    );
  });
}

const again = sql`state = 'PENDING', tries = 0, queued_at = ${dueNow}, next_try_at = ${dueNow}`;

function requireActive({ state, stateReason }: Webhook): void {
  if (state !== 'ACTIVE') throw conflict(`The webhook is ${state}: ${stateReason}`);
}

const test = z.strictObject({ webhookId: z.string(), sequence: z.bigint().nullish() });

/** Sends a webhook an event of the past, the newest that it would be sent unless one is named. */
export async function testWebhook(ctx: Context, input: z.input<typeof test>): Promise<WebhookDelivery> {
  const { webhookId, sequence: asked } = parse(test, input);
  const sequence = await pastEvent(ctx, webhookId, asked);
  return inTransaction(ctx.db, async (tx) => {
    const hook = await requireWebhook(ctx, tx, webhookId);
    requireActive(hook);
    const { organizationId } = hook;
    await endPause(tx, webhookId);
    const [queued] = await tx.query<{ id: string }>(sql`
      INSERT INTO webhook_deliveries (organization_id, id, webhook_id, sequence, next_try_at)
      VALUES (${organizationId}, ${newId('WebhookDelivery')}, ${webhookId}, ${String(sequence)}::bigint, ${dueNow})
      ON CONFLICT (organization_id, webhook_id, sequence) DO UPDATE SET ${again} RETURNING id`);
    tx.wake('webhook');
    return (await findDeliveries(ctx, [queued?.id as string], tx))[0] as WebhookDelivery;
  });
}

async function pastEvent(ctx: Context, webhookId: string, asked?: bigint | null): Promise<bigint> {
  const [hook] = await findWebhooks(ctx, [webhookId]);
  if (!hook) throw notFound('Webhook', 'webhookId');
  const { organizationId, kinds, projectId } = hook;
  if (asked != null) {
    if (!(await findEvent(ctx, organizationId, asked))) throw notFound('Event', 'sequence');
    return asked;
  }
  const parent = { organizationId, id: organizationId };
  const filter = { kinds: kinds.length > 0 ? kinds : null, projectId };
  const orderBy = { field: 'SEQUENCE' as const, direction: 'DESC' as const };
  const [page] = await listPages(ctx, eventsOfOrganization(ctx, organizationId), [parent], {
    first: 1,
    filter,
    orderBy,
  });
  const [newest] = page?.rows ?? [];
  if (!newest) throw badInput('There is no event yet that this webhook would be sent.');
  return newest.sequence;
}

/** What would be sent of an event, signed now, with the viewer's own rights; nothing is sent. */
export async function previewWebhook(
  ctx: Context,
  webhookId: string,
  asked: bigint | null | undefined,
  select: Select,
): Promise<Message> {
  const sequence = await pastEvent(ctx, webhookId, asked);
  const hook = await ctx.db.prisma.webhook.findUniqueOrThrow({ where: { id: webhookId } });
  const event = await findEvent(ctx, hook.organizationId, sequence);
  if (!event) throw notFound('Event', 'sequence');
  return messageOf(ctx, hook, event, select);
}
