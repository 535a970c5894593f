import type { Database, Models } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Webhook, WebhookDelivery } from '../generated/prisma/client.ts';
import { newId } from '../lib/id.ts';
import { DAY, fromNow, HOUR, MINUTE, SECOND } from '../lib/time.ts';
import type { Context } from './context.ts';
import { readOn } from './event-follow.ts';

/** How long a process may work on a webhook before another one takes it for dead. */
const BUSY = 2 * MINUTE;

/** Webhooks of these organizations, or of all, that are not being worked on and have something to send. */
export const idleWebhooks = (db: Database, organizationIds?: readonly string[]) =>
  db.query<{ id: string }>(sql`
    SELECT w.id FROM webhooks w JOIN event_heads h ON h.organization_id = w.organization_id
    WHERE w.state = 'ACTIVE' AND (w.busy_until IS NULL OR w.busy_until < now())
    AND ${organizationIds ? sql`w.organization_id = ANY(${organizationIds})` : sql`true`}
    AND (w.sequence < h.sequence OR EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id
      AND d.state = 'PENDING' AND d.next_try_at <= now()))`);

/** Takes an active webhook, so that one process at a time sends for it, in order. Undefined when another one does. */
export async function claimWebhook({ prisma }: Database, id: string): Promise<Webhook | undefined> {
  const [claimed] = await prisma.webhook.updateManyAndReturn({
    where: { id, state: 'ACTIVE', OR: [{ busyUntil: null }, { busyUntil: { lt: new Date() } }] },
    data: { busyUntil: fromNow(BUSY) },
  });
  return claimed;
}

export const releaseWebhook = ({ prisma }: Database, id: string) =>
  prisma.webhook.updateMany({ where: { id }, data: { busyUntil: null } });

export const suspendWebhook = ({ prisma }: Database, id: string) =>
  prisma.webhook.updateMany({
    where: { id, state: 'ACTIVE' },
    data: {
      state: 'SUSPENDED',
      stateReason:
        'Its owner may not manage the organization any more, or the credential that set it up has ended. Whoever ' +
        'updates it makes it theirs.',
    },
  });

/**
 * Makes deliveries of the events since the last time, a page of them; false when there were no more. The sequence of the
 * webhook moves with them, in one transaction and from where it was: no event is lost, and none is made twice.
 */
export async function queueDeliveries(ctx: Context, hook: Webhook): Promise<boolean> {
  const { organizationId, id: webhookId, kinds, projectId } = hook;
  const filter = { kinds: kinds.length > 0 ? kinds : null, projectId };
  const { events, through, more } = await readOn(ctx, organizationId, filter, hook.sequence);
  return inTransaction(ctx.db, async (tx) => {
    const { count } = await tx.prisma.webhook.updateMany({
      where: { id: webhookId, sequence: hook.sequence },
      data: { sequence: through },
    });
    if (count === 0) return false;
    const rows = events.map(({ sequence }) => ({ ...newDelivery(hook), sequence }));
    await tx.prisma.webhookDelivery.createMany({ data: rows, skipDuplicates: true });
    hook.sequence = through;
    return more;
  });
}

const newDelivery = ({ organizationId, id }: Pick<Webhook, 'organizationId' | 'id'>) => ({
  organizationId,
  id: newId('WebhookDelivery'),
  webhookId: id,
  nextTryAt: new Date(),
});

export type Due = WebhookDelivery & { webhook: Webhook };

/** The delivery that is due, of the oldest event first, with the webhook as it now is. */
export const dueDelivery = ({ prisma }: Database, webhookId: string): Promise<Due | null> =>
  prisma.webhookDelivery.findFirst({
    where: { webhookId, state: 'PENDING', nextTryAt: { lte: new Date() }, webhook: { state: 'ACTIVE' } },
    orderBy: { sequence: 'asc' },
    include: { webhook: true },
  });

/** How a try went: without an error it succeeded. `duration` in milliseconds. */
export interface Outcome {
  status?: number;
  duration: number;
  error?: string;
  /** How the response began. */
  response: string;
}

/** Tries go on for so long; a webhook that fails for so long is switched off. */
const PATIENCE = 3 * DAY;

/** After `tries` that failed: 10 s, and twice as long each time, up to six hours; a little more or less, to spread them. */
export const pauseAfter = (tries: number, chance = Math.random()): number =>
  Math.min(10 * SECOND * 2 ** Math.min(tries - 1, 20), 6 * HOUR) * (0.9 + 0.2 * chance);

/** Writes down how a try went, and when to try again. */
export function noteOutcome(db: Database, delivery: Due, outcome: Outcome): Promise<void> {
  const { organizationId, id, queuedAt, webhook } = delivery;
  const tries = delivery.tries + 1;
  const next = fromNow(pauseAfter(tries));
  const over = next.getTime() > queuedAt.getTime() + PATIENCE;
  const failed = { state: over ? ('FAILED' as const) : ('PENDING' as const), nextTryAt: over ? null : next };
  const done = { state: 'DELIVERED' as const, nextTryAt: null };
  return inTransaction(db, async (tx) => {
    const { status = null, error = null, ...rest } = outcome;
    await tx.prisma.webhookAttempt.create({
      data: { organizationId, id: newId('WebhookAttempt'), deliveryId: id, status, error, ...rest },
    });
    // Unless it was asked for anew meanwhile.
    await tx.prisma.webhookDelivery.updateMany({
      where: { id, queuedAt },
      data: { tries, ...(error === null ? done : failed) },
    });
    if (error === null)
      await tx.prisma.webhook.updateMany({ where: { id: webhook.id }, data: { failingSince: null } });
    else await noteFailure(tx.prisma, webhook);
    if (error !== null && !over)
      await tx.enqueue({ queue: 'webhook', data: { webhookId: webhook.id }, startAfter: next });
  });
}

async function noteFailure(prisma: Models, { id }: Webhook): Promise<void> {
  const now = new Date();
  await prisma.webhook.updateMany({ where: { id, failingSince: null }, data: { failingSince: now } });
  await prisma.webhook.updateMany({
    where: { id, state: 'ACTIVE', failingSince: { lt: new Date(now.getTime() - PATIENCE) } },
    data: { state: 'DISABLED', stateReason: 'Every delivery has failed for three days.' },
  });
}

/** How long what was sent, or given up, can be looked at and sent again. */
const KEPT = 30 * DAY;

/** Forgets deliveries that ended long ago, with their attempts. Gives how many. */
export async function forgetDeliveries({ prisma }: Database): Promise<number> {
  const { count } = await prisma.webhookDelivery.deleteMany({
    where: { state: { in: ['DELIVERED', 'FAILED'] }, queuedAt: { lt: new Date(Date.now() - KEPT) } },
  });
  return count;
}
