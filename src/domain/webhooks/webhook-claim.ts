import { nowPlus } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql/sql.ts';
import type { Webhook } from '../../generated/prisma/client.ts';
import { MINUTE, SECOND } from '../../lib/time.ts';
import { claimRoundRobin, dueNow } from '../kernel/round-robin.ts';
import { endPause, receiverHost, receiverOfWebhook, takeProbe } from './webhook-receiver.ts';

/** How long a process may work on a webhook before another one takes it for dead. */
const LEASE = 2 * MINUTE;

/** A webhook that one process sends for. `probe`: its receiver is tried for the first time after a pause. */
export type ClaimedWebhook = Webhook & { host: string; probe: boolean };

/** What has as many sends under way as it may have. */
export interface Full {
  organizationIds: readonly string[];
  hosts: readonly string[];
}

/**
 * Takes an active webhook that has something to send: of the organizations in turn, and in each the one that waits for
 * the longest time. Undefined when there is none, or none of `organizationIds`.
 */
export const claimWebhook = (
  db: Database,
  full: Full,
  organizationIds?: readonly string[],
): Promise<ClaimedWebhook | undefined> =>
  claimRoundRobin(db, 'webhook', async (condition) => {
    const [claimed] = await db.query<ClaimedWebhook>(sql`
      WITH due AS MATERIALIZED (
        SELECT w.organization_id, w.id, ${receiverHost} AS host, r.paused_until IS NOT NULL AS probe
        FROM webhooks w JOIN event_heads h ON h.organization_id = w.organization_id LEFT JOIN ${receiverOfWebhook}
        WHERE w.state = 'ACTIVE' AND w.organization_id ${condition}
        AND ${organizationIds ? sql`w.organization_id = ANY(${organizationIds})` : sql`true`}
        AND w.organization_id <> ALL(${full.organizationIds}) AND ${receiverHost} <> ALL(${full.hosts})
        AND (w.busy_until IS NULL OR w.busy_until <= now()) AND (r.paused_until IS NULL OR r.paused_until <= now())
        AND (w.sequence < h.sequence OR EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id
          AND d.state = 'PENDING' AND d.next_try_at <= now()))
        ORDER BY w.organization_id, w.busy_until NULLS FIRST, w.id LIMIT 1 FOR UPDATE OF w SKIP LOCKED
      ), probe AS (${takeProbe})
      UPDATE webhooks w SET busy_until = ${nowPlus(LEASE)} FROM due
      WHERE w.id = due.id AND (NOT due.probe OR EXISTS (SELECT FROM probe))
      RETURNING w.*, due.host, due.probe`);
    return claimed;
  });

/** How long a webhook rests whose turn failed on our side. */
const REST = 10 * SECOND;

const busyUntil = (db: Database, hook: ClaimedWebhook, until: Sql): Promise<unknown> =>
  db.query(sql`UPDATE webhooks SET busy_until = ${until}
    WHERE id = ${hook.id} AND busy_until = ${hook.busyUntil}::timestamptz`);

/** Gives a webhook back, to wait for its next turn, unless its lease has ended. `sent`: whether it sent in this one. */
export async function releaseWebhook(db: Database, hook: ClaimedWebhook, sent: boolean): Promise<void> {
  if (hook.probe && !sent) await endPause(db, hook.id);
  await busyUntil(db, hook, dueNow);
}

/** The same for one that failed, whose next turn is not at once. */
export const postponeWebhook = (db: Database, hook: ClaimedWebhook): Promise<unknown> =>
  busyUntil(db, hook, nowPlus(REST));
